"""Replaying a match from known states, without the rules."""

from __future__ import annotations

from typing import Any

import pytest

from tests.store.support import (
    ONE,
    Stores,
    begin,
    even,
    write,
)
from zerosum.errors import Unreadable
from zerosum.match import Event, Match
from zerosum.registry import Entry, find
from zerosum.store.replay import replay, variant_of


def test_match_is_replayed_from_known_states_without_asking_the_rules(stores: Stores) -> None:
    store, match = stores(), even(3, games=2)
    events = (ONE, Event("undo"), ONE, ONE, ONE, ONE)
    results: list[tuple[Any, Any]] = [(match.state, None)]
    for event in events:
        match = match.apply(event)
        if event.kind == "move":
            results.append((match.state, match.game.outcome(match.state)))
    assert write(store, [begin("aaaaaa", even(3, games=2))._replace(match=match, events=events)])
    rows = store.server.rows("aaaaaa")
    assert rows is not None
    assert rows.events == list(events)
    entry = find("even-steven")

    class Silent(entry.game):  # type: ignore[misc, name-defined]
        def play(self, state: Any, move: Any) -> Any:
            raise AssertionError

        initial = moves = objection = outcome = play

    silent = Entry("even-steven", Silent)
    replayed = replay(rows.row, rows.events, silent, results).match
    assert replayed.rounds == match.rounds
    assert (replayed.score, replayed.over) == (match.score, match.over)
    assert variant_of(rows.row, entry) == match.game
    with pytest.raises(Unreadable, match="cannot be replayed"):
        replay(rows.row, rows.events, silent, results[:-1])


def test_missing_live_match_has_no_rows(stores: Stores) -> None:
    assert stores().server.rows("aaaaaa") is None


def test_played_match_equals_the_one_that_calls_the_rules() -> None:
    match: Match[Any] = even(2)
    after = match.game.play(match.state, 1)
    assert match.played(1, after, match.game.outcome(after)) == match.play(1)
