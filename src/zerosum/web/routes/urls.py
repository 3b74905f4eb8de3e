"""All addresses of the server, each with what answers it."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from zerosum.documents import MatchDocument
from zerosum.errors import StoreError
from zerosum.web import answers
from zerosum.web.answers import answer
from zerosum.web.refusals import Refused
from zerosum.web.routes import games, matches, me, streams
from zerosum.web.routes import request_schemas as asked
from zerosum.web.routes.openapi import Doc, Operation, describe, gives, media, streamed
from zerosum.web.routes.request_schemas import MATCHES, is_form, read, read_query
from zerosum.web.site import Site

log = logging.getLogger("zerosum.web")

TABLE = gives(answers.TableView)
MADE = gives(
    answers.TableView,
    status=201,
    about="A new match; its creator is in a cookie",
    headers={
        "set-cookie": {"description": "The person", "schema": {"type": "string"}},
        "location": {"description": "The match", "schema": {"type": "string"}},
    },
)
PERSON = gives(answers.Enrolled, status=201, about="A person, and their token")
ADVICE, POSITION = gives(answers.Advice), gives(answers.Position)
REVIEW, THEORY = gives(answers.GameReview), gives(answers.VariantTheory)
LESSON = gives(answers.GameLesson)
LISTED, PUZZLE = gives(answers.Matches), gives(answers.PosedPuzzle, answers.Exhausted)
UNCHANGED = {"304": {"description": "Not modified"}}
EVENTS = streamed(answers.EVENTS, "The events of matches")
MY_EVENTS = streamed(answers.MY_EVENTS, "The events of all that concerns you")
SVG = media("image/svg+xml", "A picture")
HEALTH = gives(answers.Health) | gives(answers.Health, status=503, about="What is failing")


async def description(site: Site, request: Request) -> Response:
    """Describe the API."""
    return answer(openapi())


MATCH, GAME = f"{MATCHES}/{{id}}", "/api/v1/games/{game}"
# Most requested first: routes are tried in order.
URLS = (
    Operation(f"{MATCH}/actions", matches.act, TABLE, asked.ACTS, again=matches.table_again),
    Operation(f"{MATCH}/events", streams.events, EVENTS),
    Operation("/api/v1/events", streams.follow, EVENTS, (asked.Follow,)),
    Operation(MATCH, matches.match, TABLE),
    Operation(f"{MATCH}/coach", matches.coach, ADVICE, query=asked.AdviceQuery),
    Operation(MATCHES, matches.create, MADE, (asked.NewMatch,), again=matches.create_again),
    Operation(f"{MATCH}/join", matches.join, TABLE, (asked.Join,), again=matches.table_again),
    Operation(f"{MATCH}/decline", matches.decline, TABLE, (asked.Decline,)),
    Operation(f"{MATCH}/record", matches.record, gives(MatchDocument)),
    Operation(f"{MATCH}/review", matches.review, REVIEW, query=asked.ReviewQuery),
    Operation(f"{MATCH}/fork", matches.fork, MADE, (asked.Fork,)),
    Operation(f"{MATCH}/qr.svg", matches.qr, SVG),
    Operation("/api/v1/me", me.enroll, PERSON, (asked.NewPerson,)),
    Operation("/api/v1/me/events", me.my_events, MY_EVENTS),
    Operation("/api/v1/me/matches", me.my_matches, LISTED, query=asked.MatchesQuery),
    Operation("/api/v1/me/strength", me.strength, gives(answers.OwnStrength)),
    Operation("/api/v1/me/open", me.open_to, gives(answers.OpenTo), (asked.Open,)),
    Operation("/api/v1/bots", me.bots, gives(answers.Bots)),
    Operation("/api/v1/games", games.games, gives(answers.Games)),
    Operation(f"{GAME}/rules", games.rulebook, gives(answers.Rulebook)),
    Operation(f"{GAME}/lesson", games.lesson, LESSON),
    Operation(f"{GAME}/position", games.position, POSITION, query=asked.PositionQuery),
    Operation(f"{GAME}/map.svg", games.map_svg, SVG | UNCHANGED, query=asked.VariantQuery),
    Operation(f"{GAME}/theory", games.theory, THEORY, query=asked.VariantQuery),
    Operation("/api/v1/puzzle", games.puzzle, PUZZLE, query=asked.PuzzleQuery),
    Operation("/api/v1/puzzle", games.attempt, gives(answers.PuzzleAnswer), (asked.Attempt,)),
    Operation("/healthz", games.healthz, HEALTH),
    Operation("/openapi.json", description),
    # Pages.
    Operation("/", games.home),
    Operation("/new/{game}", games.new),
    Operation("/learn/{game}", games.learn),
    Operation("/rules/{game}", games.rules),
    Operation("/explore/{game}", games.explore),
    Operation("/puzzles", games.puzzles),
    Operation("/you", me.you),
    Operation("/m/{id}", matches.page),
    Operation("/m/{id}/review", matches.review_page),
    Operation("/m/{id}/next", matches.rematch),
)


def routes(site: Site) -> list[Route]:
    """Make the routes; operations with the same address share one."""
    found: dict[str, dict[str, Operation]] = {}
    for operation in URLS:
        found.setdefault(operation.path, {})[operation.method] = operation
    return [
        Route(path, Endpoint(site, operations), methods=list(operations))
        for path, operations in found.items()
    ]


class Endpoint:
    """What answers an address: an operation for each method."""

    def __init__(self, site: Site, operations: dict[str, Operation]) -> None:
        """Take the operations by their methods."""
        self.site, self.operations = site, operations

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        request = Request(scope, receive, send)
        try:
            response = await self._answer(request, self.operations[request.method])
        except StoreError as error:
            log.error("%s", error)
            raise Refused(
                "unavailable",
                "The server can't reach its database. Try again in a moment; "
                "a repeated move is played once.",
                retry=2,
            ) from error
        await response(scope, receive, send)

    async def _answer(self, request: Request, operation: Operation) -> Any:
        """Read a request, and return its answer."""
        site, endpoint = self.site, operation.endpoint
        try:
            if operation.gives and not operation.query and request.scope["query_string"]:
                raise Refused("invalid", "This address takes no parameters.", field="query")
            if operation.takes:
                return await endpoint(site, request, await read(request, *operation.takes))
            if operation.query:
                return await endpoint(site, request, read_query(request, operation.query))
            return await endpoint(site, request)
        except Refused as refused:
            if operation.again is None or not is_form(request):
                raise
            return await operation.again(site, request, refused)


@cache
def openapi() -> Doc:
    """Describe the whole API.

    >>> sorted(openapi()["paths"])[:2]
    ['/api/v1/bots', '/api/v1/events']
    """
    return describe(URLS)
