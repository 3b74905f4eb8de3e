"""The application: its routes, its parts, and its error handlers."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from functools import partial

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from zerosum.errors import StoreError
from zerosum.web.analysis.pool import Pool
from zerosum.web.http.lockfile import LockFile
from zerosum.web.http.middleware import Guard
from zerosum.web.refusals import Refused
from zerosum.web.routes import games, matches, pages
from zerosum.web.routes.api import description, routes
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
# What people open in a browser, besides the API.
PAGES = {
    "/": games.home,
    "/new/{game}": games.new,
    "/rules/{game}": games.rules,
    "/explore/{game}": games.explore,
    "/puzzles": games.puzzles,
    "/m/{id}": matches.page,
    "/m/{id}/review": matches.review_page,
    "/m/{id}/next": matches.rematch,
    "/openapi.json": description,
    "/pictures.css": games.pictures_css,
}


def build(
    settings: Settings,
    pool: Pool | None = None,
    monotonic: Callable[[], float] = time.monotonic,
) -> Guard:
    """Build the application; nothing is opened before it starts."""
    limits = settings.limits
    found = entries(settings.files)
    files = {name: entry.file for name, entry in found.items() if entry.file is not None}
    pool = pool or Pool(PROCESSES, limits, settings.cache, files)
    store = AsyncStore(settings.db)
    memory, clock = Memory(), Clock(store, monotonic)
    scheduler, quota = Scheduler(clock, store, memory, limits), Quota(store, limits)
    longest = limits.events_per_match
    tables = Tables(store, pool, found, clock, scheduler, memory, quota, longest)
    site = Site(settings, found, tables, pool)
    app = Starlette(
        routes=[
            *routes(site),
            *(Route(path, partial(endpoint, site)) for path, endpoint in PAGES.items()),
            Mount("/static", _Static(directory=STATIC)),
        ],
        lifespan=_lifespan,
        # The guard renders refusals; everything else is a bug, which it logs and answers with 500.
        exception_handlers={StoreError: _unavailable},
    )
    app.state.site = site
    return Guard(app, settings, site.rates, pages.error)


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


async def _unavailable(request: Request, error: Exception) -> Response:
    """Answer that the database is unavailable; details go to the log."""
    log.error("%s", error)
    raise Refused(
        "unavailable",
        "The server cannot reach its database right now. Please try again; with the same key, "
        "nothing is done twice.",
        retry=2,
    ) from error
