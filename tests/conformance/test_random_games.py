"""Random small games, with draws, loops, extra turns, text moves and odd states: the kit.

What is found out about them is compared with brute force elsewhere: values in tests/solver, levels
in tests/players, reviews in tests/coach.
"""

import json
from contextlib import nullcontext
from typing import Any
from unittest import mock

import pytest
from hypothesis import given

from tests.graphs import Graph, Mirrored, graphs, mirrored
from zerosum import testing
from zerosum.errors import Nonconforming
from zerosum.protocol import Game
from zerosum.states import read_state, walk


def fault_of(game: Game[Any]) -> str:
    """Return what is wrong with a random game: it may never end, or one player never moves."""
    states = list(walk(game))
    over = [state for state in states if game.outcome(state)]
    if not over:
        return "it can never end"
    alone = not any(state.player for state in states)
    return "the second player never has a turn" if alone and len(states) > len(over) + 1 else ""


@given(graphs() | mirrored())
def test_the_kit_finds_no_fault_but_the_one_there_is(game: Graph | Mirrored) -> None:
    fault = fault_of(game)
    expected = pytest.raises(Nonconforming, match=fault) if fault else nullcontext()
    with mock.patch.multiple(testing, RANDOM_GAMES=1, LONGEST_GAME=20), expected:
        assert testing.check_game(game) > 0


@given(graphs())
def test_json_round_trip_of_any_state(game: Graph) -> None:
    for state in walk(game):
        again = read_state(game, json.loads(json.dumps(state)))
        assert (again, type(again)) == (state, type(state))
