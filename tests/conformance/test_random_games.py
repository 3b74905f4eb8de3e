"""Random small games, with draws, loops, extra turns, text moves and odd states: kit and records.

What is found out about them is compared with brute force elsewhere: values in tests/solver, levels
in tests/players, reviews in tests/coach.
"""

from __future__ import annotations

import json
from typing import Any
from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.graphs import Graph, Mirrored, graphs, mirrored
from zerosum import testing
from zerosum.match import Match
from zerosum.states import read_state


@settings(max_examples=40)
@given(graphs() | mirrored())
def test_any_game_passes_the_kit(game: Graph | Mirrored) -> None:
    with mock.patch.multiple(testing, RANDOM_GAMES=1, LONGEST_GAME=20):
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
