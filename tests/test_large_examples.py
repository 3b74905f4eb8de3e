"""The examples that no table holds: their rules, their boards, and published facts about them."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import zerosum
from tests.cli.support import run
from tests.game_files import CONNECT_FOUR, DOTS, TERRITORY
from tests.games import after
from zerosum.protocol import Game, Move, refusal
from zerosum.wording.words import words_of

LARGE = (CONNECT_FOUR, TERRITORY, DOTS)


def random_game(game: Game[Any], rng: Random) -> Iterator[tuple[Any, Move | None]]:
    """Yield every position of a random game with the move played there, None at the end."""
    state = game.initial()
    while moves := game.moves(state):
        move = rng.choice(moves)
        yield state, move
        state = game.play(state, move)
    yield state, None


@pytest.mark.parametrize("path", LARGE, ids=lambda path: Path(path).stem)
def test_short_example_is_played_to_the_end_in_the_terminal(path: str, home: Path) -> None:
    assert len(Path(path).read_text().splitlines()) < 100
    game = zerosum.game(path)
    states, moves = zip(*random_game(game, Random(2)), strict=True)
    done = run(home, "play", path, typed="".join(f"{move}\n" for move in moves[:-1]))
    assert done.returncode == 0, done.stderr
    outcome = game.outcome(states[-1])
    assert outcome
    assert outcome.winner is not None
    assert done.stdout.endswith(f"Player {outcome.winner + 1} wins: {outcome.reason}.\n")


def test_full_board_without_four_in_a_row_is_a_draw() -> None:
    game = zerosum.game(CONNECT_FOUR, width=3, height=3)
    state = after(game, 1, 1, 1, 2, 2, 2, 3, 3)
    assert refusal(game, state, 1) == "Column 1 is full."
    assert refusal(game, state, 4) == "Name a column from 1 to 3."
    assert game.outcome(game.play(state, 3)) == (None, "the board is full")


@pytest.mark.parametrize(("width", "height"), [(7, 6), (9, 4), (4, 7)])
def test_four_in_a_row_on_the_drawn_board(width: int, height: int) -> None:
    game = zerosum.game(CONNECT_FOUR, width=width, height=height)
    words, rng = words_of(game), Random(width)
    for _ in range(4):
        for state, move in random_game(game, rng):
            board: Any = words.board(state)
            places = [(row, column) for row in range(height) for column in range(width)]
            lines = [
                [(row + down * step, column + right * step) for step in range(4)]
                for row, column in places
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
            ]
            discs = [{board[r][c] for r, c in line} for line in lines if {*line} <= {*places}]
            four = any(len(disc) == 1 and disc != {""} for disc in discs)
            outcome = game.outcome(state)
            assert four == (outcome is not None and outcome.winner is not None)
            if move is not None:
                row, column = words.cell(state, move) or (-1, -1)
                assert board[row][column] == ""
                drawn: Any = words.board(game.play(state, move))
                assert drawn[row][column] == "●○"[state.player]


def test_connect_four_has_the_published_number_of_positions() -> None:
    """OEIS A212693, by John Tromp: legal positions on the board of 7 by 6 after n moves."""
    game = zerosum.game(CONNECT_FOUR)
    states, counts = {game.initial()}, []
    for _ in range(6):
        counts.append(len(states))
        states = {game.play(state, move) for state in states for move in game.moves(state)}
    assert counts == [1, 7, 49, 238, 1120, 4263]


def test_who_closes_a_box_moves_again() -> None:
    game = zerosum.game(DOTS, width=2, height=1)
    words, names = words_of(game), ("Ada", "Bob")
    state = after(game, "b1", "a2", "d1", "e2", "b3", "d3")
    assert state.player == 0
    closed = game.play(state, "c2")
    assert closed[1:] == (2, 0, 0)
    assert closed.rows == ("•━•━•", "┃■┃■┃", "•━•━•")
    assert words.moved(state, "c2", closed, names) == "Ada plays c2 and closes two boxes.\n"
    assert game.outcome(closed) == (0, "the score is 2 to 0")
    closed = after(game, "b1", "a2", "c2", "b3")
    assert closed[1:] == (0, 1, 1)
    assert refusal(game, closed, "b3") == "That line is drawn."
    assert refusal(game, closed, "b2") == "Name a free line, such as b1."
    drawn = after(game, "b1", "a2", "d1", "c2", "b3", "d3", "e2")
    assert game.outcome(drawn) == (None, "the score is 1 to 1")


def test_territory_grows_side_to_side() -> None:
    game = zerosum.game(TERRITORY, size=5)
    assert len(game.moves(game.initial())) == 25
    state = after(game, "c3", "a1")
    assert game.moves(state) == ("c2", "b3", "d3", "c4")
    assert refusal(game, state, "a1") == "That cell is taken."
    assert refusal(game, state, "b2") == "That cell does not touch one of yours."
    assert refusal(game, state, "f1") == "Name a cell from a1 to e5."
