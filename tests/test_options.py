"""Options: declared once, with bounds that are checked before anything else is."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.games import Hotseat
from zerosum.errors import OptionError
from zerosum.options import Option, option, option_values, options_of, written


@dataclass(frozen=True)
class Every(Hotseat):
    """A game with an option of every kind."""

    size: int = option(3, "the side of the board", least=3, most=5)
    debt: int = option(0, "what may be owed", most=0)
    heaps: tuple[int, ...] = option((3, 4), "the heaps", least=0)
    first: str = option("cross", "who begins", choices=("cross", "nought"))
    name: str = option("board", "what it is called")
    wild: bool = option(False, "anything goes")
    even: int = option(2, choices=(2, 4, 6))
    plain: int = 7


OPTIONS = {declared.name: declared for declared in options_of(Every)}


def test_kind_and_bounds_of_options() -> None:
    assert {name: (declared.kind, declared.bounds) for name, declared in OPTIONS.items()} == {
        "size": ("number", "from 3 to 5"),
        "debt": ("number", "at most 0"),
        "heaps": ("numbers", "at least 0"),
        "first": ("text", "cross or nought"),
        "name": ("text", ""),
        "wild": ("flag", ""),
        "even": ("number", "2, 4 or 6"),
        "plain": ("number", ""),
    }
    assert OPTIONS["size"].about == "the side of the board, from 3 to 5"
    assert OPTIONS["even"].about == "2, 4 or 6"
    assert OPTIONS["plain"].about == ""


def test_a_class_and_a_variant_have_the_same_options() -> None:
    assert options_of(Every) == options_of(Every(size=4))
    assert options_of(Hotseat()) == ()


@pytest.mark.parametrize(
    "options",
    [
        {"size": 5, "debt": -(10**50)},
        {"heaps": (0,)},
        {"first": "nought", "name": "", "wild": True},
        {"even": 6, "plain": -1},
    ],
)
def test_values_within_the_bounds_are_accepted(options: dict[str, Any]) -> None:
    given = option_values(Every(**options))
    expected = {n: list(v) if isinstance(v, tuple) else v for n, v in options.items()}
    assert {name: given[name] for name in options} == expected


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("size", 2, "must be a whole number from 3 to 5, not 2"),
        ("size", True, "must be a whole number from 3 to 5, not True"),
        ("size", 4.0, "must be a whole number from 3 to 5, not 4.0"),
        ("size", 10**60, "must be a whole number from 3 to 5, not a number of about 61 digits"),
        ("debt", 1, "must be a whole number of at most 0, not 1"),
        ("plain", None, "must be a whole number, not None"),
        ("heaps", (), "must be one or more numbers, such as 3,4"),
        ("heaps", (1, -1), "must be a whole number of at least 0, not -1"),
        ("first", "third", "must be cross or nought, not 'third'"),
        ("wild", 1, "must be on or off (True or False), not 1"),
        ("even", 3, "must be 2, 4 or 6, not 3"),
    ],
)
def test_error_for_a_value_out_of_bounds_says_what_is_allowed(
    name: str, value: Any, message: str
) -> None:
    with pytest.raises(OptionError) as caught:
        Every(**{name: value})
    assert (caught.value.option, caught.value.message) == (name, message)
    assert str(caught.value) == f"{name}: {message}"


@dataclass(frozen=True)
class Pair(Hotseat):
    """Two options that depend on each other; a __post_init__ need not check each alone."""

    low: int = option(1, "the smaller number", least=1)
    high: int = option(2, "the larger number")

    def __post_init__(self) -> None:
        if self.high // self.low < 2:
            raise OptionError("high", "must be at least twice the smaller number")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"low": 0}, "low: must be a whole number of at least 1, not 0"),
        ({"low": "1"}, "low: must be a whole number of at least 1, not '1'"),
        ({"low": 2, "high": 3}, "high: must be at least twice the smaller number"),
    ],
)
def test_bounds_are_checked_before_a_post_init(options: dict[str, Any], message: str) -> None:
    assert Pair()
    with pytest.raises(OptionError) as caught:
        Pair(**options)
    assert str(caught.value) == message


def test_an_option_of_another_type_is_refused() -> None:
    @dataclass(frozen=True)
    class Floating(Hotseat):
        share: float = 0.5

    with pytest.raises(OptionError, match="its default must be an int, a bool, a str or a tuple"):
        Floating()


def test_metadata_of_other_libraries_is_ignored() -> None:
    @dataclass(frozen=True)
    class Noted(Hotseat):
        size: int = field(default=3, metadata={"least": 2, "unit": "squares"})

    assert options_of(Noted) == (Option("size", 3, least=2),)


def test_values_are_written_as_they_are_typed() -> None:
    values = (True, False, (3, 4), [1], 15, "cross")
    assert [written(value) for value in values] == ["on", "off", "3,4", "1", "15", "cross"]
    assert Option("wild", True).kind == "flag"
