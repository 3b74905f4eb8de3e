"""A guarded application that answers with what it sees."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.web.http.asgi import Header
from zerosum.web.http.middleware import Guard
from zerosum.web.limits import ServerLimits
from zerosum.web.refusals import Refused
from zerosum.web.settings import Settings

HERE: Header = ("host", "localhost:8000")
OPEN = Settings("", host="0.0.0.0")
PROXIED = Settings("", trust_proxy=True)


async def echo(request: Request) -> Response:
    """Return what the application sees."""
    return JSONResponse(
        {
            "client": request.state.client,
            "origin": request.state.origin,
            "url": str(request.url),
            "method": request.method,
            "body": (await request.body()).decode(),
        }
    )


async def late(request: Request) -> Response:
    raise Refused("stale", "The game has gone on.", ply=4)


async def broken(request: Request) -> Response:
    raise ValueError("the secret")


def app(settings: Settings = OPEN, **limits: float) -> Guard:
    changed = settings._replace(limits=ServerLimits(**limits))  # type: ignore[arg-type]
    routes = [
        Route("/", echo, methods=["GET", "POST"]),
        Route("/m/{id}/state", echo),
        Route("/late", late),
        Route("/broken", broken),
    ]
    return Guard(Starlette(routes=routes), changed)
