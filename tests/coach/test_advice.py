"""The coach's advice on a position, against an independent solver."""

from typing import Any

import pytest
from hypothesis import given

import zerosum
from tests.game_files import NOUGHTS, PASS
from tests.graphs import Graph, graphs
from tests.naive import Naive
from tests.players.test_levels import positions
from tests.solutions import solved
from zerosum.coach.advice import Coach
from zerosum.coach.puzzles import puzzles, sources
from zerosum.protocol import Game
from zerosum.solver import solve_table
from zerosum.solver.solution import Solution
from zerosum.solver.theory import theory_of

SMALL: list[tuple[str, dict[str, Any]]] = [
    ("even-steven", {"start": 20, "subtract_two": True}),
    ("divisor-duel", {"start": 40}),
    ("dual-digits", {"start": 20, "numbers": (1, 3, 6)}),
    ("number-navigator", {"start": 9}),
    ("digit-battle", {"lives": 2}),
    (PASS, {"heaps": (1, 2, 3)}),
]


@pytest.mark.parametrize(("name", "options"), SMALL)
def test_advice_on_built_in_games_is_true(name: str, options: dict[str, Any]) -> None:
    game = zerosum.game(name, **options)
    check_advice(Coach(zerosum.solve(game)), Naive(game))


@given(graphs())
def test_advice_on_random_games_is_true(game: Graph) -> None:
    check_advice(Coach(solve_table(game)), Naive(game))


def check_advice(coach: Coach[Any], naive: Naive) -> None:
    game: Game[Any] = coach.game
    for state, (result, plies, endless) in naive.values.items():
        lines = coach.why(state)
        if game.outcome(state) is not None:
            assert lines == ["The game is over."] == [coach.hint(state)]
            continue
        if (result, plies) == ("loss", 1):
            assert lines[0] == "Every move loses."
        elif result == "draw":
            assert lines[0].endswith("go on forever." if endless else "is a draw.")
        else:
            moves = f"in {plies} {'move' if plies == 1 else 'moves'}"
            start = {"win": "You can force a win", "loss": "You lose"}[result]
            assert lines[0].startswith(f"{start} {moves}")
        assert all(line.endswith((".", "!")) for line in lines)
        assert theory_of(game) is None or len(lines) == 3
        best = coach.best(state)
        assert best in coach.solution.best(state)
        assert f" {coach.phrases.named(state, best)}." in coach.hint(state)
        assert naive.moves(state)[best].result == result


@given(positions())
def test_hint_is_a_best_move_at_any_size(position: tuple[Solution[Any], Any]) -> None:
    solution, state = position
    coach = Coach(solution)
    best = coach.best(state)
    assert best in solution.best(state)
    assert f" {coach.phrases.named(state, best)}." in coach.hint(state)


@pytest.mark.parametrize(
    ("start", "hint"), [(13, "Your only move is 1 (−1 → 12)."), (10, "Play 5 (−5 → 5).")]
)
def test_hint_says_how_much_the_choice_matters(start: int, hint: str) -> None:
    game = zerosum.game("divisor-duel", start=start)
    assert Coach(zerosum.solve(game)).hint(game.initial()) == hint


@pytest.mark.parametrize(
    ("name", "options", "hint"),
    [
        (
            "digit-battle",
            {},
            "Every move draws. Try 1 (+1 → 1). +6 and +8 let your opponent reach 15 at once.",
        ),
        (
            NOUGHTS,
            {},
            "Every move draws. Try b2. Against a medium opponent, the perfect level wins 51% of "
            "games after b2; 49% after a2, b1, b3 or c2; 46% after a1, a3, c1 or c3.",
        ),
    ],
)
def test_hint_tells_moves_of_equal_value_apart(name: str, options: Any, hint: str) -> None:
    game = zerosum.game(name, **options)
    coach = Coach(solved(game))
    assert coach.hint(game.initial()) == hint


def test_coach_lists_the_chance_of_every_move_unless_the_position_is_won() -> None:
    game = zerosum.game("dual-digits")
    coach, state = Coach(zerosum.solve(game)), game.initial()
    assert coach.moves(state)[0] == ("- 1 (−1 → 24): loss in 10, 60% chance against medium")
    assert coach.moves(state)[-1].startswith("% = your chance of beating a medium player")
    won = game.play(state, 1)
    assert coach.chances(won) == {}
    assert coach.moves(won) == [
        "- 2 (−2 → 22): loss in 10",
        "- 3 (−3 → 21): loss in 10",
        "+ 4 (−4 → 20): win in 9, best",
    ]


def test_lines_are_as_long_as_the_value_and_unknown_lengths_are_not_claimed() -> None:
    solution = zerosum.solve(zerosum.game("divisor-duel", start=99_999))
    state = solution.game.initial()
    assert len(solution.line(state)) == solution.value(state).plies == 76
    coach = Coach(zerosum.solve(zerosum.game("divisor-duel", start=945 * 107)))
    state = coach.game.initial()
    assert coach.standing(state) == "You lose if your opponent plays well."
    assert coach.reasons(state)[1].startswith("For example: you play −1 → ")
    assert coach.hint(state).startswith("Every move loses. Try ")


@pytest.mark.parametrize("name", zerosum.games())
def test_puzzles_have_exactly_one_answer(name: str) -> None:
    for game in sources(name):
        naive = Naive(game)
        for puzzle in puzzles(solved(game)):
            state = puzzle.state
            assert naive.values[state] == puzzle.value
            assert puzzle.value.result != "loss"
            values = naive.moves(state)
            keeping = [m for m, value in values.items() if value.result == puzzle.value.result]
            assert keeping == [puzzle.answer]
            assert puzzle.missed["random"] == pytest.approx(1 - 1 / len(values))
