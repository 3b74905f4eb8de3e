"""What tests of the server share: the server, its visitors, and their streams of news.

The server runs in one of two ways, and both are talked to alike:

- `Inside(db)`: in this process, without a network. Its loop runs in a thread, so that it does
  by itself what a server does by itself. Quick to start; the site is at hand, and so is its
  clock; those who think are in this process too, unless `thinkers=True`.
- `Server(db, home)`: `zerosum web` as a process of its own, which can be stopped, killed and
  started again on the same port.

Both give visitors: `ada = server.visitor()`. A `Visitor` has cookies of their own, as a browser
has. They create and join matches, act, and listen:

    with Inside(db) as server:
        ada, bob = server.pair("even-steven", options={"start": "15"})
        ada.do("move", move="1")
        assert bob.see()["turn"]["yours"]

`do` expects to be successful and gives the view; `act` gives whatever was answered. Every action
has a new key and the ply of the last view that was seen, unless they are given.
"""

from __future__ import annotations

from tests.web.inside import Inside
from tests.web.kept import events_kept, everything_kept, fits, journal, kept
from tests.web.running import Server
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
    "events_kept",
    "everything_kept",
    "fits",
    "journal",
    "kept",
    "new_key",
]
