"""Puzzles over several moves, and the puzzle of the day."""

from datetime import date, timedelta
from functools import cache
from typing import Any

import pytest

import zerosum
from tests.solutions import solved
from zerosum.coach.puzzles import (
    DAILY_PLIES,
    GRADES,
    Grade,
    Puzzle,
    daily,
    daily_streak,
    game_of_day,
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


def of_day(day: date, grade: Grade = "medium") -> Puzzle[Any]:
    return daily(day, lambda name: list(found(name)), grade)


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


@pytest.mark.parametrize("grade", GRADES)
def test_daily_puzzles_take_the_games_in_turn(grade: Grade) -> None:
    days = [FIRST + timedelta(n) for n in range(10)]
    asked = [of_day(day, grade) for day in days]
    assert [entry_of(puzzle.game).name for puzzle in asked] == list(BUILT_IN) * 2
    assert [game_of_day(day) for day in days] == list(BUILT_IN) * 2
    assert len({puzzle.id for puzzle in asked}) == 10
    for puzzle in asked:
        assert puzzle.grade == grade
        assert puzzle.value.result == "win"
        assert (puzzle.value.plies or 0) in range(1, DAILY_PLIES + 1)


def test_daily_puzzle_is_the_same_everywhere() -> None:
    days = (FIRST, date(2026, 11, 19), date(2027, 1, 1))
    # As they were published: with other ids, people would not get the same puzzle.
    assert [[of_day(day, grade).id for grade in GRADES] for day in days] == [
        ["even-steven-6ea741d7", "even-steven-a8311485", "even-steven-03fd3c2b"],
        ["digit-battle-6ca22f3e", "digit-battle-3a038fae", "digit-battle-2ade6c99"],
        ["dual-digits-afd9c1eb", "dual-digits-75680d42", "dual-digits-387d436f"],
    ]


def test_streak_counts_days_and_waits_for_today() -> None:
    ids = {f"daily-2026-11-{day}" for day in ("10-easy", "13", "14-medium", "14-hard")}
    assert daily_streak(FIRST, ids) == 2
    assert daily_streak(FIRST, ids | {"daily-2026-11-15-hard"}) == 3
    assert daily_streak(FIRST + timedelta(1), ids) == 0
