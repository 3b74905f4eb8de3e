"""The application: its routes, its parts, and its error handlers."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress

from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from zerosum.errors import StoreError
from zerosum.options import ON
from zerosum.store.lock import LockFile
from zerosum.web.analysis.pool import Pool
from zerosum.web.assets import static
from zerosum.web.http.middleware import Guard
from zerosum.web.http.sockets import url
from zerosum.web.limits import ServerLimits
from zerosum.web.refusals import Refused
from zerosum.web.routes import pages
from zerosum.web.routes.urls import routes
from zerosum.web.settings import ServerSettings
from zerosum.web.site import Site, entries
from zerosum.web.tables.async_store import AsyncStore
from zerosum.web.tables.service import Tables

log = logging.getLogger("zerosum.web")


class App(Router):
    """The routes, which answer nobody before the lifespan has begun: tokens need the secret.

    Starlette's own application would add handlers of errors, but the guard has these.
    """

    def __init__(self, site: Site) -> None:
        """Route to a site; nothing is opened yet."""
        every = [*routes(site), Route("/static/{version}/{name}", static)]
        super().__init__(every, lifespan=lambda app: _lifespan(site))
        self.site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or start and stop."""
        if scope["type"] == "http" and not self.site.tables.secret:
            log.error("Nothing was started: the ASGI server must support the lifespan protocol.")
            raise Refused("unavailable", "The server has not started; nothing was changed.")
        await super().__call__(scope, receive, send)


def create() -> Guard:
    """Return the application for another ASGI server, which decides who can reach it.

    ZEROSUM_DB names its database. ZEROSUM_WEB_TRUST_PROXY=1 says that it is behind a proxy, and
    ZEROSUM_WEB_BOTS=1 that it lists bots.
    """
    db = os.environ.get("ZEROSUM_DB")
    if not db:
        raise StoreError("Name the file or the database of the matches in ZEROSUM_DB.")
    names = "ZEROSUM_WEB_TRUST_PROXY", "ZEROSUM_WEB_BOTS"
    proxied, bots = (os.environ.get(name, "").lower() in ON for name in names)
    limits = ServerLimits.read(os.environ)
    return build(ServerSettings(db, host="", trust_proxy=proxied, bots=bots, limits=limits))


def build(
    settings: ServerSettings,
    pool: Pool | None = None,
    monotonic: Callable[[], float] = time.monotonic,
) -> Guard:
    """Build the application, for any ASGI server; nothing is opened before it starts."""
    limits = settings.limits
    pool = pool or Pool(limits, settings.cache)
    engines = dict(settings.engines)
    tables = Tables(AsyncStore(settings.db), pool, {}, limits, monotonic, engines)
    site = Site(settings, tables)
    return Guard(App(site), settings, site.rates, pages.error)


@asynccontextmanager
async def _lifespan(site: Site) -> AsyncIterator[None]:
    """Load the games, open the database, locked first if it is a file, and start all the rest."""
    tables, loop = site.tables, asyncio.get_running_loop()
    store = tables.store

    def noticed(id: str, version: int, holders: list[str]) -> None:  # noqa: A002
        with suppress(RuntimeError):  # the loop is closed already
            loop.call_soon_threadsafe(tables.memory.noticed, id, version, holders)

    async with AsyncExitStack() as stack:
        stack.push_async_callback(site.pool.stop)
        site.games.update(await entries(site.pool, site.settings.files))
        if not store.shared:
            host, port = site.settings.host, site.settings.port
            here = url(host, port) if host else ""  # another server says where it is
            stack.enter_context(closing(LockFile(store.address, here)))
        stack.push_async_callback(store.close)
        tables.secret = await store.alone(lambda found: found.secret())
        listener = await store.alone(lambda found: found.database.listen(noticed))
        if listener is not None:
            stack.push_async_callback(asyncio.to_thread, listener.close)
        await asyncio.to_thread(pages.warm_up)
        await asyncio.to_thread(site.warm_up)
        stack.push_async_callback(site.stop)
        await site.start()
        await tables.clock.start()
        stack.push_async_callback(tables.engines.stop)
        stack.push_async_callback(tables.scheduler.stop)
        tables.scheduler.start()
        stack.callback(site.closing.set)
        yield
