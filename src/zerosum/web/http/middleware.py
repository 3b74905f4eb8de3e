"""The guard around the application: what it admits, and what every answer carries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zerosum.web.http.answers import Page, plain_page
from zerosum.web.http.exchange import Exchange
from zerosum.web.http.limits import Rates
from zerosum.web.http.log import TROUBLE
from zerosum.web.settings import Settings

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


def guarded(
    app: ASGIApp, settings: Settings, rates: Rates | None = None, page: Page = plain_page
) -> Guard:
    """Guard an application; `page` renders errors for people."""
    return Guard(app, settings, rates or Rates(settings.limits), page)


class Guard:
    """The outermost application."""

    def __init__(self, app: ASGIApp, settings: Settings, rates: Rates, page: Page) -> None:
        """Guard an application; `failure` holds what stopped it from starting."""
        self.app = app
        self.settings = settings
        self.rates = rates
        self.page = page
        self.failure: BaseException | None = None
        self.stopping = False
        self.held: set[Exchange] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http":
            await Exchange(self, scope, receive, send).run()
        elif scope["type"] == "lifespan":
            await self._live(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    def stop(self) -> None:
        """End what would delay the shutdown: streams, and bodies that do not arrive."""
        self.stopping = True
        for exchange in list(self.held):
            exchange.end()

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Start and stop the application; keep the reason if it fails to start."""
        started = False

        async def told(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "lifespan.startup.complete"
            # Starlette would include its traceback.
            await send({"type": message["type"]})

        try:
            await self.app(scope, receive, told)
        except BaseException as error:
            if started:
                TROUBLE.error("The server did not stop properly.", exc_info=error)
            else:
                self.failure = error
            raise
