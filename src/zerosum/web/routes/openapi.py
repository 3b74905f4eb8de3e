"""The OpenAPI description that /openapi.json serves."""

from __future__ import annotations

from functools import cache
from typing import Any

import zerosum
from zerosum.coach.puzzles import GRADES
from zerosum.web.refusals import STATUS
from zerosum.web.routes.asking import ACT, ANSWER, CREATE, FORK, JOIN, PLY, words
from zerosum.web.routes.schemas import SCHEMAS

Doc = dict[str, Any]

ABOUT = """Create, join, play and watch matches. Everything about a match is under its address.
Creating or joining a match sets a cookie for that address: it is your seat. Every request that
changes something carries a key that you choose; sent again with the same key, it takes effect
only once. An action carries the ply it answers, and is refused if the game has moved on. Moves
and the numbers of a game are strings: a move can be a word, and a number longer than many
programs can hold. `/m/{id}/events` streams server-sent events: `event: state`, `id:` the ply,
`data:` the table."""


def _ref(name: str) -> Doc:
    """Refer to a schema."""
    return {"$ref": f"#/components/schemas/{name}"}


def _query(name: str, about: str, schema: Doc) -> Doc:
    """Describe a query parameter."""
    return {"name": name, "in": "query", "description": about, "schema": schema}


def _path(name: str, pattern: str) -> Doc:
    """Describe a path parameter."""
    schema = {"type": "string", "pattern": pattern}
    return {"name": name, "in": "path", "required": True, "schema": schema}


MATCH = _path("id", "^[2-9a-hjkmnp-z]{26}$")
GAME = _path("game", "^[a-z][a-z0-9-]{0,40}$")


def _json_query(name: str, about: str, schema: Doc) -> Doc:
    """Describe a query parameter that holds JSON."""
    content = {"application/json": {"schema": schema}}
    return {"name": name, "in": "query", "description": about, "content": content}


OPTIONS = _json_query(
    "options", "Options of the game", {"type": "object", "examples": [{"start": "21"}]}
)


def _errors(*statuses: int) -> Doc:
    """Describe the errors of an operation."""
    told = {}
    for status in sorted({*statuses, 400, 429, 503}):
        codes = ", ".join(code for code, other in STATUS.items() if other == status)
        content = {"application/json": {"schema": _ref("Error")}}
        told[str(status)] = {"description": f"Nothing was changed: {codes}", "content": content}
    return told


def _gives(name: str, status: int = 200, about: str = "Done") -> Doc:
    """Describe a JSON answer."""
    content = {"application/json": {"schema": _ref(name)}}
    return {str(status): {"description": about, "content": content}}


def _takes(*schemas: Doc) -> Doc:
    """Describe a JSON body that matches one of these."""
    schema = schemas[0] if len(schemas) == 1 else {"oneOf": list(schemas)}
    return {"required": True, "content": {"application/json": {"schema": schema}}}


SVG = {"200": {"description": "A picture", "content": {"image/svg+xml": {"schema": {}}}}}
STREAM = {"200": {"description": "Events", "content": {"text/event-stream": {"schema": {}}}}}


def _operation(
    id: str,  # noqa: A002
    about: str,
    responses: Doc,
    parameters: tuple[Doc, ...] = (),
    body: Doc | None = None,
) -> Doc:
    """Describe one operation."""
    made: Doc = {"operationId": id, "summary": about, "responses": responses}
    if parameters:
        made["parameters"] = list(parameters)
    if body is not None:
        made["requestBody"] = body
    return made


def _links(*operations: str) -> Doc:
    """Link to what can be done with the match in an answer."""
    same = {"id": "$response.body#/id"}
    return {name: {"operationId": name, "parameters": same} for name in operations}


def _matches() -> Doc:
    """Describe the operations on matches."""
    seated = {
        "set-cookie": {"description": "The seat", "schema": {"type": "string"}},
        "location": {"description": "The match", "schema": {"type": "string"}},
    }
    made = _gives("Table", 201, "A new match; the seat is in a cookie")
    made["201"] |= {"headers": seated, "links": _links("state", "join", "act", "coach", "review")}
    changed = (403, 404, 408, 409, 413, 415, 422)
    game = _query("game", "Which game of a match, from 0", PLY)
    ply = _query("ply", "The ply the question is about", PLY)
    tag = {"name": "if-none-match", "in": "header", "schema": {"type": "string"}}
    unchanged = {"304": {"description": "Not modified"}}
    return {
        "/m": {
            "post": _operation(
                "create",
                "Create a match",
                {**made, **_errors(*changed)},
                body=_takes(CREATE),
            )
        },
        "/m/{id}/join": {
            "post": _operation(
                "join",
                "Take the open seat",
                {**_gives("Table"), **_errors(*changed)},
                (MATCH,),
                _takes(JOIN),
            )
        },
        "/m/{id}/state": {
            "get": _operation(
                "state",
                "Get a match",
                {**_gives("Table"), **unchanged, **_errors(403, 404)},
                (MATCH, tag),
            )
        },
        "/m/{id}/actions": {
            "post": _operation(
                "act",
                "Move, make or answer an offer, resign",
                {**_gives("Table"), **_errors(*changed)},
                (MATCH,),
                _takes(*ACT),
            )
        },
        "/m/{id}/events": {
            "get": _operation("events", "Follow a match", {**STREAM, **_errors(403, 404)}, (MATCH,))
        },
        "/m/{id}/coach": {
            "get": _operation(
                "coach",
                "Ask the coach about the position",
                {**_gives("Advice"), **_errors(403, 404, 409, 422)},
                (MATCH, ply),
            )
        },
        "/m/{id}/review.json": {
            "get": _operation(
                "review",
                "Review a finished game",
                {**_gives("Review"), **_errors(403, 404, 409, 422)},
                (MATCH, game),
            )
        },
        "/m/{id}/fork": {
            "post": _operation(
                "fork",
                "Play on from a position of a finished game",
                {**made, **_errors(*changed)},
                (MATCH,),
                _takes(FORK),
            )
        },
        "/m/{id}/qr.svg": {
            "get": _operation("qr", "The link as a QR code", {**SVG, **_errors(403, 404)}, (MATCH,))
        },
    }


def _study() -> Doc:
    """Describe the operations on games."""
    state = _json_query("state", "A position", {"type": "array", "examples": [[7, 0]]})
    puzzle = (
        _query("game", "The game", {"type": "string"}),
        _query("grade", "Difficulty; empty for any", words("", *GRADES)),
        _query("seen", "Puzzles to leave out, separated by commas", {"type": "string"}),
    )
    asked = _errors(404, 422)
    return {
        "/api/games": {
            "get": _operation("games", "List the games", {**_gives("Games"), **_errors()})
        },
        "/api/games/{game}/position": {
            "get": _operation(
                "position",
                "Analyse a position",
                {**_gives("Position"), **asked},
                (GAME, OPTIONS, state),
            )
        },
        "/api/games/{game}/map.svg": {
            "get": _operation("map", "The map of a game", {**SVG, **asked}, (GAME, OPTIONS))
        },
        "/api/games/{game}/theory": {
            "get": _operation(
                "theory",
                "The theory of a game in words",
                {**_gives("Theory"), **asked},
                (GAME, OPTIONS),
            )
        },
        "/api/puzzle": {
            "get": _operation("puzzle", "Get a puzzle", {**_gives("Puzzle"), **asked}, puzzle),
            "post": _operation(
                "answer",
                "Answer a puzzle or give up",
                {**_gives("Answer"), **_errors(403, 408, 413, 415, 422)},
                body=_takes(*ANSWER),
            ),
        },
        "/healthz": {
            "get": _operation("healthz", "Health check", {**_gives("Health"), **_errors()})
        },
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
        "paths": {**_matches(), **_study()},
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {"seat": {"type": "apiKey", "in": "cookie", "name": "seat"}},
        },
        "security": [{}, {"seat": []}],
    }
