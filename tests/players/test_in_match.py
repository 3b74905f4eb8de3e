"""A program in a match plays the same move at the same point, in every process."""

import pytest

import zerosum
from tests.games import Claims, Square, after
from zerosum.errors import Unknown, UnknownLevel
from zerosum.limits import Limits
from zerosum.players.levels import (
    LEVELS,
    SEARCHING,
    accepts_draw,
    choose_move,
    levels_at,
    prepare,
)
from zerosum.solver.solution import Solution


def test_only_a_winning_program_declines_a_draw() -> None:
    game = zerosum.game("even-steven", start=15)
    solution = zerosum.solve(game)
    lost, won = game.initial(), game.play(game.initial(), 1)
    assert not accepts_draw(solution, "hard", lost)  # the player to move is losing
    assert accepts_draw(solution, "hard", won)
    assert accepts_draw(solution, "random", lost)


def test_a_program_that_does_not_know_declines_a_draw_when_it_expects_to_win() -> None:
    game = Claims()
    solution = Solution(game, Limits(100))
    assert accepts_draw(solution, "medium", game.initial())
    state = after(game, "b1", "a5", "c1")  # with d1 or a1, whoever moved first wins
    assert not accepts_draw(solution, "medium", state)
    assert not accepts_draw(solution, "hard", state)
    assert accepts_draw(solution, "random", state)
    with pytest.raises(Unknown, match="The strongest level is hard"):
        accepts_draw(solution, "perfect", state)


def test_perfect_is_offered_only_where_play_is_proved() -> None:
    game = Claims()
    solution = Solution(game, Limits(100))
    state = game.initial()
    assert levels_at(solution, state) == ("random", "easy", "medium", "hard")
    for level in SEARCHING:
        prepare(solution, level, state)
    refusal = "Claims has more than 100 positions, the limit for a table. The strongest level is"
    with pytest.raises(Unknown, match=refusal):
        prepare(solution, "perfect", state)
    with pytest.raises(Unknown, match=refusal):
        choose_move(solution, "perfect", state, "1")
    # Two cells are left; c5 wins.
    cells = "xoxox oxoxo xoxox oxoxo oo--x".replace(" ", "").replace("-", " ")
    late = Square(tuple(cell.strip() for cell in cells), 1)
    assert levels_at(solution, late) == LEVELS
    prepare(solution, "perfect", late)
    assert choose_move(solution, "perfect", late, "1") == "c5"
    with pytest.raises(UnknownLevel):
        prepare(solution, "great", late)
