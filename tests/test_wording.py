"""What a state shows on a page, and the keys of a game, for any game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import zerosum
from tests.pictures.games import Hotseat, Nim
from tests.strategies import matches
from tests.web.own_games import RULES
from zerosum.game import Field, GameError
from zerosum.match import Match
from zerosum.shown import MOST_KEYS
from zerosum.testing import Nonconforming, check_game
from zerosum.wording import Wording


def shown(game: Any) -> list[tuple[str, int | str, int | None, str]]:
    fields = Wording(game).fields(game.initial())
    return [(one.title, one.value, one.seat, one.kind) for one in fields]


def test_the_fields_of_the_five_games() -> None:
    assert shown(zerosum.game("even-steven")) == [("Number", 15, None, "number")]
    assert shown(zerosum.game("divisor-duel")) == [("Number", 16, None, "number")]
    assert shown(zerosum.game("dual-digits")) == [
        ("Number", 25, None, "number"),
        ("Just subtracted", "none", None, "number"),
    ]
    assert shown(zerosum.game("number-navigator")) == [
        ("Number", 20, 0, "number"),
        ("Number", 20, 1, "number"),
    ]
    assert shown(zerosum.game("digit-battle")) == [
        ("Number", 0, None, "number"),
        ("Lives", 10, 0, "lives"),
        ("Lives", 10, 1, "lives"),
    ]


def test_dual_digits_shows_what_may_not_be_repeated() -> None:
    game = zerosum.game("dual-digits")
    fields = Wording(game).fields(game.play(game.initial(), 3))
    assert fields[1] == Field("previous", "Just subtracted", 3)


def test_tuples_are_shown_as_a_text() -> None:
    assert shown(Nim()) == [("Heaps", "3, 4, 2", None, "number")]
    assert shown(Nim((1, (2, 3), ()))) == [("Heaps", "1, (2, 3), (none)", None, "number")]  # type: ignore[arg-type]
    assert shown(Hotseat()) == []


@given(matches())
@settings(max_examples=60)
def test_every_number_of_a_state_is_shown_once(match: Match) -> None:
    fields = Wording(match.game).fields(match.state)
    assert [one.name for one in fields] == [n for n in match.state._fields if n != "player"]
    for one in fields:
        value = getattr(match.state, one.name)
        assert one.value == value or (one.name == "previous" and one.value == "none" and not value)


def worded(folder: Path, own: str) -> Any:
    """A game of a user's own whose words have a hook."""
    path = folder / "worded.py"
    rules = RULES.replace("{name}", "Sticks").replace("{deed}", "")
    path.write_text(f"{rules}\n\nfrom zerosum.game import Field\n\nclass Words:\n    {own}\n")
    return zerosum.game(str(path))


def test_a_game_may_say_better_what_it_shows(tmp_path: Path) -> None:
    game = worded(tmp_path, "fields = lambda game, s: [Field('s', 'Left', s.sticks, 1, 'lives')]")
    assert Wording(game).fields(game.initial()) == (Field("s", "Left", 7, 1, "lives"),)
    assert check_game(game) > 5


@pytest.mark.parametrize(
    "given",
    [
        *("'text'", "None", "[('s', 'Left', 7)]", "[Field('s', 'Left', 7.5)]"),
        *("[Field('s', 'Left', True)]", "[Field('s', 'Left', 7, 2)]", "[Field('s', 7, 7)]"),
        "[Field('s', 'Left', 7, None, 'hearts')]",
    ],
)
def test_what_cannot_be_shown_is_the_games_fault(given: str, tmp_path: Path) -> None:
    game = worded(tmp_path, f"fields = lambda game, state: {given}")
    with pytest.raises(GameError, match=r"fields\(\) of Sticks's words must give a tuple"):
        Wording(game).fields(game.initial())
    with pytest.raises(Nonconforming, match=r"fields\("):
        check_game(game)


def test_a_hook_that_nobody_asks_for_is_found(tmp_path: Path) -> None:
    game = worded(tmp_path, "keys = lambda game: (1, 2)")
    with pytest.raises(Nonconforming, match="Words says keys, which nobody asks for"):
        check_game(game)


@pytest.mark.parametrize(
    ("name", "options", "keys"),
    [
        ("even-steven", {}, (1, 2)),
        ("even-steven", {"start": 10**90, "subtract_two": True}, (1, 2, 3)),
        ("dual-digits", {"numbers": (2, 3, 7)}, (2, 3, 7)),
        ("dual-digits", {"numbers": tuple(range(1, MOST_KEYS + 2))}, ()),
        ("number-navigator", {}, (1, 2, 3, 4)),
        ("number-navigator", {"start": 1000}, (1, 2, 3, 4)),
        ("digit-battle", {}, (1, 2, 3, 4, 5, 6, 7, 8, 9)),
        ("divisor-duel", {}, (1, 2, 3, 4, 5, 6, 7, 8)),
        ("divisor-duel", {"start": 1000}, ()),
        ("divisor-duel", {"start": 10**99 + 9}, ()),
    ],
)
def test_the_keys_of_a_game(name: str, options: Any, keys: tuple[int, ...]) -> None:
    assert Wording(zerosum.game(name, **options)).keys() == keys


def test_a_game_that_cannot_be_hashed_has_keys_too() -> None:
    class Loose(Nim):
        __hash__ = None  # type: ignore[assignment]

    assert Wording(Loose((2, 1))).keys() == Wording(Nim((2, 1))).keys() == (1, 2, 101)
