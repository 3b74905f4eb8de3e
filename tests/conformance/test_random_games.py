"""Random small games, with draws, loops, extra turns, text moves and odd states: kit and records.

What is found out about them is compared with brute force elsewhere: values in tests/solver, levels
in tests/players, reviews in tests/coach.
"""

from __future__ import annotations

import json
from contextlib import nullcontext
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import Graph, Mirrored, graphs, mirrored
from zerosum import testing
from zerosum.errors import Nonconforming
from zerosum.match import Match
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


@given(graphs(), st.data())
def test_json_round_trip_of_any_game(game: Graph, data: st.DataObject) -> None:
    match: Match[Any] = Match.new(game, first=data.draw(st.integers(0, 1)), games=3)
    for _ in range(data.draw(st.integers(0, 20))):
        if match.over:
            break
        if match.round.end is not None:
            match = match.next_game()
        elif data.draw(st.integers(0, 9)):
            match = match.play(data.draw(st.sampled_from(game.moves(match.state))))
        else:
            match = data.draw(st.sampled_from((Match.resign, Match.agree_draw, Match.endless)))(
                match
            )
        again = Match.from_json(match.to_json(), type(game))
        assert again == match
        assert again.score == match.score
        assert sum(match.score) == sum(played.end is not None for played in match.rounds)
        state = read_state(game, json.loads(json.dumps(match.state)))
        assert state == match.state
        assert type(state) is type(match.state)
