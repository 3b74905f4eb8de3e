"""The application: its routes, its parts, and its error handlers."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from zerosum.errors import GameError, StoreError
from zerosum.registry import find, games
from zerosum.web.analysis.pool import Budget, Pool
from zerosum.web.http.lockfile import LockFile
from zerosum.web.http.middleware import Guard
from zerosum.web.http.rates import Rates, Slots
from zerosum.web.refusals import Refused
from zerosum.web.routes import games as study
from zerosum.web.routes import lobby as seating
from zerosum.web.routes import matches, pages, streams
from zerosum.web.routes.openapi import openapi
from zerosum.web.routes.reading import answer
from zerosum.web.settings import Settings
from zerosum.web.site import Site, entries
from zerosum.web.tables.async_store import AsyncStore
from zerosum.web.tables.clock import Clock
from zerosum.web.tables.memory import Memory
from zerosum.web.tables.quota import Quota
from zerosum.web.tables.scheduler import Scheduler
from zerosum.web.tables.service import Tables

log = logging.getLogger("zerosum.web")

STATIC = os.path.join(os.path.dirname(__file__), "static")
PROCESSES = 2


def build(
    settings: Settings,
    rng: random.Random | None = None,
    pool: Pool | None = None,
    monotonic: Callable[[], float] = time.monotonic,
) -> Guard:
    """Build the application; nothing is opened before it starts."""
    limits = settings.limits
    found = entries(settings.files, _working(games()))
    files = {name: entry.file for name, entry in found.items() if entry.file is not None}
    budget = Budget(
        seconds=limits.solver_seconds,
        positions=limits.solver_positions,
        waiting=limits.solver_waiting,
        each=limits.solver_each,
        megabytes=limits.solver_megabytes,
        rules_seconds=limits.rules_seconds,
    )
    pool = pool or Pool(PROCESSES, budget, settings.cache, files)
    store = AsyncStore(settings.db)
    memory, clock = Memory(), Clock(store, monotonic)
    scheduler, quota = Scheduler(clock, store, memory, limits), Quota(store, limits)
    longest = limits.events_per_match
    site = Site(
        settings=settings,
        games=found,
        tables=Tables(store, pool, found, clock, scheduler, memory, quota, longest),
        pool=pool,
        rates=Rates(limits),
        rng=rng or random.SystemRandom(),
        streams=Slots(limits.streams_per_client, limits.streams_total),
        spectators=Slots(limits.spectators_per_match, limits.streams_total),
    )
    app = Starlette(
        routes=_routes(),
        lifespan=_lifespan,
        # The guard renders refusals; everything else is a bug, which it logs and answers with 500.
        exception_handlers={StoreError: _unavailable},
    )
    app.state.site = site
    return Guard(app, settings, site.rates, pages.error)


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
        Route("/events", streams.all_events, methods=["POST"]),
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
    """Open the database, which is locked first if it is a file, and start what runs beside it."""
    site: Site = app.state.site
    tables, loop = site.tables, asyncio.get_running_loop()
    store = tables.store

    def noticed(id: str, version: int) -> None:  # noqa: A002
        with suppress(RuntimeError):  # the loop is closed already
            loop.call_soon_threadsafe(tables.memory.noticed, id, version)

    async with AsyncExitStack() as stack:
        if not store.shared:
            stack.enter_context(closing(LockFile(store.address)))
        stack.push_async_callback(store.close)
        tables.secret = await store.alone(lambda found: found.secret())
        listener = await store.alone(lambda found: found.listen(noticed))
        if listener is not None:
            stack.push_async_callback(asyncio.to_thread, listener.close)
        stack.push_async_callback(site.pool.stop)
        await site.pool.start()
        await tables.clock.start()
        stack.push_async_callback(tables.scheduler.stop)
        tables.scheduler.start(tables.attend)
        stack.callback(site.closing.set)
        yield


async def _description(request: Request) -> Response:
    """Describe the API."""
    return answer(openapi())


async def _unavailable(request: Request, error: Exception) -> Response:
    """Answer that the database is unavailable; details go to the log."""
    log.error("%s", error)
    raise Refused(
        "unavailable",
        "The server cannot reach its database right now. Please try again; with the same key, "
        "nothing is done twice.",
        retry=2,
    ) from error
