"""Laws are proved for a number of any size only where that is true."""

import pickle
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any, NamedTuple

import pytest

import zerosum
from tests.coach.support import FOUND, check_everywhere, law_of
from tests.game_files import STICK
from tests.games import Sticks
from zerosum import Game, Outcome, option
from zerosum.coach.laws.symbols import Linear, Undecided


def test_proofs_are_claimed_where_the_rules_can_be_followed_at_any_size() -> None:
    sizes = {
        name: law_of(zerosum.game(name[0], **dict.fromkeys(name[1:], True))).every_size
        for name in FOUND
    }
    # Finding the divisors of a number takes a loop, which no symbol can follow.
    assert list(sizes.values()) == ["number", "number", None, "number"]
    assert law_of(zerosum.game(STICK)).every_size == "sticks"
    assert "proved" not in law_of(zerosum.game("divisor-duel")).reach


class Far(IntEnum):
    AWAY = 4001


def at_one_number(special: Any) -> type[Sticks]:
    """Only one stick may be taken at numbers that a question singles out."""

    class Special(Sticks):
        def moves(self, state: Any) -> Any:
            return (1,) if special(self, state.number) else super().moves(state)

    return Special


def at_most(most: Any) -> type[Sticks]:
    """How many sticks may be taken depends on the game, or on the number."""

    class Most(Sticks):
        @cached_property
        def remembered(self) -> int:
            return 2 if self.start < 500 else 3

        def moves(self, state: Any) -> Any:
            return tuple(n for n in range(1, most(self, state.number) + 1) if n <= state.number)

    return Most


class Swallowing(Sticks):
    """Every question without an answer is swallowed."""

    def moves(self, state: Any) -> Any:
        try:
            return (1, 2)[: int(state.number)]
        except BaseException:
            return (1, 2)


DIFFERENT = {
    "late": at_most(lambda game, number: 3 if number >= 1000 else 2),
    "near the start": at_one_number(lambda game, number: number > game.start),
    "in a set": at_one_number(lambda game, number: number in {1, 4001}),
    "a float": at_one_number(lambda game, number: number == 4.001e3),
    "a name": at_one_number(lambda game, number: number == Far.AWAY),
    "remembered": at_most(lambda game, number: game.remembered),
    "hidden": at_most(lambda game, number: 2 if vars(game)["start"] < 500 else 3),
    "swallowed": Swallowing,
}


@pytest.mark.parametrize("kind", DIFFERENT.values(), ids=DIFFERENT)
def test_no_proof_where_larger_numbers_may_differ(kind: Any) -> None:
    law = law_of(kind(start=40))
    assert law.statement.endswith("if the number is a multiple of 3.")
    assert not law.every_size
    check_everywhere(law, kind(start=40))


class Sized(NamedTuple):
    number: int
    size: int
    player: int


@dataclass(frozen=True)
class Copied(Game[Sized]):
    """Take 1 or 2 sticks, or 3 too if there were many at the start; the start is in the state."""

    start: int = option(40, "sticks", least=2)
    many: int = option(50, "many sticks", least=2)
    copied: bool = option(True, "whether the whole start is copied")

    def initial(self) -> Sized:
        size = self.start if self.copied else int(self.start > 10**6)
        return Sized(self.start, size, 0)

    def moves(self, state: Sized) -> tuple[int, ...]:
        most = 3 if state.size >= (self.many if self.copied else 1) else 2
        return tuple(n for n in range(1, most + 1) if n <= state.number)

    def play(self, state: Sized, move: int) -> Sized:
        return Sized(state.number - move, state.size, 1 - state.player)

    def outcome(self, state: Sized) -> Outcome | None:
        return None if state.number else Outcome(1 - state.player, "the last was taken")


@dataclass(frozen=True)
class Following(Sticks):
    """An option that is made from the start says how many sticks may be taken."""

    most: int = option(2, "the most sticks at a time", least=1)

    def __post_init__(self) -> None:
        object.__setattr__(self, "most", 2 if self.start < 10**6 else 3)

    def moves(self, state: Any) -> Any:
        return tuple(n for n in range(1, self.most + 1) if n <= state.number)


@dataclass(frozen=True)
class Counted(Copied):
    """Another option says how many are many, and the start is nowhere else."""

    def initial(self) -> Sized:
        return Sized(self.start, self.many, 0)

    def moves(self, state: Sized) -> tuple[int, ...]:
        return tuple(n for n in (1, 2) if n <= state.number)


@dataclass(frozen=True)
class Mode(Counted):
    """A word, or a flag, says with how many sticks a game starts, and what is many."""

    mode: str = option("short", "the length", choices=("short", "long"))
    long: bool = option(False, "whether it is long")

    def initial(self) -> Sized:
        long = self.mode == "long" if self.copied else self.long
        return Sized(90, 9, 0) if long else Sized(40, 4, 0)


def test_no_proof_where_a_start_changes_more_than_the_number() -> None:
    starts = (Copied(), Copied(start=60), Copied(copied=False), Following(start=40))
    for game in (*starts, Mode(), Mode(copied=False)):
        assert not law_of(game).every_size
    assert law_of(Copied()).statement.endswith("is a multiple of 3.")
    assert law_of(Copied(start=60)).statement.endswith("is a multiple of 4.")
    assert law_of(Counted()).every_size == "number"  # the other option is not a start


def test_symbols_answer_only_what_is_true_of_all_their_numbers() -> None:
    number: Any = Linear(6, 4, least=5)  # 34, 40, 46, …
    assert (number % 3, number % 2, number & 1, number > 33, number != 7) == (1, 0, 0, True, True)
    half = number // 2
    assert (half < number, half > 16, 3 - number < 0, isinstance(half, int)) == (True,) * 4
    assert divmod(number - number, 5) == (0, 0)
    for ask in (
        lambda: number % 4,
        lambda: half % 2,
        lambda: number > 34,
        lambda: number == 40,
        lambda: number > number // 2 + 30,
        lambda: hash(number),
        lambda: str(number),
        lambda: range(number),
        lambda: number / 2,
        lambda: number * number,
        lambda: number.bit_length(),
        lambda: number.real,
        lambda: number in {1, 40},
        lambda: {40: 1}.get(number),
        lambda: [1][number],
        lambda: f"{number}",
        lambda: pickle.dumps(number),
        lambda: "x" * number,
        lambda: number in range(1000),
    ):
        with pytest.raises(Undecided):
            ask()


def test_symbols_answer_no_other_question_that_an_integer_answers() -> None:
    asked: list[str] = []
    number: Any = Linear(6, 4, 5, asked)
    known = {
        *("add", "radd", "sub", "rsub", "mul", "rmul", "floordiv", "mod", "divmod", "and", "rand"),
        *("pos", "neg", "lt", "le", "gt", "ge", "eq", "ne", "bool"),
    }
    # What any object has, without a word about its number.
    about = {"class", "doc", "new", "init", "getattribute", "setattr", "delattr"}
    about |= {"init_subclass", "subclasshook"}
    for name in dir(int):
        if name.strip("_") not in known | about:
            asked.clear()
            with pytest.raises(Undecided):
                getattr(number, name)()
            assert asked, name
    assert +number == number
    assert (number == "40", number == None, number == (40,)) == (False,) * 3  # noqa: E711


@pytest.mark.parametrize("start", [-(10**9), -(10**40)])
def test_numbers_far_below_zero_are_not_checked_one_by_one(start: int) -> None:
    law = law_of(zerosum.game("digit-battle", start=start, lives=2))
    assert not law.every_size
