"""The description of the API, made from its operations."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, NamedTuple, Union

import msgspec

import zerosum
from zerosum.web.answers import JSON, Error
from zerosum.web.refusals import STATUS
from zerosum.web.routes.request_schemas import JSON_PARAMETERS, MATCHES
from zerosum.web.tables.tokens import COOKIE

EVENT_STREAM = "text/event-stream"
Doc = dict[str, Any]
# Takes the site, the request, and what was read from it, if anything is.
Endpoint = Callable[..., Awaitable[Any]]

ABOUT = """Create, join, play and watch matches. Everything about a match is under its address.
Creating or joining a match sets a cookie, which is you in every match of this server: send it
along with later requests. A program has a token instead: `POST /api/v1/me` gives it one, and later
requests carry it as `Authorization: Bearer TOKEN`. Every request that changes something carries a
key that you choose; sent again with the same key, it takes effect only once. An action carries the
ply it answers, and is refused if the game has moved on; its answer is the table after it. Moves and
the numbers of a game are strings: a move can be a word, and a number longer than many programs can
hold.

`GET /api/v1/matches/{id}/events` streams a match as server-sent events, and `POST /api/v1/events`
several matches at once. First comes `open`; then, for each match and after each of its changes,
`table` with the whole table and its change as `id:`. `GET /api/v1/me/events` streams all that
concerns you: first each of your unfinished matches, then whatever changes. `challenge` is the table
of somebody who challenges you, and `declined` one that ends without a game."""
PATTERNS = {"id": "^[2-9a-hjkmnp-z]{26}$", "game": "^[a-z][a-z0-9-]{0,40}$"}
# What depends on who asks.
PERSONAL = (MATCHES, "/api/v1/me", "/api/v1/bots")
REFERENCE = "#/components/schemas/{name}"
# Filled by what refers to them.
_components: Doc = {}


class Operation(NamedTuple):
    """A route; its summary is the endpoint's docstring, and its name the endpoint's.

    It is described if it says what it `gives`; pages are not. A body is one of the kinds that it
    `takes`; `again` answers an HTML form that is refused.
    """

    path: str
    endpoint: Endpoint
    gives: Doc = {}  # noqa: RUF012
    takes: tuple[type[msgspec.Struct], ...] = ()
    query: type[msgspec.Struct] | None = None
    again: Endpoint | None = None

    @property
    def method(self) -> str:
        """The method: POST if there is a body."""
        return "POST" if self.takes else "GET"

    @property
    def errors(self) -> set[int]:
        """The statuses of its refusals."""
        found = {400, 401, 429, 500, 503}
        if self.path.startswith(PERSONAL):
            found |= {403, 404, 409} if self.takes or self.query else {403, 404}
        if "{game}" in self.path:
            found.add(404)
        if self.query:
            found |= {404, 422}
        if self.takes:
            found |= {403, 408, 413, 415, 422}
        return found

    def described(self) -> Doc:
        """Describe the operation."""
        responses = dict(self.gives)
        for status in sorted(self.errors - {int(known) for known in responses}):
            codes = ", ".join(code for code, other in STATUS.items() if other == status)
            # A failure of the server may come after the change was made.
            about = codes if status == 500 else f"Nothing was changed: {codes}"
            responses |= gives(Error, status=status, about=about)
        parameters = [
            _parameter("path", name, {"type": "string", "pattern": PATTERNS[name]})
            for name in re.findall(r"{(\w+)}", self.path)
        ]
        if self.query is not None:
            _, made = msgspec.json.schema_components([self.query], ref_template=REFERENCE)
            fields = made[self.query.__name__]["properties"]
            parameters += [_parameter("query", *field) for field in fields.items()]
        if "304" in responses:
            parameters.append(_parameter("header", "if-none-match", {"type": "string"}))
        return {
            "operationId": self.endpoint.__name__,
            "summary": str(self.endpoint.__doc__).rstrip("."),
            "responses": responses,
            **({"parameters": parameters} if parameters else {}),
            **({"requestBody": _body(self.takes)} if self.takes else {}),
        }


def gives(*kinds: Any, status: int = 200, about: str = "Done", **more: Any) -> Doc:
    """Describe an answer in JSON, which is one of these."""
    found = _sent(kinds)
    schema = found[0] if len(found) == 1 else {"anyOf": found}
    return {str(status): {"description": about, "content": {JSON: {"schema": schema}}, **more}}


@cache  # the refusals of every operation are the same
def _sent(kinds: tuple[Any, ...]) -> list[Doc]:
    """Describe what the server sends: all fields, also those with a default, and no others."""
    found, components = msgspec.json.schema_components(kinds, ref_template=REFERENCE)
    for component in components.values():
        there, fields = component.get("required", []), component["properties"]
        component["required"] = [
            field for field, kind in fields.items() if field in there or "default" in kind
        ]
        component["additionalProperties"] = False
    _components.update(components)
    return list(found)


def streamed(events: dict[str, Any], about: str) -> Doc:
    """Describe a stream of server-sent events, each with its data as JSON."""
    items = [
        {
            "type": "object",
            "properties": {
                "event": {"const": name},
                "data": {"type": "string", "contentMediaType": JSON, "contentSchema": schema},
            },
            "required": ["event", "data"],
        }
        for name, schema in zip(events, _sent(tuple(events.values())), strict=True)
    ]
    described = {"description": about, "content": {EVENT_STREAM: {"itemSchema": {"oneOf": items}}}}
    return {"200": described}


def media(kind: str, about: str) -> Doc:
    """Describe an answer that is not JSON."""
    return {"200": {"description": about, "content": {kind: {"schema": {}}}}}


def _parameter(where: str, name: str, schema: Doc) -> Doc:
    """Describe a parameter."""
    held: Doc = {"schema": schema}
    if name in JSON_PARAMETERS:
        held = {"content": {JSON: held}}
    return {"name": name, "in": where, "required": where == "path", **held}


def _body(kinds: tuple[type[msgspec.Struct], ...]) -> Doc:
    """Describe a body."""
    (schema,), components = msgspec.json.schema_components(
        [Union[kinds]],  # noqa: UP007
        ref_template=REFERENCE,
    )
    _components.update(components)
    return {"required": True, "content": {JSON: {"schema": schema}}}


def describe(operations: tuple[Operation, ...]) -> Doc:
    """Describe the whole API."""
    paths: Doc = {}
    for operation in operations:
        if operation.gives:
            described = operation.described()
            paths.setdefault(operation.path, {})[operation.method.lower()] = described
    return {
        "openapi": "3.2.0",
        "info": {"title": "Zerosum", "version": zerosum.__version__, "description": ABOUT},
        "paths": paths,
        "components": {
            "schemas": dict(sorted(_components.items())),
            "securitySchemes": {
                "person": {"type": "apiKey", "in": "cookie", "name": COOKIE},
                "bearer": {"type": "http", "scheme": "bearer"},
            },
        },
        "security": [{}, {"person": []}, {"bearer": []}],
    }
