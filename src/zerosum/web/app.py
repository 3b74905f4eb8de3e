"""The application: its routes, its parts, and its error handlers."""

from __future__ import annotations

import asyncio
import logging
import os
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from zerosum.errors import GameError, StoreError, ZerosumError
from zerosum.registry import find, games
from zerosum.web.analysis.pool import Budget, Pool
from zerosum.web.careful import broken
from zerosum.web.http.answers import prefers_html, usual
from zerosum.web.http.limits import Places, Rates
from zerosum.web.http.lockfile import LockFile
from zerosum.web.http.middleware import guarded
from zerosum.web.refusals import Refused
from zerosum.web.routes import games as study
from zerosum.web.routes import lobby as seating
from zerosum.web.routes import matches, pages, streams
from zerosum.web.routes.openapi import openapi
from zerosum.web.settings import Settings
from zerosum.web.site import Site, entries
from zerosum.web.tables.async_store import AsyncStore
from zerosum.web.tables.scheduler import Scheduler
from zerosum.web.tables.service import Tables

log = logging.getLogger("zerosum.web")

STATIC = os.path.join(os.path.dirname(__file__), "static")
THINKERS = 2


def build(settings: Settings, rng: random.Random | None = None) -> ASGIApp:
    """Build the application; nothing is opened before it starts."""
    limits = settings.limits
    found = entries(settings.files, _working(games()))
    files = {name: entry.file for name, entry in found.items() if entry.file is not None}
    budget = Budget(
        seconds=limits.solver_seconds,
        positions=limits.solver_positions,
        waiting=limits.solver_waiting,
        each=limits.solver_each,
    )
    thinkers = Pool(THINKERS, budget, settings.cache, files)
    site = Site(
        settings=settings,
        games=found,
        tables=Tables(AsyncStore(settings.db), thinkers, limits.events_per_match),
        thinkers=thinkers,
        rates=Rates(limits),
        rng=rng or random.SystemRandom(),
        streams=Places(limits.streams_per_client, limits.streams_total),
        spectators=Places(limits.spectators_per_match, limits.streams_total),
    )
    app = Starlette(
        routes=_routes(),
        lifespan=_lifespan,
        exception_handlers={
            Refused: _refused,
            GameError: _broken_game,
            StoreError: _unavailable,
            ZerosumError: _failed,
            HTTPException: _http_error,
        },
    )
    app.state.site = site
    return guarded(app, settings, site.rates, pages.error)


def _working(names: tuple[str, ...]) -> tuple[str, ...]:
    """Skip installed games that do not load."""
    working = []
    for name in names:
        try:
            find(name)
        except GameError as error:
            log.warning("%s", error)
        else:
            working.append(name)
    return tuple(working)


def _routes() -> list[BaseRoute]:
    """List every route."""
    return [
        # Most requested first: routes are tried in order.
        Route("/m/{id}/actions", matches.actions, methods=["POST"]),
        Route("/m/{id}/events", streams.events),
        Route("/m/{id}/state", matches.state),
        Route("/m/{id}/coach", matches.coach),
        Route("/", study.home),
        Route("/new/{game}", study.new),
        Route("/rules/{game}", study.rules),
        Route("/explore/{game}", study.explore),
        Route("/puzzles", study.puzzles),
        Route("/m", seating.create, methods=["POST"]),
        Route("/m/{id}", matches.page),
        Route("/m/{id}/join", seating.join, methods=["POST"]),
        Route("/m/{id}/review", matches.review_page),
        Route("/m/{id}/review.json", matches.review),
        Route("/m/{id}/fork", seating.fork, methods=["POST"]),
        Route("/m/{id}/next", matches.follow),
        Route("/m/{id}/qr.svg", matches.qr),
        Route("/api/games", study.games),
        Route("/api/games/{game}/position", study.position),
        Route("/api/games/{game}/map.svg", study.map_svg),
        Route("/api/games/{game}/theory", study.theory),
        Route("/api/puzzle", study.puzzle, methods=["GET", "POST"]),
        Route("/openapi.json", _description),
        Route("/healthz", study.healthz),
        Route("/pictures.css", study.pictures_css),
        Mount("/static", _Static(directory=STATIC)),
    ]


class _Static(StaticFiles):
    """Static files that browsers revalidate on every use."""

    def file_response(self, *args: object, **more: object) -> Response:
        """Prevent stale files after an upgrade."""
        response = super().file_response(*args, **more)  # type: ignore[arg-type]
        response.headers["cache-control"] = "no-cache"
        return response


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    """Open the store and start the solver processes; close both at the end."""
    site: Site = app.state.site
    tables, loop = site.tables, asyncio.get_running_loop()
    tables.secret = await tables.keeping.alone(lambda store: store.secret())
    try:
        # The store has created its folder by now.
        alone = None if site.settings.shared else LockFile(site.settings.db)
    except StoreError:
        await tables.keeping.close()
        raise

    def noticed(id: str, version: int) -> None:  # noqa: A002
        with suppress(RuntimeError):  # the loop is closed already
            loop.call_soon_threadsafe(tables.memory.noticed, id, version)

    listener = await tables.keeping.alone(lambda store: store.listen(noticed))
    tables.shared = listener is not None
    await site.thinkers.start()
    attendant = Scheduler(tables, site.limits)
    await attendant.begin()
    attendant.start()
    try:
        yield
    finally:
        site.closing.set()
        await attendant.stop()
        await site.thinkers.stop()
        if listener is not None:
            await asyncio.to_thread(listener.close)
        await tables.keeping.close()
        if alone is not None:
            alone.close()


async def _description(request: Request) -> Response:
    """Describe the API."""
    return JSONResponse(openapi())


def _answer(request: Request, error: Refused) -> Response:
    """Answer with a typed error, as a page if the client prefers one."""
    retry = error.more.get("retry")
    headers = {} if retry is None else {"retry-after": str(retry)}
    if prefers_html(request.headers.get("accept", "").encode()):
        page = pages.error(error.status, error.code, error.message)
        return HTMLResponse(page, error.status, headers)
    return JSONResponse(error.document(), error.status, headers)


async def _refused(request: Request, error: Exception) -> Response:
    """Answer a refused request."""
    if not isinstance(error, Refused):
        raise error
    return _answer(request, error)


async def _broken_game(request: Request, error: Exception) -> Response:
    """Answer for a game whose rules failed."""
    return _answer(request, broken(error))


async def _unavailable(request: Request, error: Exception) -> Response:
    """Answer that the database is unavailable; details go to the log."""
    log.error("%s", error)
    said = Refused(
        "unavailable",
        "The server cannot reach its database right now. Please try again; with the same key, "
        "nothing is done twice.",
        retry=2,
    )
    return _answer(request, said)


async def _failed(request: Request, error: Exception) -> Response:
    """Answer for any other error, which only a game can cause."""
    log.warning("%s", error)
    return _answer(request, broken(error))


async def _http_error(request: Request, error: Exception) -> Response:
    """Answer for an unknown address or method."""
    if not isinstance(error, HTTPException):
        raise error
    allow = (error.headers or {}).get("Allow", "").encode()
    response = _answer(request, usual(error.status_code, request.method, allow))
    for name, value in (error.headers or {}).items():
        response.headers[name] = value
    return response
