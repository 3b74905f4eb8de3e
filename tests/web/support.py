"""Helpers for the tests of the server: the server, its visitors, and their streams of news.

The server runs in one of two ways, and both are talked to alike:

- `Inside(db)`: in this process, without a network. Its loop runs in a thread, so that it does
  by itself what a server does by itself. Quick to start; the site is at hand, and so is its
  clock; those who think are in this process too, unless `processes=True`. In a `Frozen(db)`,
  time passes only on command.
- `Server(db, home)`: `zerosum web` as its own process, which can be stopped, killed and
  started again on the same port.

Both create visitors: `ada = server.visitor()`. A `Visitor` has its own cookies, like a browser.
Visitors create and join matches, act, and listen:

    with Inside(db) as server:
        ada, bob = server.pair("even-steven", options={"start": "15"})
        ada.do("move", move="1")
        assert bob.see()["turn"]["yours"]

`do` expects success and returns the view; `act` returns any answer. Every action has a new key
and the ply of the last view, unless the test passes others. `visitor.at(server)` is the same
person at another server. What is stored can be read beside the server.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.store.support import Live, open_both
from tests.web.inside import Frozen, Inside
from tests.web.running import Server
from tests.web.visitors import View, Visitor, new_key, pair_on
from zerosum.match import Event, Match

__all__ = [
    "Frozen",
    "Inside",
    "Server",
    "View",
    "Visitor",
    "all_rows",
    "fits",
    "journal",
    "live_match",
    "new_key",
    "pair_on",
    "saved_events",
]


@contextmanager
def journal(db: str | Path) -> Iterator[Any]:
    """Open the store for reading, beside the server."""
    store = open_both(db, write=False)
    try:
        yield store
    finally:
        store.close()


def live_match(db: str | Path, id: str, game: str | None = None) -> Live:  # noqa: A002
    """Return the stored match; a game in a file is named by its path."""
    with journal(db) as store:
        live: Live = store.live(id, game)
    return live


def saved_events(db: str | Path, id: str) -> list[Event]:  # noqa: A002
    """Return the journal of a match."""
    with journal(db) as store:
        rows = store.database.rows("select kind, move from events where match = ? order by seq", id)
    return [Event(kind, None if move is None else json.loads(move)) for kind, move in rows]


def all_rows(db: str | Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of the store except heartbeats, to check that nothing changed."""
    tables = ("matches", "events", "results", "live", "keys", "meta")
    with journal(db) as store:
        every = {name: store.database.rows(f"select * from {name}") for name in tables}
    rows = {name: sorted(found, key=repr) for name, found in every.items()}
    rows["meta"] = [row for row in rows["meta"] if row[0] not in ("beat", "clock")]
    return rows


def fits(view: View, match: Match[Any]) -> None:
    """Check that a view shows the current match."""
    assert [player["name"] for player in view["players"]] == list(match.players)
    assert view["over"] == match.over
    assert view["series"] == {
        "games": match.games,
        "game": match.number,
        "score": list(match.score),
    }
    assert [player["score"] for player in view["players"]] == list(match.score)
    end = match.round.end
    assert (view["ended"] is None) == (end is None)
    if end is not None:
        shown = view["ended"]
        assert (shown["by"], shown["winner"], shown["reason"]) == (end.by, end.winner, end.reason)
    if view["turn"] is not None:
        assert view["turn"]["player"] == match.mover
        legal = [choice["move"] for choice in view["moves"] if choice["legal"]]
        assert legal == [str(move) for move in match.game.moves(match.state)][: len(legal)]
    listed = [(move["ply"], move["move"]) for move in view["last"]]
    made = [(ply, str(move)) for ply, move in enumerate(match.round.moves, 1)]
    assert listed == made[len(made) - len(listed) :]
    assert len(listed) >= min(len(made), 20)
