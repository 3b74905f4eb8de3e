"""Laws in words and in documents: races, exceptions, reasons."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

import zerosum
from tests.coach.support import STICKS, check_everywhere, law_of
from tests.games import Pile, Sticks
from zerosum import Game, Outcome, option
from zerosum.coach.advice import Coach
from zerosum.coach.laws import Law, find_law
from zerosum.coach.laws.by_number import _listed
from zerosum.coach.laws.conditions import Condition
from zerosum.coach.laws.features import Feature, features_of
from zerosum.coach.laws.law import Part
from zerosum.coach.laws.phrases import OPPONENTS, THEIRS, YOURS, said
from zerosum.match import Match
from zerosum.protocol import Result
from zerosum.solver import solve_table


def test_number_navigator_is_a_race() -> None:
    game = zerosum.game("number-navigator")
    law = law_of(game)
    assert law.race
    assert law.statement.startswith("This is a race: no move touches what the opponent has.")
    assert law.race.needed(game.initial()) == (5, 5)
    check_everywhere(law, game)


class Runners(NamedTuple):
    first: int
    second: int
    player: int


@dataclass(frozen=True)
class Run(Game[Runners]):
    """Run 1 or 2 steps to 0; with a push, a runner on 4 is pushed back by an overtaker."""

    start: int = option(7, "steps to run", least=1)
    push: bool = option(False, "whether runners are pushed")

    def initial(self) -> Runners:
        return Runners(self.start, self.start + 1, 0)

    def moves(self, state: Runners) -> tuple[int, ...]:
        return tuple(n for n in (1, 2) if n <= state[state.player] and state[1 - state.player])

    def play(self, state: Runners, move: int) -> Runners:
        both = [state.first, state.second]
        both[state.player] -= move
        if self.push and both[1 - state.player] == 4:
            both[1 - state.player] += 1
        return Runners(both[0], both[1], 1 - state.player)

    def outcome(self, state: Runners) -> Outcome | None:
        return None if state[1 - state.player] else Outcome(1 - state.player, "the run is over")


def test_a_race_is_one_only_if_nobody_touches_the_other() -> None:
    race, push = law_of(Run()), find_law(solve_table(Run(push=True)))
    assert race.race
    check_everywhere(race, Run())
    assert push is None or not push.race
    coach = Coach(zerosum.solve(Run()))
    assert coach.reason(Runners(7, 8, 0)) == (
        "You need 4 moves to finish alone and your opponent needs as many, but you go first."
    )
    reason = coach.law_reason(Runners(5, 4, 0), ("Ada", "Bob"))
    assert reason == "Ada needs 3 moves to finish alone, and Bob needs 2."


@dataclass(frozen=True)
class Circling(Run):
    """Run 1 to 3 steps to 0; whoever lands on 1 runs round and round for ever."""

    start: int = option(3, "steps to run", least=1)

    def moves(self, state: Runners) -> tuple[int, ...]:
        own = state[state.player]
        if not state[1 - state.player]:
            return ()
        return (0,) if own == 1 else tuple(n for n in (1, 2, 3) if n <= own)


def test_a_race_names_its_draws() -> None:
    law = law_of(Circling())
    assert law.statement.endswith(
        "The player to move wins exactly if they need no more than their opponent. A player who "
        "can never finish loses to one who can; if neither can, it is a draw."
    )
    check_everywhere(law, Circling())
    coach = Coach(solve_table(Circling()))
    assert law.result(Runners(1, 1, 0)) == "draw"
    assert coach.law_reason(Runners(1, 1, 0)) == "Neither player can finish."
    assert "draw" not in law_of(Run()).statement
    document = law.document()
    assert (document["race"], document["parts"], document["otherwise"]) == (True, [], None)


class Chosen(Sticks):
    """The first player names a number up to 60; odd ones win for them, and two that are not."""

    def moves(self, state: Any) -> Any:
        return () if state.number > 60 else tuple(range(1, 61)) if not state.number else (1,)

    def initial(self) -> Any:
        return Pile(0, 0)

    def play(self, state: Any, move: Any) -> Any:
        return Pile(state.number + 100 if state.number else move, 1 - state.player)

    def outcome(self, state: Any) -> Any:
        number = state.number - 100
        odd = number % 2 == 1 or number == 22
        return None if number < 0 else Outcome(0 if odd and number != 37 else 1, "it was named")


def test_exceptions_are_named() -> None:
    law = law_of(Chosen())
    assert law.statement == (
        "The player to move loses exactly if the number is odd. The only exceptions are number 22 "
        "(the rule says won; it is lost) and number 37 (the rule says lost; it is won)."
    )
    assert (law.right, law.positions, law.exact) == (59, 61, True)
    assert law.exceptions == (Pile(22, 1), Pile(37, 1))
    check_everywhere(law, Chosen())


class Leap(Sticks):
    """Take up to 100 sticks, but never 50; whoever takes the last one loses."""

    def moves(self, state: Any) -> Any:
        return tuple(n for n in range(1, 101) if n <= state.number and n != 50)

    def outcome(self, state: Any) -> Any:
        return None if state.number else Outcome(state.player, "the last was taken")


def test_what_holds_at_one_number_names_it() -> None:
    law = law_of(Leap(start=120))
    assert law.statement == "The player to move loses exactly if the number is 1 or 51."
    check_everywhere(law, Leap(start=120))


@pytest.mark.parametrize(
    ("kind", "test", "numbers", "text", "explained"),
    [
        ("own", "at least", (3,), "they have at least 3 lives", "you have 4 lives, which is"),
        ("other", "between", (3, 5), "their opponent has from 3 to 5 lives", "has 4 lives, which"),
        ("own", "is", (4,), "they have 4 lives", "you have 4 lives"),
        ("own", "at least", (1,), "the number of their lives is at least 1", "you have 4 lives, "),
        ("other", "remainder", (2, 0), "the number of their opponent's lives is even", "4 lives,"),
        ("difference", "at most", (0,), "they have no more lives than their opponent", "no more"),
    ],
)
def test_things_are_counted_in_plain_words(
    kind: Any, test: Any, numbers: Any, text: str, explained: str
) -> None:
    clause = (Condition(Feature(kind, "lives", lambda state: state), test, numbers),)
    assert said([clause]) == text
    assert explained in said([clause], YOURS, 4)


@pytest.mark.parametrize(
    ("noun", "text"),
    [
        ("number", "the number"),
        ("sticks", "the number of sticks"),
        ("N", "N"),
        ("count of -1 in row", "the number of −1s in the row"),
        ("sum of row", "the sum of the row"),
    ],
)
def test_nouns_have_their_articles(noun: str, text: str) -> None:
    odd = Condition(Feature("shared", noun, lambda state: state), "remainder", (2, 1))
    assert said([(odd,)]) == f"{text} is odd"


NOUNS = ("lives", "number", "N", "first of numbers", "nim-sum of heaps", "count of 0 in row")
TESTS: tuple[tuple[Any, tuple[int, ...]], ...] = (
    *((test, (n,)) for test in ("is", "is not", "at most", "at least") for n in (-1, 0, 1, 2)),
    *(("remainder", (2, 1)), ("remainder", (3, 1)), ("between", (0, 1)), ("between", (1, 5))),
)
BAD_ENGLISH = re.compile(
    r"(?<!−)\b1 (more |fewer )?(lives|others)"  # a plural after 1
    r"|(?<!the )(first|nim-sum) of|count of|\b(of|in) (first|nim-sum|number|heaps|row)"
)


@pytest.mark.parametrize("noun", NOUNS)
@pytest.mark.parametrize("kind", ["shared", "own", "other", "difference", "sum", "compared"])
def test_every_condition_is_good_english(kind: Any, noun: str) -> None:
    noun = f"{noun}|{noun}" if kind == "compared" else noun
    for test, numbers in TESTS:
        clause = (Condition(Feature(kind, noun, lambda state: state), test, numbers),)
        for voice in (THEIRS, YOURS, OPPONENTS):
            for text in (said([clause], voice), said([clause], voice, 4)):
                assert not BAD_ENGLISH.search(text), text


class Hands(NamedTuple):
    first: tuple[int, int]
    second: tuple[int, int]
    player: int


class Dealt(Sticks):
    """Nobody has a move; each has two numbers."""

    def moves(self, state: Any) -> Any:
        return ()


def test_numbers_of_the_seats_without_a_name_are_numbers() -> None:
    features = features_of(Dealt(), [Hands((1, 2), (1, 3), 0), Hands((1, 2), (1, 2), 1)])
    odd = [(Condition(feature, "remainder", (2, 1)),) for feature in features]
    assert said(odd[:1]) == "the first of their numbers is odd"


def test_numbers_to_leave_are_never_one_other() -> None:
    listed = [_listed(list(range(1, 2 * count, 2)), 0) for count in range(1, 15)]
    assert listed[10] == "1, 3, 5, 7, 9, 11, 13, 15, 17, 19 or 21"
    assert listed[11] == "1, 3, 5, 7, 9, 11, 13, 15, 17, 19 or 2 others"
    assert not BAD_ENGLISH.search(" ".join(listed))


def test_a_law_says_what_happens_otherwise() -> None:
    odd = Condition(Feature("shared", "number", lambda state: state), "remainder", (2, 1))
    win, loss = Part("win", ((odd,),)), Part("loss", ((odd,),))
    stated: dict[tuple[Part, Result], str] = {
        (win, "loss"): "wins exactly if the number is odd.",
        (win, "draw"): "wins exactly if the number is odd; otherwise it is a draw.",
        (loss, "draw"): "loses exactly if the number is odd; otherwise it is a draw.",
    }
    for (part, otherwise), text in stated.items():
        law = Law(Sticks(), (part,), otherwise, 9, 9)
        assert law.statement == f"The player to move {text}"
    law = Law(Sticks(), (win, loss), "win", 9, 9)  # what wins is not only the first part
    assert law.statement == (
        "The player to move wins if the number is odd; they lose if the number is odd; "
        "otherwise they win."
    )


def test_the_coach_explains_by_the_law() -> None:
    coach = Coach(zerosum.solve(zerosum.game(STICKS)))
    kind: Any = type(coach.game.initial())
    assert coach.reason(kind(11, 0)) == (
        "After 2, the number of sticks is 9, which has remainder 1 when divided by 4: "
        "lost for whoever moves."
    )
    assert coach.reason(kind(9, 1)) == (
        "The number of sticks is 9, which has remainder 1 when divided by 4: "
        "lost for whoever moves."
    )
    assert coach.reason(kind(1, 0)).startswith("The number of sticks is 1")


def test_reviews_name_the_law_at_the_turning_point() -> None:
    from zerosum.coach.review import describe_moment, review

    match = Match.new(zerosum.game(STICKS), ("Ada", "Bob"))
    for move in (1, 1, 3, 1, 3, 1, 1):
        match = match.play(move)
    coach = Coach(zerosum.solve(match.game))
    reviewed = review(coach.solution, match.round)
    turning_point = reviewed.moves[(reviewed.turning_point or 1) - 1]
    lines = " ".join(describe_moment(coach, ("Ada", "Bob"), match.round, reviewed, turning_point))
    assert "the number of sticks is 9, which has remainder 1 when divided by 4" in lines
    assert "you" not in lines.lower().split()
