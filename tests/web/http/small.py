"""A small application on the real server: `python -m tests.web.http.small SETTINGS`."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route, Router

from zerosum.errors import ZerosumError
from zerosum.web.http import server as serving
from zerosum.web.http.middleware import Guard
from zerosum.web.limits import ServerLimits
from zerosum.web.settings import ServerSettings


async def hello(request: Request) -> Response:
    """Return what the application sees."""
    return JSONResponse(
        {
            "process": os.getpid(),
            "client": request.state.client,
            "origin": request.state.origin,
            "url": str(request.url),
        }
    )


async def daring(request: Request) -> Response:
    loose = {"Content-Security-Policy": "default-src *", "X-Frame-Options": "ALLOWALL"}
    return PlainTextResponse("hello", headers={**loose, "Cache-Control": "max-age=60"})


async def picture(request: Request) -> Response:
    return Response("<svg/>", media_type="image/svg+xml")


async def echo(request: Request) -> Response:
    return PlainTextResponse(await request.body())


async def events(request: Request) -> Response:
    async def news() -> AsyncIterator[bytes]:
        yield b"data: 0\n\n"
        while True:
            await asyncio.sleep(0.05)
            yield b": beat\n\n"

    return StreamingResponse(news(), media_type="text/event-stream")


async def flood(request: Request) -> Response:
    """Events faster than anyone can read."""

    async def news() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * 10_000
            await asyncio.sleep(0)

    return StreamingResponse(news(), media_type="text/event-stream")


async def large(request: Request) -> Response:
    size = int(request.query_params.get("size", "5000000"))
    return Response(b"x" * size, media_type="application/octet-stream")


async def pause(request: Request) -> Response:
    await asyncio.sleep(float(request.query_params["seconds"]))
    return PlainTextResponse("done")


async def leave(request: Request) -> Response:
    """Die as a process does that the system has killed."""
    os._exit(9)


@asynccontextmanager
async def lifespan(app: Router) -> AsyncIterator[None]:
    if os.environ.get("SMALL_FAILS"):
        raise ZerosumError("The store is not there.")
    yield
    if os.environ.get("SMALL_AGAIN"):  # somebody cannot wait
        os.kill(os.getpid(), signal.SIGTERM)
    sys.stderr.write("stopped properly\n")


def build(settings: ServerSettings) -> Guard:
    routes = [
        *(Route(path, hello) for path in ("/m/{id}", "/m/{id}/next", "/max", "/static/{file}")),
        *(Route(path, daring) for path in ("/daring", "/m/{id}/daring")),
        Route("/api/map.svg", picture),
        Route("/", hello, methods=["GET", "POST"]),
        Route("/m", hello, methods=["POST"]),
        Route("/echo", echo, methods=["POST"]),
        Route("/m/x/events", events),
        Route("/flood", flood),
        Route("/large", large),
        Route("/pause", pause),
        Route("/leave", leave, methods=["POST"]),
    ]
    return Guard(Router(routes, lifespan=lifespan), settings)


def main() -> int:
    given = json.loads(sys.argv[1])
    serving.GRACE_SECONDS = float(os.environ.get("SMALL_GRACE", serving.GRACE_SECONDS))
    settings = ServerSettings(
        **{"db": "", "port": 0, **given, "limits": ServerLimits(**given["limits"])}
    )
    try:
        return serving.serve(settings, build)
    except ZerosumError as error:
        sys.stderr.write(f"Error: {error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
