"""Bad requests of every kind, and the code with which each has to be refused."""

import json
from typing import Any, NamedTuple

KEY = "k" * 22
MOVE = {"key": KEY, "ply": 2, "action": "move", "move": "1"}
NEW = {"key": KEY, "game": "even-steven"}
JSON = {"content-type": "application/json"}
FORM = {"content-type": "application/x-www-form-urlencoded"}
ELSEWHERE = {"origin": "https://elsewhere.example"}
LONG = "9" * 5000
AFTER = ("resign", "draw", "undo", "next")
VAST = {"limit": "1000000", "lives": "1000"}
MATCHES = "/api/v1/matches"


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


def left_out(fields: dict[str, Any]) -> dict[str, Any]:
    """Leave out the fields that are ...."""
    return {name: value for name, value in fields.items() if value is not ...}


def act(what: str, code: str, by: str = "ada", at: str = "live", **changes: Any) -> Bad:
    """A bad action: MOVE with changes; a field that becomes ... is left out."""
    return Bad(what, code, f"{MATCHES}/{{{at}}}/actions", left_out({**MOVE, **changes}), by)


def invalid_acts(field: str, *values: Any, code: str = "invalid") -> list[Bad]:
    """Actions with values that a field cannot have; ... leaves it out."""
    return [act(f"{str(value)[:20]!r} as {field}", code, **{field: value}) for value in values]


def new(what: str, code: str = "invalid", **changes: Any) -> Bad:
    """A bad request for a new match."""
    return Bad(what, code, MATCHES, left_out({**NEW, **changes}), "nobody")


def invalid_news(field: str, *values: Any, code: str = "invalid") -> list[Bad]:
    """New matches with values that a field cannot have."""
    return [new(f"{str(value)[:20]!r} as {field}", code, **{field: value}) for value in values]


def join(
    what: str, code: str = "invalid", by: str = "eve", at: str = "waiting", **fields: Any
) -> Bad:
    """A bad request for a seat."""
    return Bad(what, code, f"{MATCHES}/{{{at}}}/join", left_out({"key": KEY, **fields}), by)


def raw(what: str, code: str, content: bytes | str, headers: dict[str, str] = JSON) -> Bad:
    """A bad body, as bytes."""
    return Bad(what, code, f"{MATCHES}/{{live}}/actions", content=content, headers=headers)


def plain(kind: str, what: str, code: str = "not_now", at: str = "live", by: str = "ada") -> Bad:
    """An action that needs nothing, at the wrong moment; plies: see the matches below."""
    plies = {"live": 2, "private": 0, "waiting": 0, "over": 3, "alone": 0, "series": 1}
    return act(what, code, by, at, action=kind, move=..., ply=plies[at])


def fork(what: str, code: str, at: str, by: str = "ada", **fields: Any) -> Bad:
    """A bad request for a match that goes on from a position of another."""
    return Bad(what, code, f"{MATCHES}/{{{at}}}/fork", {"key": KEY, **fields}, by)


def fetch(code: str, *paths: str, by: str = "ada", at: str = "") -> list[Bad]:
    """Addresses that must not be answered."""
    return [Bad(f"{by} reads {at}{path}", code, f"{at}{path}", by=by) for path in paths]


ACTIONS = [
    *invalid_acts("ply", 1, 3, code="stale"),
    *invalid_acts("ply", ..., "2", -1, "soon", 1.5, 10**30, int(LONG[:4000])),
    *invalid_acts("move", "7", "-1", "9" * 40, code="illegal_move"),
    *invalid_acts("move", "9" * 41, "one", "", code="unreadable_move"),
    *invalid_acts("move", 1.5, True, None, ["1"], ...),
    *invalid_acts("action", "cheat", 7, ...),
    *invalid_acts("key", ..., "k" * 15, "k" * 65, "k" * 15 + " k", 7),
    act("a move on the opponent's turn", "not_your_turn", by="bob"),
    act("a lone surrogate as a move", "malformed", move="\ud800"),
    act("a field of another action", "invalid", want="on"),
    Bad(
        "a lone surrogate as a field",
        "malformed",
        f"{MATCHES}/{{live}}/actions",
        {**MOVE, "\ud800": 1},
    ),
    act("a key that was used for another request", "key_reused", key="used-for-a-move-of-adas"),
    act("an unknown offer", "invalid", action="decline", move=..., offer="coffee"),
    act("an unknown wish", "invalid", action="coach", move=..., want="much"),
    act("a coach without a wish", "invalid", action="coach", move=...),
    *(
        act(f"{answer} what nobody offers", "not_now", action=answer, move=..., offer="draw")
        for answer in ("accept", "decline")
    ),
    plain("next", "the next game while this one is played"),
    plain("rematch", "a rematch while the match is played"),
    plain("undo", "an undo without a move of one's own", at="alone"),
    *(plain(kind, f"{kind} after the match", at="over") for kind in AFTER),
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
    *(join(f"{str(name)[:9]!r} as a name", name=name) for name in ("ada", "  ", LONG, "\a", 7)),
    *(join(f"{name!r} as a name", name=name) for name in ("You", "your opponent")),
    join("a name with a lone surrogate", "malformed", name="E\udc00"),
    join("joining without a key", key=..., name="Eve"),
    join("joining again, by another", "key_reused", "ada", "live", key="bobs-way-to-the-seat-1"),
]

POSITION = "/api/v1/games/even-steven/position"
READING = [
    *fetch("private", "", "/next", "/review", by="eve", at="/m/{private}"),
    *fetch("private", "", "/events", "/qr.svg", "/record", by="eve", at=f"{MATCHES}/{{private}}"),
    *fetch("private", "/coach", "/review", by="eve", at=f"{MATCHES}/{{private}}"),
    *fetch("private", f"{MATCHES}/{{alone}}", by="bob"),
    *fetch("private", f"{MATCHES}/{{private}}", by="forger"),
    *fetch("coach_not_agreed", f"{MATCHES}/{{live}}/coach", by="eve"),
    *fetch("coach_not_agreed", "/coach", "/review", at=f"{MATCHES}/{{live}}"),
    *fetch("coach_not_agreed", "/m/{live}/review"),
    *fetch("coach_not_agreed", f"{MATCHES}/{{waiting}}/coach"),
    *fetch("coach_not_agreed", "/coach", "/review?game=0", at=f"{MATCHES}/{{series}}"),
    *fetch("not_now", f"{MATCHES}/{{over}}/coach", "/m/{over}/next", f"{MATCHES}/{{alone}}/review"),
    *fetch("stale", f"{MATCHES}/{{alone}}/coach?ply=7"),
    *fetch("invalid", f"{MATCHES}/{{alone}}/coach?ply=x"),
    *fetch("invalid", "/review?game=1", "/review?game=x", at=f"{MATCHES}/{{over}}"),
    fork("a fork of a live match", "coach_not_agreed", "live", ply=0),
    fork("a fork in a series", "coach_not_agreed", "series", ply=0),
    fork("a fork of a private match", "private", "private", "eve"),
    fork("a fork after the end", "invalid", "over", ply=3),
    fork("a fork beyond the end", "invalid", "over", ply=4),
    fork("a fork of another game", "invalid", "over", game=1, ply=0),
    fork("a fork with an unknown level", "invalid", "over", level="god"),
    *fetch("no_match", f"{MATCHES}/{'z' * 26}", f"/m/{'z' * 26}", f"{MATCHES}/abc"),
    Bad("a move in an unknown match", "no_match", f"{MATCHES}/{'z' * 26}/actions", MOVE),
    Bad("a seat in an unknown match", "no_match", f"{MATCHES}/{'z' * 26}/join", {"key": KEY}),
    *fetch("no_page", "/m/..%2f..%2fetc", f"{MATCHES}/..%2f..%2fetc", "/static/..%2f..%2fapp.py"),
    *fetch("no_page", "/admin", "/m/{live}/holders", "/m/{live}/state", "/m", "/events"),
    *fetch(
        "no_game", "/new/chess", "/api/v1/games/rules.py/theory", "/api/v1/games/chess/position"
    ),
    *fetch("no_game", "/api/v1/puzzle?game=chess"),
    *fetch("invalid", "?state=[1]", "?state=7", "?options=[]", at=POSITION),
    *fetch("malformed", "?state=[7", "?state=%00", "?state=[7,0]&state=[7,1]", at=POSITION),
    *fetch("invalid", '/api/v1/games/even-steven/theory?options={"x":1}'),
    *fetch("invalid", "?grade=silly", "?id=even-steven-0", "?daily=tomorrow", at="/api/v1/puzzle"),
    *(
        Bad(f"{ids!r:.9} as matches", "invalid", "/api/v1/events", {"matches": ids})
        for ids in ([], ["x"] * 51, "x")
    ),
    *(
        Bad(f"an answer with {fields}", "invalid", "/api/v1/puzzle", {"id": "x", **fields})
        for fields in ({}, {"move": "1"}, {"give_up": 1})
    ),
]

BODIES = [
    raw("JSON that is cut off", "malformed", '{"key": "'),
    raw("an empty body", "malformed", b""),
    raw("a body that is not UTF-8", "malformed", b'{"key": "\xff\xfe"}'),
    *(raw(f"{text} as a body", "malformed", text) for text in ("[]", '"move"', "null")),
    raw("NaN", "malformed", '{"ply": NaN}'),
    raw("an infinite ply", "invalid", f'{{"key": "{KEY}", "action": "undo", "ply": 1e999}}'),
    raw("a field twice", "invalid", f'{{"action": "undo", "action": 1, "key": "{KEY}", "ply": 1}}'),
    raw("a body of open brackets", "malformed", "[" * 16_000),
    raw("a nested field", "invalid", '{"key":' + "[" * 100 + "]" * 100 + "}"),
    raw("a deeply nested field", "malformed", '{"key":' + "[" * 7000 + "]" * 7000 + "}"),
    raw("no content type", "media_type", json.dumps(MOVE), {}),
    raw("plain text", "media_type", json.dumps(MOVE), {"content-type": "text/plain"}),
    raw("a file", "media_type", b"--x--", {"content-type": "multipart/form-data; boundary=x"}),
    raw("a compressed body", "media_type", b"x", {**JSON, "content-encoding": "gzip"}),
    raw("a form that is not UTF-8", "malformed", b"key=%ff&ply=2", FORM),
    raw("a form with too many fields", "malformed", "&".join(["x=1"] * 101), FORM),
    raw("a form with an unknown field", "invalid", "key=x&hero=1", FORM),
]

ENDLESS = json.dumps(NEW)[:-1] + ',"clock":1e999}'
CREATING = [
    *invalid_news("game", ..., ["even-steven"]),
    *invalid_news("game", "chess", "/etc/passwd", code="no_game"),
    new("a lone surrogate as a game", "malformed", game="\ud800"),
    new("no key", key=...),
    new("a key that another match has", "key_reused", key="ada-makes-a-live-match"),
    *invalid_news("mode", "chess"),
    *invalid_news("level", "god"),
    *invalid_news("names", ["Ada", "Bob", "Cleo"], [7], "Ada", ["  "]),
    new("the same name twice", names=["Ada", "ada"], mode="here"),
    new("a name that each of the players has", mode="friend", names=["you"]),
    new("a name with a lone surrogate", "malformed", names=["\ud800"]),
    *invalid_news("first", "3"),
    *invalid_news("games", "3", 0, 100, 1.5),
    *invalid_news("clock", 0, "soon", True),
    Bad("a clock of infinite seconds", "invalid", MATCHES, None, "nobody", JSON, ENDLESS),
    *invalid_news("coach", "much"),
    *invalid_news("watch", "maybe", "true"),
    *invalid_news("options", [], {"start": [[[15]]]}, {"speed": "9"}, {"start": "many"}),
    *invalid_news("options", {"start": "-5"}, {"start": [15]}, {"start": "9" * 41}),
    new("unknown perfect play", "too_hard", game="digit-battle", options=VAST, level="perfect"),
]

# Which headers give another site away is tested with the guard.
ORIGINS = [
    Bad("a move from elsewhere", "origin", f"{MATCHES}/{{live}}/actions", MOVE, headers=ELSEWHERE),
    Bad("a match from elsewhere", "origin", MATCHES, NEW, headers=ELSEWHERE),
    Bad(
        "joining from elsewhere",
        "origin",
        f"{MATCHES}/{{waiting}}/join",
        {"key": KEY},
        headers=ELSEWHERE,
    ),
    Bad(
        "a fork from elsewhere",
        "origin",
        f"{MATCHES}/{{over}}/fork",
        {"key": KEY},
        headers=ELSEWHERE,
    ),
]

ALL = [*ACTIONS, *SEATS, *READING, *BODIES, *CREATING, *ORIGINS]
