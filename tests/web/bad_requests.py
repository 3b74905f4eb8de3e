"""Bad requests of every kind, and the code with which each has to be refused."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

KEY = "k" * 22
MOVE = {"key": KEY, "ply": 2, "action": "move", "move": "1"}
NEW = {"key": KEY, "game": "even-steven"}
JSON = {"content-type": "application/json"}
FORM = {"content-type": "application/x-www-form-urlencoded"}
ELSEWHERE = {"origin": "https://elsewhere.example"}
LONG = "9" * 5000
VAST = {"limit": "1000000", "lives": "1000"}


class Bad(NamedTuple):
    """One bad request: what it is, where it goes, and what it must be answered with.

    In a path, {live} is a match between Ada and Bob at ply 2 with Ada to move, {private} one that
    nobody else may see, {waiting} one with an open seat, {over} one that is over, {alone} one of
    Ada's against a program, {series} one whose first game of three is over.
    """

    what: str
    code: str
    path: str
    body: Any = None
    by: str = "ada"
    headers: dict[str, str] = {}  # noqa: RUF012
    content: bytes | str | None = None
    method: str = ""


def act(what: str, code: str, by: str = "ada", at: str = "live", **changes: Any) -> Bad:
    """A bad action: MOVE with changes; a field that becomes ... is left out."""
    body = {name: value for name, value in {**MOVE, **changes}.items() if value is not ...}
    return Bad(what, code, f"/m/{{{at}}}/actions", body, by)


def new(what: str, code: str = "invalid", **changes: Any) -> Bad:
    """A bad wish for a new match."""
    body = {name: value for name, value in {**NEW, **changes}.items() if value is not ...}
    return Bad(what, code, "/m", body, "nobody")


def raw(what: str, code: str, content: bytes | str, headers: dict[str, str] = JSON) -> Bad:
    """A bad body, byte by byte."""
    return Bad(what, code, "/m/{live}/actions", content=content, headers=headers)


def plain(kind: str, what: str, code: str = "not_now", at: str = "live", by: str = "ada") -> Bad:
    """An action that needs nothing, at the wrong moment; plies: see the matches below."""
    plies = {"live": 2, "private": 0, "waiting": 0, "over": 3, "alone": 0, "series": 1}
    return act(what, code, by, at, action=kind, move=..., ply=plies[at])


ACTIONS = [
    act("a ply that is over", "stale", ply=1),
    act("a ply that is still to come", "stale", ply=3),
    act("a move of the other player's turn", "not_your_turn", by="bob"),
    act("a move that the rules forbid", "illegal_move", move="7"),
    act("a move below nothing", "illegal_move", move="-1"),
    act("a long move", "illegal_move", move="9" * 40),
    act("a move that is too long", "unreadable_move", move="9" * 42),
    act("a move in letters", "unreadable_move", move="one"),
    act("no move at all", "unreadable_move", move=""),
    act("a fraction for a move", "invalid", move=1.5),
    act("a flag for a move", "invalid", move=True),
    act("nothing for a move", "invalid", move=None),
    act("a list for a move", "invalid", move=["1"]),
    act("a move that is missing", "invalid", move=...),
    act("half a letter for a move", "unreadable_move", move="\ud800"),
    act("an action that there is not", "invalid", action="cheat"),
    act("a number for an action", "invalid", action=7),
    act("no action", "invalid", action=...),
    act("no ply", "invalid", ply=...),
    act("a ply below nothing", "invalid", ply=-1),
    act("a ply that is not a number", "invalid", ply="soon"),
    act("a ply of half a move", "invalid", ply=1.5),
    act("a huge ply", "invalid", ply=10**30),
    act("no key", "invalid", key=...),
    act("a short key", "invalid", key="k" * 15),
    act("a long key", "invalid", key="k" * 65),
    act("a key with a space", "invalid", key="k" * 15 + " k"),
    act("a key that is not text", "invalid", key=7),
    act("a field that there is not", "invalid", moves="1"),
    act("a field that another action has", "invalid", want="on"),
    Bad("half a letter for a field", "invalid", "/m/{live}/actions", {**MOVE, "\ud800": 1}),
    act("a key that was used for something else", "key_reused", key="used-for-a-move-of-adas"),
    act("an offer that there is not", "invalid", action="decline", move=..., offer="coffee"),
    act("declining what nobody offers", "not_now", action="decline", move=..., offer="draw"),
    act("a wish that there is not", "invalid", action="coach", move=..., want="much"),
    act("a coach without a wish", "invalid", action="coach", move=...),
    plain("next", "the next game while this one is played"),
    plain("rematch", "a rematch while the match is played"),
    plain("undo", "an undo with no move of one's own to take back", at="alone"),
    plain("resign", "resigning when all is over", at="over"),
    plain("draw", "calling off when all is over", at="over"),
    plain("undo", "taking back when all is over", at="over"),
    plain("next", "the next game of a match that is over", at="over"),
    plain("rematch", "a rematch in the middle of a series", at="series"),
    plain("resign", "resigning between two games", at="series"),
    plain("resign", "resigning before anybody has come", at="waiting"),
    plain("draw", "calling off before anybody has come", at="waiting"),
    act("moving before anybody has come", "not_now", at="waiting", ply=0),
    act("moving when all is over", "not_now", at="over", ply=3),
    act("moving for a program", "not_your_turn", at="bots_turn", ply=0),
]

SEATS = [
    act("a move without a seat", "no_seat", by="nobody"),
    act("a move with a seat of another match", "no_seat", by="eve"),
    act("a move with a forged seat", "no_seat", by="forger"),
    act("a move with a cookie that is not a token", "no_seat", by="clown"),
    act("a move with a link, at the open seat", "no_seat", at="waiting", by="eve", ply=0),
    act("a move at somebody's private match", "no_seat", at="private", by="eve", ply=0),
    act("a stale move by a stranger", "no_seat", at="private", by="eve", ply=77),
    act("the program's seat", "no_seat", at="alone", by="bob", ply=0),
    plain("resign", "resigning for somebody else", "no_seat", by="eve"),
    plain("coach", "a coach for others", "invalid", by="eve"),
    Bad("a seat that is taken", "seat_taken", "/m/{live}/join", {"key": KEY, "name": "Eve"}, "eve"),
    Bad("a seat at one's own match", "seat_taken", "/m/{waiting}/join", {"key": KEY}, "ada"),
    Bad("a seat at a private match", "seat_taken", "/m/{private}/join", {"key": KEY}, "eve"),
    Bad("a seat against oneself", "seat_taken", "/m/{alone}/join", {"key": KEY}, "eve"),
    Bad("somebody's name", "invalid", "/m/{waiting}/join", {"key": KEY, "name": "ada"}, "eve"),
    Bad("no name", "invalid", "/m/{waiting}/join", {"key": KEY, "name": "  "}, "eve"),
    Bad("a long name", "invalid", "/m/{waiting}/join", {"key": KEY, "name": "E" * 41}, "eve"),
    Bad("a name that rings", "invalid", "/m/{waiting}/join", {"key": KEY, "name": "\a"}, "eve"),
    Bad("half a name", "invalid", "/m/{waiting}/join", {"key": KEY, "name": "E\udc00"}, "eve"),
    Bad("a name that is a number", "invalid", "/m/{waiting}/join", {"key": KEY, "name": 7}, "eve"),
    Bad("joining without a key", "invalid", "/m/{waiting}/join", {"name": "Eve"}, "eve"),
    Bad("joining as one wants", "invalid", "/m/{waiting}/join", {"key": KEY, "seat": 0}, "eve"),
    Bad(
        "joining in another name", "key_reused", "/m/{live}/join", {"key": "bobs-way-to-the-seat-1"}
    ),
]

READING = [
    Bad("a private match", "private", "/m/{private}/state", by="eve"),
    Bad("the page of a private match", "private", "/m/{private}", by="eve"),
    Bad("the stream of a private match", "private", "/m/{private}/events", by="eve"),
    Bad("the picture of a private match", "private", "/m/{private}/qr.svg", by="eve"),
    Bad("the rematch of a private match", "private", "/m/{private}/next", by="eve"),
    Bad("the coach of a private match", "private", "/m/{private}/coach", by="eve"),
    Bad("the review of a private match", "private", "/m/{private}/review.json", by="eve"),
    Bad("somebody's match with a program", "private", "/m/{alone}/state", by="bob"),
    Bad("a forged look", "private", "/m/{private}/state", by="forger"),
    Bad("the coach of a live match", "coach_not_agreed", "/m/{live}/coach"),
    Bad("the coach of others", "coach_not_agreed", "/m/{live}/coach", by="eve"),
    Bad("the coach before anybody has come", "coach_not_agreed", "/m/{waiting}/coach"),
    Bad("the coach between two games", "coach_not_agreed", "/m/{series}/coach"),
    Bad("the coach when all is over", "not_now", "/m/{over}/coach"),
    Bad("the coach of a ply that is over", "stale", "/m/{alone}/coach?ply=7"),
    Bad("the review of a live match", "coach_not_agreed", "/m/{live}/review.json"),
    Bad("the page of that review", "coach_not_agreed", "/m/{live}/review"),
    Bad("the review of a game in a series", "coach_not_agreed", "/m/{series}/review.json?game=0"),
    Bad("the review of a game against a program", "not_now", "/m/{alone}/review.json"),
    Bad("the review of a game that was not", "invalid", "/m/{over}/review.json?game=1"),
    Bad("the review of no game", "invalid", "/m/{over}/review.json?game=x"),
    Bad("a fork of a live match", "coach_not_agreed", "/m/{live}/fork", {"key": KEY, "ply": 0}),
    Bad("a fork in a series", "coach_not_agreed", "/m/{series}/fork", {"key": KEY, "ply": 0}),
    Bad("a fork of a private match", "private", "/m/{private}/fork", {"key": KEY}, "eve"),
    Bad("a fork after the end", "invalid", "/m/{over}/fork", {"key": KEY, "ply": 3}),
    Bad("a fork beyond the end", "invalid", "/m/{over}/fork", {"key": KEY, "ply": 4}),
    Bad("a fork of another game", "invalid", "/m/{over}/fork", {"key": KEY, "game": 1, "ply": 0}),
    Bad("a fork with no level", "invalid", "/m/{over}/fork", {"key": KEY, "level": "god"}),
    Bad("a rematch that does not exist", "not_now", "/m/{over}/next"),
    Bad("a match that there is not", "no_match", f"/m/{'z' * 26}/state"),
    Bad("its page", "no_match", f"/m/{'z' * 26}"),
    Bad("a move in it", "no_match", f"/m/{'z' * 26}/actions", MOVE),
    Bad("a seat in it", "no_match", f"/m/{'z' * 26}/join", {"key": KEY}),
    Bad("a match with a short name", "no_match", "/m/abc/state"),
    Bad("a match with an odd name", "no_page", "/m/..%2f..%2fetc/state"),
    Bad("a page that there is not", "no_page", "/admin"),
    Bad("a page below a match", "no_page", "/m/{live}/holders"),
    Bad("a file that is not ours", "no_page", "/static/..%2f..%2fapp.py"),
    Bad("a game that there is not", "no_game", "/new/chess"),
    Bad("a game by its path", "no_game", "/api/games/rules.py/theory"),
    Bad("a position of no game", "no_game", "/api/games/chess/position"),
    Bad("an impossible position", "invalid", "/api/games/even-steven/position?state=[1]"),
    Bad("a state that is not a list", "invalid", "/api/games/even-steven/position?state=7"),
    Bad("a state that is not JSON", "malformed", "/api/games/even-steven/position?state=[7"),
    Bad("options that are none", "invalid", "/api/games/even-steven/position?options=[]"),
    Bad("an unknown option", "invalid", '/api/games/even-steven/theory?options={"x":1}'),
    Bad("a puzzle of no game", "no_game", "/api/puzzle?game=chess"),
    Bad("a puzzle of no grade", "invalid", "/api/puzzle?grade=silly"),
    Bad("an answer to no puzzle", "invalid", "/api/puzzle", {"id": "x", "move": "1"}),
    Bad("an incomplete answer", "invalid", "/api/puzzle", {"id": "x"}),
    Bad("an answer that gives up, too", "invalid", "/api/puzzle", {"id": "x", "give_up": 1}),
]

BODIES = [
    raw("JSON that breaks off", "malformed", '{"key": "'),
    raw("nothing", "malformed", b""),
    raw("bytes that are no text", "malformed", b'{"key": "\xff\xfe"}'),
    raw("a list", "malformed", "[]"),
    raw("a text", "malformed", '"move"'),
    raw("nothing, in JSON", "malformed", "null"),
    raw("what JSON has no word for", "malformed", '{"ply": NaN}'),
    raw("a number without end", "malformed", f'{{"ply": {LONG}}}'),
    raw("a deep pit", "malformed", "[" * 16_000),
    *(
        raw(f"a pit of depth {depth}", "malformed", '{"key":' + "[" * depth + "]" * depth + "}")
        for depth in (10, 100, 900, 985, 990, 995, 7000)
    ),
    raw("no type", "media_type", json.dumps(MOVE), {}),
    raw("a type of its own", "media_type", json.dumps(MOVE), {"content-type": "text/plain"}),
    raw("a file", "media_type", b"--x--", {"content-type": "multipart/form-data; boundary=x"}),
    raw("too much", "too_large", json.dumps({**MOVE, "x": "x" * 20_000})),
    raw("something packed", "media_type", b"x", {**JSON, "content-encoding": "gzip"}),
    raw("a form that is not text", "malformed", b"key=%ff&ply=2", FORM),
    raw("a form with too many fields", "malformed", "&".join(["x=1"] * 101), FORM),
    raw("a form with a field too many", "invalid", "key=x&hero=1", FORM),
]

CREATING = [
    new("no game", game=...),
    new("a game that there is not", "no_game", game="chess"),
    new("a game by its path", "no_game", game="/etc/passwd"),
    new("half a letter for a game", "no_game", game="\ud800"),
    new("a game that is not text", game=["even-steven"]),
    new("no key", key=...),
    new("a key that another match has", "key_reused", key="ada-makes-a-live-match"),
    new("a mode that there is not", mode="chess"),
    new("a level that there is not", level="god"),
    new("three players", names=["Ada", "Bob", "Cleo"]),
    new("a name that is not text", names=[7]),
    new("names that are no list", names="Ada"),
    new("the same name twice", names=["Ada", "ada"], mode="here"),
    new("a name of blanks", names=["  "]),
    new("half a name", names=["\ud800"]),
    new("nobody begins", first="3"),
    new("no games", games=0),
    new("too many games", games=100),
    new("half a game", games=1.5),
    new("no time", clock=0),
    Bad(
        "endless time",
        "invalid",
        "/m",
        None,
        "nobody",
        JSON,
        json.dumps(NEW)[:-1] + ',"clock":1e999}',
    ),
    new("time that is not a number", clock="soon"),
    new("time that is a flag", clock=True),
    new("a coach that there is not", coach="much"),
    new("an invalid flag", watch="maybe"),
    new("options that are none", options=[]),
    new("an option that there is not", options={"speed": "9"}),
    new("an invalid number", options={"start": "many"}),
    new("a number out of range", options={"start": "-5"}),
    new("a number that is a list", options={"start": [15]}),
    new("a number that is too long", options={"start": "9" * 42}),
    new("too hard for a program", "too_hard", game="digit-battle", options=VAST),
    new("a field that there is not", colour="red"),
]

ORIGINS = [
    Bad("a page of elsewhere", "origin", "/m/{live}/actions", MOVE, headers=ELSEWHERE),
    Bad("a page of nowhere", "origin", "/m/{live}/actions", MOVE, headers={"origin": "null"}),
    Bad("another port", "origin", "/m", NEW, headers={"origin": "http://localhost:81"}),
    Bad("another site", "origin", "/m/{waiting}/join", {"key": KEY}, headers=ELSEWHERE),
    Bad("a fork from elsewhere", "origin", "/m/{over}/fork", {"key": KEY}, headers=ELSEWHERE),
    *(
        Bad(f"a request that is {site}", "origin", "/m/{live}/actions", MOVE, headers=headers)
        for site in ("cross-site", "same-site")
        for headers in ({"sec-fetch-site": site},)
    ),
    Bad("another name for us", "origin", "/m/{live}/state", headers={"host": "elsewhere.example"}),
    Bad("an invalid host name", "malformed", "/m/{live}/state", headers={"host": "a b"}),
    Bad("a null in the address", "malformed", "/m/{live}/state?x=%00"),
]

METHODS = [
    Bad(f"{method} of {path}", "method", path, method=method)
    for method, path in (
        ("GET", "/m"),
        ("GET", "/m/{live}/actions"),
        ("GET", "/m/{waiting}/join"),
        ("GET", "/m/{over}/fork"),
        ("POST", "/m/{live}/state"),
        ("POST", "/m/{live}/events"),
        ("POST", "/m/{live}"),
        ("POST", "/"),
        ("DELETE", "/m/{live}"),
        ("PUT", "/m/{live}/state"),
        ("PATCH", "/m/{live}/actions"),
        ("PUT", "/api/puzzle"),
        ("BREW", "/m/{live}"),
    )
]
ALL = [*ACTIONS, *SEATS, *READING, *BODIES, *CREATING, *ORIGINS, *METHODS]
