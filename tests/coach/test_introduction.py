"""Lessons for newcomers: true, few, with one good move each; and the seat of a first game."""

from typing import Any

import pytest
from hypothesis import given

import zerosum
from tests.game_files import NOUGHTS, PASS, STICK
from tests.graphs import Graph, graphs
from tests.naive import Naive
from zerosum.coach.advice import Coach
from zerosum.coach.introduction import correction, introduction, why_second
from zerosum.solver import solve_table

GAMES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in zerosum.games() if name != "digit-battle"),
    ("digit-battle", {"lives": 3}),
    (NOUGHTS, {}),
    (PASS, {}),
    (STICK, {}),
]


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_every_game_has_three_lessons_with_one_good_move(
    name: str, options: dict[str, Any]
) -> None:
    game = zerosum.game(name, **options)
    coach = Coach(zerosum.solve(game))
    lessons = introduction(coach)
    assert len(lessons) == 3
    assert lessons == introduction(Coach(zerosum.solve(game)))
    assert len({lesson.state for lesson in lessons}) == 3
    check_lessons(coach, Naive(game))


@given(graphs())
def test_lessons_of_any_game_are_true(game: Graph) -> None:
    check_lessons(Coach(solve_table(game)), Naive(game))


def check_lessons(coach: Coach[Any], naive: Naive) -> None:
    for lesson in introduction(coach):
        moves = naive.moves(lesson.state)
        assert naive.values[lesson.state] == lesson.value
        keep = [move for move, value in moves.items() if value.result == lesson.value.result]
        assert keep == [lesson.answer] != list(moves)
        for move in set(moves) - {lesson.answer}:
            assert correction(coach, lesson, move).endswith("Try again.")
        assert lesson.task.endswith(".")
        assert lesson.reason.endswith((".", "!"))


@pytest.mark.parametrize(
    ("name", "options"),
    [("even-steven", {"start": 2}), ("divisor-duel", {"start": 10**40})],
)
def test_games_without_choices_or_with_huge_numbers_have_no_lessons(
    name: str, options: dict[str, Any]
) -> None:
    assert introduction(Coach(zerosum.solve(zerosum.game(name, **options)))) == ()


@pytest.mark.parametrize(
    ("name", "seat"),
    [("even-steven", 1), ("dual-digits", 1), ("divisor-duel", 0), (NOUGHTS, 0)],
)
def test_newcomer_gets_the_seat_that_can_win(name: str, seat: int) -> None:
    solution = zerosum.solve(zerosum.game(name))
    assert why_second(solution) == (
        "From this start, whoever moves second can win, so the computer begins." if seat else ""
    )
