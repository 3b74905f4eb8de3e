"""Helpers for the tests of the server: the server, its visitors, and their streams of news.

The server runs in one of two ways, and both are talked to alike:

- `Inside(db)`: in this process, without a network. Its loop runs in a thread, so that it does
  by itself what a server does by itself. Quick to start; the site is at hand, and so is its
  clock; those who think are in this process too, unless `processes=True`.
- `Server(db, home)`: `zerosum web` as its own process, which can be stopped, killed and
  started again on the same port.

Both create visitors: `ada = server.visitor()`. A `Visitor` has its own cookies, like a browser.
Visitors create and join matches, act, and listen:

    with Inside(db) as server:
        ada, bob = server.pair("even-steven", options={"start": "15"})
        ada.do("move", move="1")
        assert bob.see()["turn"]["yours"]

`do` expects success and returns the view; `act` returns any answer. Every action has a new key
and the ply of the last view, unless the test passes others.
"""

from __future__ import annotations

from tests.web.inside import Inside
from tests.web.running import Server
from tests.web.saved import all_rows, fits, journal, live_match, saved_events
from tests.web.visitors import FREELY, News, Parser, Stream, View, Visitor, new_key

__all__ = [
    "FREELY",
    "Inside",
    "News",
    "Parser",
    "Server",
    "Stream",
    "View",
    "Visitor",
    "all_rows",
    "fits",
    "journal",
    "live_match",
    "new_key",
    "saved_events",
]
