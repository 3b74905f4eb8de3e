"""Fair starts and options, and handicaps: against exact fractions, and by hand."""

from __future__ import annotations

from typing import Any

import pytest

import zerosum
from tests.games import GAMES_FILE, Nim, Sticks
from tests.naive import Naive
from zerosum import Game
from zerosum.lab.audit import fairness as module
from zerosum.lab.audit.fairness import fairness, handicaps, variants
from zerosum.players.level_policies import chain_of
from zerosum.players.levels import LEVELS
from zerosum.solver import solve_table


def score(game: Game[Any], first: str, second: str) -> float:
    """The exact score of the first player."""
    won, _, draw, endless = Naive(game).chances((first, second))
    return float(won + (draw + endless) / 2)


@pytest.mark.parametrize(
    "game",
    [
        *(zerosum.game("even-steven", start=start) for start in (2, 5, 8)),
        *(zerosum.game("divisor-duel", start=start) for start in (2, 6, 9)),
        *(Sticks(start) for start in range(1, 6)),
        Nim((1, 2)),
    ],
    ids=repr,
)
def test_chances_and_bias_equal_exact_fractions(game: Game[Any]) -> None:
    chain = chain_of(solve_table(game))
    found = fairness(chain)
    exact = {level: score(game, level, level) for level in LEVELS}
    assert {level: ends.score for level, ends in found.chances.items()} == pytest.approx(exact)
    assert found.bias == pytest.approx(sum(abs(s - 0.5) for s in exact.values()) / len(LEVELS))
    begins, follows = handicaps(chain, "easy", "perfect")
    assert (begins.first, follows.first) == ("easy", "perfect")
    assert begins.score == pytest.approx(score(game, "easy", "perfect"))
    assert follows.score == pytest.approx(1 - score(game, "perfect", "easy"))


def test_variants_combine_starts_with_switches_and_choices() -> None:
    game = zerosum.game("even-steven")
    made = list(variants(game, (3, 4)))
    assert [(v.start, v.subtract_two) for v in made] == [  # type: ignore[attr-defined]
        (3, False),
        (3, True),
        (4, False),
        (4, True),
    ]
    assert list(variants(game, (3,), fixed=["subtract_two"])) == [
        zerosum.game("even-steven", start=3)
    ]
    wild = zerosum.game(f"{GAMES_FILE}:WildRow")
    assert [variant.goal for variant in variants(wild, range(5))] == ["win", "lose"]  # type: ignore[attr-defined]


def test_starts_that_the_game_does_not_have_are_skipped() -> None:
    assert [v.start for v in variants(zerosum.game("divisor-duel"), range(4))] == [2, 3]  # type: ignore[attr-defined]


def test_many_combinations_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_COMBINATIONS", 1)
    game = zerosum.game("even-steven")
    assert [repr(v) for v in variants(game, (3, 4))] == [
        "EvenSteven(start=3, subtract_two=False)",
        "EvenSteven(start=4, subtract_two=False)",
    ]
