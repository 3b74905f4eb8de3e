"""Puzzles over several moves, and the puzzle of the day."""

from datetime import date, timedelta
from functools import cache
from typing import Any

import pytest

import zerosum
from tests.solutions import solved
from zerosum.coach.puzzles import (
    DAILY_PLIES,
    Puzzle,
    daily,
    daily_streak,
    praise,
    puzzles,
    refuted,
    respond,
    sources,
)
from zerosum.registry import BUILT_IN, entry_of

FIRST = date(2026, 11, 15)


@cache
def found(name: str) -> tuple[Puzzle[Any], ...]:
    return tuple(puzzle for game in sources(name) for puzzle in puzzles(solved(game)))


def of_day(day: date) -> Puzzle[Any]:
    return daily(day, lambda name: list(found(name)))


@pytest.mark.parametrize("name", BUILT_IN)
def test_best_play_solves_every_puzzle_in_its_length(name: str) -> None:
    for puzzle in found(name)[::7]:
        solution, state, plies = solved(puzzle.game), puzzle.state, 0
        for _ in range(100):
            response = respond(solution, puzzle, state, solution.best(state)[0])
            assert response.right
            state, plies = response.state, plies + 1 + len(response.replies)
            if response.solved:
                break
        assert response.solved
        if puzzle.value.result == "draw":
            assert plies == 1
            continue
        outcome = puzzle.game.outcome(state)
        assert outcome is not None
        assert outcome.winner == puzzle.state.player
        assert plies == puzzle.value.plies


def test_wrong_move_leaves_the_position_as_it_was() -> None:
    puzzle = found("even-steven")[0]
    solution = solved(puzzle.game)
    wrong = next(move for move in puzzle.game.moves(puzzle.state) if move != puzzle.answer)
    response = respond(solution, puzzle, puzzle.state, wrong)
    assert (response.right, response.solved, response.replies) == (False, False, ())
    assert response.state == puzzle.state
    assert refuted(solution, puzzle.state, wrong).startswith("No: ÷2 → 30 loses in ")


def test_slower_win_is_right_but_not_called_best() -> None:
    game = zerosum.game("even-steven", start=50, subtract_two=True)
    solution = solved(game)
    state = game.initial()._replace(number=14)
    puzzle = next(puzzle for puzzle in puzzles(solution) if puzzle.state.player == state.player)
    response = respond(solution, puzzle, state, 1)
    assert response.right
    assert praise(solution, state, response.judgement) == (
        f"It still wins, but later: in {solution.move_value(state, 1).plies} instead of "
        f"{solution.value(state).plies}."
    )
    best = respond(solution, puzzle, state, solution.best(state)[0])
    assert praise(solution, state, best.judgement) == "Right!"


def test_daily_puzzles_take_the_games_in_turn() -> None:
    days = [FIRST + timedelta(n) for n in range(10)]
    names = [entry_of(of_day(day).game).name for day in days]
    assert names == list(BUILT_IN) * 2
    assert len({of_day(day).id for day in days}) == 10
    assert all(of_day(day).value.plies in DAILY_PLIES for day in days)


def test_daily_puzzle_is_the_same_everywhere() -> None:
    days = (FIRST, date(2026, 11, 19), date(2027, 1, 1))
    # As they were published: with other ids, people would not get the same puzzle.
    assert [of_day(day).id for day in days] == [
        "even-steven-6773c6d9",
        "digit-battle-d9d86c9b",
        "dual-digits-e18af6bc",
    ]


def test_streak_counts_days_and_waits_for_today() -> None:
    ids = {f"daily-2026-11-{day}" for day in (10, 13, 14)}
    assert daily_streak(FIRST, ids) == 2
    assert daily_streak(FIRST, ids | {"daily-2026-11-15"}) == 3
    assert daily_streak(FIRST + timedelta(1), ids) == 0
