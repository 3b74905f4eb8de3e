"""Laws in words and in documents."""

import re
from typing import Any, NamedTuple

import pytest

import zerosum
from tests.game_files import STICK
from tests.games import Sticks
from zerosum.coach.advice import Coach
from zerosum.coach.laws.features import Feature, compared, noun_text, of_field, of_players
from zerosum.coach.laws.law import Law, LawCondition, LawPart
from zerosum.coach.laws.sentences import OPPONENTS, THEIRS, YOURS, said
from zerosum.protocol import Result


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
    assert noun_text(noun) == text


class Seat(NamedTuple):
    player: int


NOUNS = ("lives", "number", "N", "first of numbers", "nim-sum of heaps", "count of 0 in row")
TESTS: tuple[tuple[Any, tuple[int, ...]], ...] = (
    *((test, (n,)) for test in ("is", "is not", "at most", "at least") for n in (-1, 0, 1, 2)),
    *(("remainder", (2, 1)), ("remainder", (3, 1)), ("between", (0, 1)), ("between", (1, 5))),
)
BAD_ENGLISH = re.compile(
    r"(?<!−)\b1 lives"  # a plural after 1
    r"|(?<!the )(first|nim-sum) of|count of|\b(of|in) (first|nim-sum|number|heaps|row)|\$"
)


@pytest.mark.parametrize("noun", NOUNS)
def test_every_condition_is_good_english(noun: str) -> None:
    def read(state: Any) -> int:
        return 4

    states = [Seat(0)]
    shared = list(of_field("", noun, read, states))
    found = [*shared, *of_players(noun, read, read, states), *compared(shared * 2, states)]
    assert len(found) == 8
    for feature in found:
        for test, numbers in TESTS:
            clause = (LawCondition(feature.name, test, numbers),)
            for voice in (THEIRS, YOURS, OPPONENTS):
                for state in (None, states[0]):
                    text = said({feature.name: feature}, [clause], voice, state)
                    assert not BAD_ENGLISH.search(text), text


def test_a_law_says_what_happens_otherwise() -> None:
    odd = LawCondition("number", "remainder", (2, 1))
    features = {"number": Feature("number", "the number", lambda state: state)}
    win, loss = LawPart("win", ((odd,),)), LawPart("loss", ((odd,),))
    stated: dict[tuple[LawPart, Result], str] = {
        (win, "loss"): "wins exactly if the number is odd.",
        (win, "draw"): "wins exactly if the number is odd; otherwise it is a draw.",
        (loss, "draw"): "loses exactly if the number is odd; otherwise it is a draw.",
    }
    for (part, otherwise), text in stated.items():
        law = Law(Sticks(), (part,), otherwise, 9, features=features)
        assert law.statement == f"The player to move {text}"


def test_the_coach_explains_by_the_law() -> None:
    coach = Coach(zerosum.solve(zerosum.game(STICK)))
    kind: Any = type(coach.game.initial())
    nine = "the number of sticks is 9, which has remainder 1 when divided by 4"
    assert coach.reason(kind(11, 0)) == f"After −2, {nine}: lost for whoever moves."
    assert coach.reason(kind(9, 1)) == f"{nine.capitalize()}: lost for whoever moves."
    assert coach.reason(kind(1, 0)).startswith("The number of sticks is 1")


def test_it_never_stands_for_one_of_two_subjects() -> None:
    height, last = (Feature(name, f"the {name}", lambda _: 0) for name in ("height", "last"))
    odd, even = ((LawCondition("height", "remainder", (2, rest)),) for rest in (1, 0))
    four = LawCondition("last", "is", (4,))
    features = {"height": height, "last": last}
    assert said(features, [(*odd, four), even]) == (
        "the height is odd and the last is 4, or the height is even"
    )
    five = LawCondition("height", "at least", (5,))
    assert said(features, [(*odd, five), even]) == (
        "the height is odd and at least 5, or it is even"
    )
