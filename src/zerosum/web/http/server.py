"""Run the server in one process or several, until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn

from zerosum.web.http.connection import connections
from zerosum.web.http.log import start_log
from zerosum.web.http.middleware import Guard, guarded
from zerosum.web.http.sockets import (
    BACKLOG,
    ServeError,
    listen,
    network_url,
    port_of,
    url,
    with_room,
)
from zerosum.web.settings import Settings

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    Build = Callable[[Settings], ASGIApp]

SIGNALS = [
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    if hasattr(signal, name)
]
# For answers in progress; streams end at once.
GRACE_SECONDS = 3
LATE_SECONDS = 8.0
AGAIN_SECONDS = 1.0
INTERRUPTED = 130


def serve(settings: Settings, build: Build | None = None) -> int:
    """Serve until a signal; return the exit code: 130 after Ctrl-C, 0 after SIGTERM."""
    if settings.workers > 1 and not settings.shared:
        raise ServeError(
            "Several workers need a shared database: ZEROSUM_DB=postgresql://… "
            f"zerosum web --workers {settings.workers}. With a file, use one worker."
        )
    settings = settings._replace(limits=with_room(settings.limits))
    build = build or _application()
    with listen(settings.host, settings.port) as listening:
        start_log(settings.quiet)
        port = port_of(listening)
        if settings.workers > 1:
            from zerosum.web.http.workers import serve_together

            ended = serve_together(settings, build, listening, lambda: announce(settings, port))
        else:
            ended = run(settings, build, listening, lambda: announce(settings, port))
    return INTERRUPTED if ended == signal.SIGINT else 0


def _application() -> Build:
    """Import the application, which imports everything else."""
    from zerosum.web.app import build

    return build


def run(
    settings: Settings, build: Build, listening: socket.socket, ready: Callable[[], None]
) -> int | None:
    """Serve in this process; return the signal that ended it."""
    # Numbers are limited where they are read; matches from the terminal may have longer ones.
    sys.set_int_max_str_digits(0)
    app = build(settings)
    guard = app if isinstance(app, Guard) else guarded(app, settings)
    server = Server(_config(guard, settings), guard, ready)
    try:
        server.run(sockets=[listening])
    except SystemExit:
        if guard.failure is None:
            raise
        raise guard.failure from None
    return server.signal


def _config(guard: Guard, settings: Settings) -> uvicorn.Config:
    """Configure uvicorn; the guard handles proxies and logs."""
    return uvicorn.Config(
        guard,
        http=connections(settings),
        ws="none",
        lifespan="on",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        workers=1,
        backlog=BACKLOG,
        timeout_keep_alive=settings.limits.idle_seconds,  # type: ignore[arg-type]
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


class Server(uvicorn.Server):
    """A server that ends its streams at once and records the signal that stopped it."""

    def __init__(self, config: uvicorn.Config, guard: Guard, ready: Callable[[], None]) -> None:
        """Serve a guarded application; `ready` is called when connections are accepted."""
        super().__init__(config)
        self.signal: int | None = None
        self._stopped = 0.0
        self._guard = guard
        self._ready = ready
        self._log = logging.getLogger("uvicorn.error")

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start; a failure is raised, not logged as well."""
        self._log.setLevel(logging.CRITICAL)
        await super().startup(sockets)
        self._log.setLevel(logging.ERROR)
        self._follow_parent()
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop; pages reconnect by themselves."""
        self._log.setLevel(logging.CRITICAL)
        self._guard.stop()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at a signal without re-raising it: the exit code tells which it was."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.getsignal(number) for number in SIGNALS}
        for number, handler in before.items():
            if handler != signal.SIG_IGN:
                signal.signal(number, self.handle_exit)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop at the first signal; exit at once at a later one."""
        now = time.monotonic()
        if self.signal is not None:
            # It may arrive twice: from the terminal and from the parent.
            if now - self._stopped > AGAIN_SECONDS:
                _leave(self.signal)
            return
        self.signal, self._stopped = sig, now
        # Rules that never return block the loop: then exit anyway.
        late = threading.Timer(LATE_SECONDS, _leave, [sig])
        late.daemon = True
        late.start()
        super().handle_exit(sig, frame)

    def _follow_parent(self) -> None:
        """Stop when the parent process ends, however it ends."""
        from multiprocessing import parent_process

        parent = parent_process()
        if parent is not None:
            with suppress(NotImplementedError):
                asyncio.get_running_loop().add_reader(parent.sentinel, self._orphaned)

    def _orphaned(self) -> None:
        """Stop, since the parent is gone."""
        from multiprocessing import parent_process

        parent = parent_process()
        if parent is not None:
            asyncio.get_running_loop().remove_reader(parent.sentinel)
        self.should_exit = True


def _leave(number: int) -> None:
    """Exit at once; everything acknowledged is on disk."""
    os._exit(128 + number)


def announce(settings: Settings, port: int) -> None:
    """Print the server's address, and open it in a browser if wanted."""
    here = url(settings.host, port)
    lines = [f"Zerosum is running at {here} (press Ctrl-C to stop)"]
    others = network_url(settings.host, port)
    if others is not None and others != here:
        lines.append(f"For others on your network: {others}")
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()
    if settings.open:
        threading.Thread(target=_open, args=(here,), daemon=True).start()


def _open(address: str) -> None:
    """Open an address in the browser, if there is one."""
    import webbrowser

    with suppress(webbrowser.Error, OSError):
        webbrowser.open(address)
