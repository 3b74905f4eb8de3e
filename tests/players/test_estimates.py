"""The strength of levels in a game that is not solved: an estimate, called one."""

from random import Random
from typing import Any

import pytest

import zerosum
from tests.games import Sticks
from zerosum.players.autoplay import Estimate, Tally, Tournament, interval
from zerosum.players.levels import LEVELS, SEARCHING, Level
from zerosum.players.strength import strengths
from zerosum.solver import solve_table


def test_estimates_hold_the_exact_strength_of_a_solved_game() -> None:
    game = zerosum.game("dual-digits", start=12)
    tournament = Tournament(solve_table(game), ("random", "medium", "perfect"), seed=5)
    assert len(list(tournament.play(150))) == tournament.total(150) == 450
    exact = strengths(solve_table(game))
    for level, other in tournament.tallies:
        estimate: Any = tournament.estimate(level, other)
        assert estimate.low < exact.overall(level, other) < estimate.high
        assert estimate.games == 150
        assert tournament.tallies[level, other].games == 75


def test_the_same_seed_plays_the_same_games() -> None:
    def played(seed: int) -> dict[Any, Tally]:
        tournament = Tournament(solve_table(zerosum.game("dual-digits")), SEARCHING, seed)
        assert list(tournament.play(4)) == list(range(1, 25))
        return tournament.tallies

    assert played(1) == played(1) != played(2)


def test_a_tournament_that_is_stopped_keeps_what_was_played() -> None:
    tournament = Tournament(solve_table(Sticks()), LEVELS)
    games = tournament.play(5)
    for _ in range(11):
        next(games)
    assert sum(tally.games for tally in tournament.tallies.values()) == 11
    assert all(tournament.estimate(*pair) for pair in tournament.tallies)
    fresh = Tournament(solve_table(Sticks()), LEVELS)
    assert fresh.estimate("hard", "easy") is None


def test_either_seat_counts_half() -> None:
    tournament = Tournament(solve_table(Sticks()), ("easy", "hard"))
    pair: tuple[Level, Level] = ("hard", "easy")
    tournament.tallies[pair] = Tally(first=3)
    tournament.tallies["easy", "hard"] = Tally(first=1, draw=1)
    score, low, high, games = tournament.estimate(*pair) or Estimate(0, 0, 0, 0)
    assert (score, games) == ((1 + 0.25) / 2, 5)
    assert (low, high) == pytest.approx(interval(score, 4))
    other = tournament.estimate("easy", "hard")
    assert other == pytest.approx((1 - score, 1 - high, 1 - low, 5))


@pytest.mark.parametrize(
    ("win", "draw"), [(0.5, 0.0), (0.2, 0.5), (0.9, 0.05), (0.02, 0.02), (0.99, 0)]
)
def test_intervals_hold_the_true_score_as_often_as_they_say(win: float, draw: float) -> None:
    rng, true = Random(3), win + draw / 2
    held = 0
    for games in range(1, 1_001):
        drawn = [rng.random() for _ in range(games % 20 + 1)]
        points = sum(1.0 if x < win else 0.5 if x < win + draw else 0.0 for x in drawn)
        low, high = interval(points / len(drawn), len(drawn))
        held += low <= true <= high
    assert held >= 0.95 * 1_000
