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
    Ada's against a bot, {series} one whose first game of three is over.
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
    """A bad request for a new match."""
    body = {name: value for name, value in {**NEW, **changes}.items() if value is not ...}
    return Bad(what, code, "/m", body, "nobody")


def join(
    what: str, code: str = "invalid", by: str = "eve", at: str = "waiting", **fields: Any
) -> Bad:
    """A bad request for a seat."""
    body = {name: value for name, value in {"key": KEY, **fields}.items() if value is not ...}
    return Bad(what, code, f"/m/{{{at}}}/join", body, by)


def raw(what: str, code: str, content: bytes | str, headers: dict[str, str] = JSON) -> Bad:
    """A bad body, as bytes."""
    return Bad(what, code, "/m/{live}/actions", content=content, headers=headers)


def plain(kind: str, what: str, code: str = "not_now", at: str = "live", by: str = "ada") -> Bad:
    """An action that needs nothing, at the wrong moment; plies: see the matches below."""
    plies = {"live": 2, "private": 0, "waiting": 0, "over": 3, "alone": 0, "series": 1}
    return act(what, code, by, at, action=kind, move=..., ply=plies[at])


ACTIONS = [
    act("an old ply", "stale", ply=1),
    act("a future ply", "stale", ply=3),
    act("a move on the opponent's turn", "not_your_turn", by="bob"),
    act("an illegal move", "illegal_move", move="7"),
    act("a negative move", "illegal_move", move="-1"),
    act("a long move", "illegal_move", move="9" * 40),
    act("a move that is too long", "unreadable_move", move="9" * 42),
    act("a move in letters", "unreadable_move", move="one"),
    act("an empty move", "unreadable_move", move=""),
    act("a fraction as a move", "invalid", move=1.5),
    act("a boolean as a move", "invalid", move=True),
    act("null as a move", "invalid", move=None),
    act("a list as a move", "invalid", move=["1"]),
    act("a move that is missing", "invalid", move=...),
    act("a lone surrogate as a move", "malformed", move="\ud800"),
    act("an unknown action", "invalid", action="cheat"),
    act("a number as an action", "invalid", action=7),
    act("no action", "invalid", action=...),
    act("no ply", "invalid", ply=...),
    act("a negative ply", "invalid", ply=-1),
    act("a ply that is not a number", "invalid", ply="soon"),
    act("a fraction as a ply", "invalid", ply=1.5),
    act("a huge ply", "invalid", ply=10**30),
    act("no key", "invalid", key=...),
    act("a short key", "invalid", key="k" * 15),
    act("a long key", "invalid", key="k" * 65),
    act("a key with a space", "invalid", key="k" * 15 + " k"),
    act("a number as a key", "invalid", key=7),
    act("an unknown field", "invalid", moves="1"),
    act("a field of another action", "invalid", want="on"),
    Bad("a lone surrogate as a field", "malformed", "/m/{live}/actions", {**MOVE, "\ud800": 1}),
    act("a key that was used for another request", "key_reused", key="used-for-a-move-of-adas"),
    act("an unknown offer", "invalid", action="decline", move=..., offer="coffee"),
    act("declining what nobody offers", "not_now", action="decline", move=..., offer="draw"),
    act("an unknown wish", "invalid", action="coach", move=..., want="much"),
    act("a coach without a wish", "invalid", action="coach", move=...),
    act("accepting what nobody offers", "not_now", action="accept", move=..., offer="draw"),
    plain("next", "the next game while this one is played"),
    plain("rematch", "a rematch while the match is played"),
    plain("undo", "an undo without a move of one's own", at="alone"),
    plain("resign", "resigning after the match", at="over"),
    plain("draw", "a draw after the match", at="over"),
    plain("undo", "an undo after the match", at="over"),
    plain("next", "the next game after the match", at="over"),
    plain("rematch", "a rematch in the middle of a series", at="series"),
    plain("resign", "resigning between two games", at="series"),
    plain("resign", "resigning before the opponent joins", at="waiting"),
    plain("draw", "a draw before the opponent joins", at="waiting"),
    act("moving before the opponent joins", "not_now", at="waiting", ply=0),
    act("moving after the match", "not_now", at="over", ply=3),
    act("moving for the bot", "not_your_turn", at="bots_turn", ply=0),
]

SEATS = [
    act("a move without a seat", "no_seat", by="nobody"),
    act("a move with a seat of another match", "no_seat", by="eve"),
    act("a move with a forged seat", "no_seat", by="forger"),
    act("a move with a cookie that is not a token", "no_seat", by="clown"),
    act("a move with a link, at the open seat", "no_seat", at="waiting", by="eve", ply=0),
    act("a move at somebody's private match", "no_seat", at="private", by="eve", ply=0),
    act("a stale move by a stranger", "no_seat", at="private", by="eve", ply=77),
    act("moving at somebody's match with a bot", "no_seat", at="alone", by="bob", ply=0),
    plain("resign", "resigning for somebody else", "no_seat", by="eve"),
    plain("coach", "the coach without a wish, by a spectator", "invalid", by="eve"),
    join("a seat that is taken", "seat_taken", at="live", name="Eve"),
    join("a seat at one's own match", "seat_taken", by="ada"),
    join("a seat at a private match", "seat_taken", at="private"),
    join("a seat in a match with a bot", "seat_taken", at="alone"),
    join("the opponent's name", name="ada"),
    join("a name of spaces", name="  "),
    join("a long name", name="E" * 41),
    join("a name with a control character", name="\a"),
    join("a name with a lone surrogate", "malformed", name="E\udc00"),
    join("a name that is a number", name=7),
    join("joining without a key", key=..., name="Eve"),
    join("joining with an unknown field", seat=0),
    join(
        "joining again under another name",
        "key_reused",
        "ada",
        "live",
        key="bobs-way-to-the-seat-1",
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
    Bad("somebody's match with a bot", "private", "/m/{alone}/state", by="bob"),
    Bad("reading with a forged seat", "private", "/m/{private}/state", by="forger"),
    Bad("the coach of a live match", "coach_not_agreed", "/m/{live}/coach"),
    Bad("the coach of a match that is watched", "coach_not_agreed", "/m/{live}/coach", by="eve"),
    Bad("the coach before the opponent joins", "coach_not_agreed", "/m/{waiting}/coach"),
    Bad("the coach between two games", "coach_not_agreed", "/m/{series}/coach"),
    Bad("the coach after the match", "not_now", "/m/{over}/coach"),
    Bad("the coach at an old ply", "stale", "/m/{alone}/coach?ply=7"),
    Bad("the coach with letters as the ply", "invalid", "/m/{alone}/coach?ply=x"),
    Bad("the review of a live match", "coach_not_agreed", "/m/{live}/review.json"),
    Bad("the page of that review", "coach_not_agreed", "/m/{live}/review"),
    Bad("the review of a game in a series", "coach_not_agreed", "/m/{series}/review.json?game=0"),
    Bad("the review of a running game against a bot", "not_now", "/m/{alone}/review.json"),
    Bad("the review of a game that was not played", "invalid", "/m/{over}/review.json?game=1"),
    Bad("a review with letters as the game", "invalid", "/m/{over}/review.json?game=x"),
    Bad("a fork of a live match", "coach_not_agreed", "/m/{live}/fork", {"key": KEY, "ply": 0}),
    Bad("a fork in a series", "coach_not_agreed", "/m/{series}/fork", {"key": KEY, "ply": 0}),
    Bad("a fork of a private match", "private", "/m/{private}/fork", {"key": KEY}, "eve"),
    Bad("a fork after the end", "invalid", "/m/{over}/fork", {"key": KEY, "ply": 3}),
    Bad("a fork beyond the end", "invalid", "/m/{over}/fork", {"key": KEY, "ply": 4}),
    Bad("a fork of another game", "invalid", "/m/{over}/fork", {"key": KEY, "game": 1, "ply": 0}),
    Bad("a fork with an unknown level", "invalid", "/m/{over}/fork", {"key": KEY, "level": "god"}),
    Bad("a rematch that does not exist", "not_now", "/m/{over}/next"),
    Bad("an unknown match", "no_match", f"/m/{'z' * 26}/state"),
    Bad("the page of an unknown match", "no_match", f"/m/{'z' * 26}"),
    Bad("a move in an unknown match", "no_match", f"/m/{'z' * 26}/actions", MOVE),
    Bad("a seat in an unknown match", "no_match", f"/m/{'z' * 26}/join", {"key": KEY}),
    Bad("a match with a short id", "no_match", "/m/abc/state"),
    Bad("a match with a path as its id", "no_page", "/m/..%2f..%2fetc/state"),
    Bad("an unknown page", "no_page", "/admin"),
    Bad("an unknown page of a match", "no_page", "/m/{live}/holders"),
    Bad("a file outside the static folder", "no_page", "/static/..%2f..%2fapp.py"),
    Bad("an unknown game", "no_game", "/new/chess"),
    Bad("a game by its path", "no_game", "/api/games/rules.py/theory"),
    Bad("a position of an unknown game", "no_game", "/api/games/chess/position"),
    Bad("an impossible position", "invalid", "/api/games/even-steven/position?state=[1]"),
    Bad("a state that is not a list", "invalid", "/api/games/even-steven/position?state=7"),
    Bad("a state that is not JSON", "malformed", "/api/games/even-steven/position?state=[7"),
    Bad("options that are a list", "invalid", "/api/games/even-steven/position?options=[]"),
    Bad("an unknown option", "invalid", '/api/games/even-steven/theory?options={"x":1}'),
    Bad("a puzzle of an unknown game", "no_game", "/api/puzzle?game=chess"),
    Bad("a puzzle of an unknown grade", "invalid", "/api/puzzle?grade=silly"),
    Bad("a puzzle with an unknown id", "invalid", "/api/puzzle?id=even-steven-0"),
    Bad("a puzzle of a day that is not a flag", "invalid", "/api/puzzle?daily=tomorrow"),
    Bad("an answer to an unknown puzzle", "invalid", "/api/puzzle", {"id": "x", "move": "1"}),
    Bad("no tickets", "invalid", "/events", {"tickets": []}),
    Bad("too many tickets", "invalid", "/events", {"tickets": ["x"] * 51}),
    Bad("a text as tickets", "invalid", "/events", {"tickets": "x"}),
    Bad("an incomplete answer", "invalid", "/api/puzzle", {"id": "x"}),
    Bad("giving up on an unknown puzzle", "invalid", "/api/puzzle", {"id": "x", "give_up": 1}),
]

BODIES = [
    raw("JSON that is cut off", "malformed", '{"key": "'),
    raw("an empty body", "malformed", b""),
    raw("a body that is not UTF-8", "malformed", b'{"key": "\xff\xfe"}'),
    raw("a list as a body", "malformed", "[]"),
    raw("a text as a body", "malformed", '"move"'),
    raw("null as a body", "malformed", "null"),
    raw("NaN", "malformed", '{"ply": NaN}'),
    act("a number of 4,000 digits", "invalid", ply=int(LONG[:4000])),
    raw("a body of open brackets", "malformed", "[" * 16_000),
    raw("a nested field", "invalid", '{"key":' + "[" * 100 + "]" * 100 + "}"),
    raw("a deeply nested field", "malformed", '{"key":' + "[" * 7000 + "]" * 7000 + "}"),
    raw("no content type", "media_type", json.dumps(MOVE), {}),
    raw(
        "an unsupported content type",
        "media_type",
        json.dumps(MOVE),
        {"content-type": "text/plain"},
    ),
    raw(
        "a file upload", "media_type", b"--x--", {"content-type": "multipart/form-data; boundary=x"}
    ),
    raw("a compressed body", "media_type", b"x", {**JSON, "content-encoding": "gzip"}),
    raw("a form that is not UTF-8", "malformed", b"key=%ff&ply=2", FORM),
    raw("a form with too many fields", "malformed", "&".join(["x=1"] * 101), FORM),
    raw("a form with an unknown field", "invalid", "key=x&hero=1", FORM),
]

CREATING = [
    new("no game", game=...),
    new("an unknown game", "no_game", game="chess"),
    new("a game by its path", "no_game", game="/etc/passwd"),
    new("a lone surrogate as a game", "malformed", game="\ud800"),
    new("a list as a game", game=["even-steven"]),
    new("no key", key=...),
    new("a key that another match has", "key_reused", key="ada-makes-a-live-match"),
    new("an unknown mode", mode="chess"),
    new("an unknown level", level="god"),
    new("three players", names=["Ada", "Bob", "Cleo"]),
    new("a number as a name", names=[7]),
    new("a text as names", names="Ada"),
    new("the same name twice", names=["Ada", "ada"], mode="here"),
    new("a name of spaces", names=["  "]),
    new("a name with a lone surrogate", "malformed", names=["\ud800"]),
    new("an unknown first player", first="3"),
    new("no games", games=0),
    new("too many games", games=100),
    new("a fraction as the number of games", games=1.5),
    new("a clock of 0 seconds", clock=0),
    Bad(
        "a clock of infinite seconds",
        "invalid",
        "/m",
        None,
        "nobody",
        JSON,
        json.dumps(NEW)[:-1] + ',"clock":1e999}',
    ),
    new("letters as a clock", clock="soon"),
    new("a boolean as a clock", clock=True),
    new("an unknown wish for the coach", coach="much"),
    new("an invalid flag", watch="maybe"),
    new("options that are a list", options=[]),
    new("nested options", options={"start": [[[15]]]}),
    new("an unknown option", options={"speed": "9"}),
    new("an invalid number", options={"start": "many"}),
    new("a number out of range", options={"start": "-5"}),
    new("a list as a number", options={"start": [15]}),
    new("a number that is too long", options={"start": "9" * 42}),
    new(
        "perfect play that is not known",
        "too_hard",
        game="digit-battle",
        options=VAST,
        level="perfect",
    ),
    new("an unknown field", colour="red"),
]

ORIGINS = [
    Bad(
        "a request from another site's page", "origin", "/m/{live}/actions", MOVE, headers=ELSEWHERE
    ),
    Bad(
        "a request with a null origin",
        "origin",
        "/m/{live}/actions",
        MOVE,
        headers={"origin": "null"},
    ),
    Bad(
        "a request from another port",
        "origin",
        "/m",
        NEW,
        headers={"origin": "http://localhost:81"},
    ),
    Bad(
        "joining from another site", "origin", "/m/{waiting}/join", {"key": KEY}, headers=ELSEWHERE
    ),
    Bad("a fork from elsewhere", "origin", "/m/{over}/fork", {"key": KEY}, headers=ELSEWHERE),
    *(
        Bad(f"a request that is {site}", "origin", "/m/{live}/actions", MOVE, headers=headers)
        for site in ("cross-site", "same-site")
        for headers in ({"sec-fetch-site": site},)
    ),
    Bad("another host name", "origin", "/m/{live}/state", headers={"host": "elsewhere.example"}),
    Bad("an invalid host name", "malformed", "/m/{live}/state", headers={"host": "a b"}),
    Bad("a null character in the address", "malformed", "/m/{live}/state?x=%00"),
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
