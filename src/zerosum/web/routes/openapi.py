"""The description that /openapi.json serves, from the definitions of requests and answers."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, Union

import msgspec

import zerosum
from zerosum.coach.puzzles import Grade
from zerosum.web.refusals import STATUS
from zerosum.web.routes import messages, schemas
from zerosum.web.routes.reading import JSON, Reader

Doc = dict[str, Any]

ABOUT = """Create, join, play and watch matches. Everything about a match is under its address.
Creating or joining a match sets a cookie for that address: it is your seat. Every request that
changes something carries a key that you choose; sent again with the same key, it takes effect
only once. An action carries the ply it answers, and is refused if the game has moved on; its
answer says what happened, not the whole table. Moves and the numbers of a game are strings: a
move can be a word, and a number longer than many programs can hold.

`GET /m/{id}/events` streams a match as server-sent events, and `POST /events` several matches at
once. First comes `open`, with the seconds between two heartbeats (`beat`); then, for each match,
`table` with the whole table and its change as `id:`. After that, `change` has the id of the match
and the keys that are now different; of the lists `last` and `news` it has `from` and `to`, the
items to keep, and those to `add`. `end` says that nothing more will come for a match, with a
code: over, no_match, private, too_many or broken_game."""
READ, CHANGE = (403, 404), (403, 404, 408, 409, 413, 415, 422)
STUDY = (404, 422)
MATCH_ID = "^[2-9a-hjkmnp-z]{26}$"
GAME_NAME = "^[a-z][a-z0-9-]{0,40}$"
TEXTS = {
    "boolean": "^([Tt]rue|TRUE|[Ff]alse|FALSE|0|1)$",
    "integer": "^-?[0-9]+$",
    "null": "^([Nn]ull|NULL)$",
    "number": r"^-?[0-9]+([.][0-9]+)?$",
}
REFERENCE = "#/components/schemas/{name}"
# Filled by what refers to them.
_components: Doc = {}
SEATED = {
    "set-cookie": {"description": "The seat", "schema": {"type": "string"}},
    "location": {"description": "The match", "schema": {"type": "string"}},
}


def _schema(*kinds: Any) -> Doc:
    """Describe one of these types; a struct becomes a component that is referred to."""
    found, components = msgspec.json.schema_components(kinds, ref_template=REFERENCE)
    _components.update(components)
    return found[0] if len(found) == 1 else {"anyOf": list(found)}


def _query(name: str, about: str, kind: Any) -> Doc:
    """Describe a query parameter."""
    return {"name": name, "in": "query", "description": about, "schema": _schema(kind)}


def _json_query(name: str, about: str, kind: Any) -> Doc:
    """Describe a query parameter that holds JSON."""
    content = {JSON: {"schema": _schema(kind)}}
    return {"name": name, "in": "query", "description": about, "content": content}


def _path(name: str, pattern: str) -> Doc:
    """Describe a path parameter."""
    schema = {"type": "string", "pattern": pattern}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _gives(*kinds: Any, status: int = 200, about: str = "Done", **more: Any) -> Doc:
    """Describe an answer in JSON, which is one of these."""
    content = {JSON: {"schema": _schema(*kinds)}}
    return {str(status): {"description": about, "content": content, **more}}


def _streams(media: str, about: str) -> Doc:
    """Describe an answer that is not JSON."""
    return {"200": {"description": about, "content": {media: {"schema": {}}}}}


def _operation(
    name: str, about: str, gives: Doc, errors: tuple[int, ...], *parameters: Doc, **more: Any
) -> Doc:
    """Describe one operation, and the errors that it can answer with."""
    responses = dict(gives)
    for status in sorted({*errors, 400, 429, 500, 503} - {int(known) for known in gives}):
        codes = ", ".join(code for code, other in STATUS.items() if other == status)
        # A failure of the server may come after the change was made.
        told = codes if status == 500 else f"Nothing was changed: {codes}"
        responses |= _gives(schemas.Error, status=status, about=told)
    made: Doc = {"operationId": name, "summary": about, "responses": responses, **more}
    return made | ({"parameters": list(parameters)} if parameters else {})


def _takes(reader: Reader[Any]) -> Doc:
    """Describe a body, whose numbers and flags may also be sent as text, as a form does."""
    schema = _schema(Union[reader.kinds])  # noqa: UP007
    for kind in reader.kinds:
        fields = _components[kind.__name__]["properties"]
        fields.update({name: _or_text(field) for name, field in fields.items()})
    return {"required": True, "content": {JSON: {"schema": schema}}}


def _or_text(field: Doc) -> Doc:
    """Allow a field as text, unless it may be any text."""
    parts = field.get("anyOf", [field])
    kinds = {part.get("type") for part in parts}
    texts = [{"type": "string", "pattern": TEXTS[kind]} for kind in sorted(kinds & TEXTS.keys())]
    if not texts or "string" in kinds:
        return field
    return {**(field if "anyOf" in field else {}), "anyOf": [*parts, *texts]}


def _paths() -> Doc:
    """Describe every operation."""
    match, game = _path("id", MATCH_ID), _path("game", GAME_NAME)
    options = _json_query("options", "Options of the game", messages.Options)
    tag = {"name": "if-none-match", "in": "header", "schema": {"type": "string"}}
    which = _query("game", "Which game of a match, from 0", messages.GameNumber)
    ply = _query("ply", "The ply the question is about", messages.Ply)
    state = _json_query("state", "A position", messages.State)
    same = {"id": "$response.body#/id"}
    linked = ("state", "join", "act", "coach", "review")
    links = {name: {"operationId": name, "parameters": same} for name in linked}
    made = _gives(
        schemas.Table,
        status=201,
        about="A new match; the seat is in a cookie",
        headers=SEATED,
        links=links,
    )
    table, svg = _gives(schemas.Table), _streams("image/svg+xml", "A picture")
    unchanged = {"304": {"description": "Not modified"}}
    events = _streams("text/event-stream", "Events")
    advice = _gives(schemas.Advice, schemas.Unknown)
    review = _gives(schemas.Review, schemas.Unknown)
    puzzle = _gives(schemas.Puzzle, schemas.Exhausted)
    picked = (
        _query("game", "The game", str),
        _query("grade", "Difficulty; empty for any", Grade | Literal[""]),
        _query("seen", "Puzzles to leave out, separated by commas", str),
    )
    failing = _gives(schemas.Failing, status=503, about="What does not work")

    def post(name: str, about: str, gives: Doc, reader: Reader[Any], *parameters: Doc) -> Doc:
        errors = (403, 408, 413, 415, 422) if name in ("answer", "follow") else CHANGE
        takes = _takes(reader)
        return {"post": _operation(name, about, gives, errors, *parameters, requestBody=takes)}

    def get(name: str, about: str, gives: Doc, errors: tuple[int, ...], *parameters: Doc) -> Doc:
        return {"get": _operation(name, about, gives, errors, *parameters)}

    return {
        "/m": post("create", "Create a match", made, messages.NEW_MATCH),
        "/m/{id}/join": post("join", "Take the open seat", table, messages.JOIN, match),
        "/m/{id}/state": get("state", "Get a match", table | unchanged, READ, match, tag),
        "/m/{id}/actions": post(
            "act",
            "Move, make or answer an offer, resign",
            _gives(schemas.Acted),
            messages.ACT,
            match,
        ),
        "/m/{id}/events": get("events", "Follow a match", events, READ, match),
        "/events": post("follow", "Follow several matches", events, messages.FOLLOW),
        "/m/{id}/coach": get(
            "coach", "Ask the coach about the position", advice, (*READ, 409, 422), match, ply
        ),
        "/m/{id}/review.json": get(
            "review", "Review a finished game", review, (*READ, 409, 422), match, which
        ),
        "/m/{id}/fork": post(
            "fork", "Play on from a position of a finished game", made, messages.FORK, match
        ),
        "/m/{id}/qr.svg": get("qr", "The link as a QR code", svg, READ, match),
        "/api/games": get("games", "List the games", _gives(schemas.Games), ()),
        "/api/games/{game}/position": get(
            "position", "Analyse a position", _gives(schemas.Position), STUDY, game, options, state
        ),
        "/api/games/{game}/map.svg": get("map", "The map of a game", svg, STUDY, game, options),
        "/api/games/{game}/theory": get(
            "theory", "The theory of a game in words", _gives(schemas.Theory), STUDY, game, options
        ),
        "/api/puzzle": {
            **get("puzzle", "Get a puzzle", puzzle, STUDY, *picked),
            **post(
                "answer", "Answer a puzzle or give up", _gives(schemas.Answer), messages.ATTEMPT
            ),
        },
        "/healthz": get("healthz", "Health check", _gives(schemas.Health) | failing, ()),
    }


@cache
def openapi() -> Doc:
    """Describe the whole API.

    >>> sorted(openapi()["paths"])[:2]
    ['/api/games', '/api/games/{game}/map.svg']
    """
    return {
        "openapi": "3.1.0",
        "info": {"title": "Zerosum", "version": zerosum.__version__, "description": ABOUT},
        "paths": _paths(),
        "components": {
            "schemas": dict(sorted(_components.items())),
            "securitySchemes": {"seat": {"type": "apiKey", "in": "cookie", "name": "seat"}},
        },
        "security": [{}, {"seat": []}],
    }
