"""Runs the server: one process or several, until it is told to stop."""

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

from zerosum.web.guard import Guard, guarded
from zerosum.web.listening import BACKLOG, ServeError, listen, network_url, port_of, url, with_room
from zerosum.web.log import start_log
from zerosum.web.protocol import connections
from zerosum.web.settings import Settings

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    Build = Callable[[Settings], ASGIApp]

SIGNALS = [
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    if hasattr(signal, name)
]
# For answers that are being worked out; streams do not wait for it.
GRACE_SECONDS = 3
LATE_SECONDS = 8.0
AGAIN_SECONDS = 1.0
INTERRUPTED = 130


def serve(settings: Settings, build: Build | None = None) -> int:
    """Serve until a signal comes; give the exit code: 130 after Ctrl-C, 0 after SIGTERM."""
    if settings.workers > 1 and not settings.shared:
        raise ServeError(
            "Several workers need a database that they share: ZEROSUM_DB=postgresql://… "
            f"zerosum web --workers {settings.workers}. With a file, one worker is right."
        )
    settings = settings._replace(limits=with_room(settings.limits))
    build = build or _application()
    with listen(settings.host, settings.port) as listening:
        start_log(settings.quiet)
        port = port_of(listening)
        if settings.workers > 1:
            from zerosum.web.workers import serve_together

            ended = serve_together(settings, build, listening, lambda: announce(settings, port))
        else:
            ended = run(settings, build, listening, lambda: announce(settings, port))
    return INTERRUPTED if ended == signal.SIGINT else 0


def _application() -> Build:
    """Load the application, which needs everything else."""
    from zerosum.web.app import build

    return build


def run(
    settings: Settings, build: Build, listening: socket.socket, ready: Callable[[], None]
) -> int | None:
    """Serve in this process; give the signal that ended it."""
    # Numbers are limited where they are read; a match of the terminal may have longer ones.
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
    """Set uvicorn up; what it would do about proxies and logs, the guard does."""
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
    """A server that ends its streams at once, and says by which signal it was ended."""

    def __init__(self, config: uvicorn.Config, guard: Guard, ready: Callable[[], None]) -> None:
        """Serve a guarded application; `ready` is called when connections are accepted."""
        super().__init__(config)
        self.signal: int | None = None
        self._stopped = 0.0
        self._guard = guard
        self._ready = ready
        self._log = logging.getLogger("uvicorn.error")

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start; what goes wrong is raised as an error, and not logged beside it."""
        self._log.setLevel(logging.CRITICAL)
        await super().startup(sockets)
        self._log.setLevel(logging.ERROR)
        self._follow_parent()
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop; who listens to news comes again by itself."""
        self._log.setLevel(logging.CRITICAL)
        self._guard.stop()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at a signal, and leave it at that: the exit code tells which it was."""
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
        """Note the first signal; a later one does not wait any longer."""
        now = time.monotonic()
        if self.signal is not None:
            # The same one comes twice where a terminal sends it to all, and a parent too.
            if now - self._stopped > AGAIN_SECONDS:
                _leave(self.signal)
            return
        self.signal, self._stopped = sig, now
        # Rules that never end keep the loop from hearing of it: then nobody waits for them.
        late = threading.Timer(LATE_SECONDS, _leave, [sig])
        late.daemon = True
        late.start()
        super().handle_exit(sig, frame)

    def _follow_parent(self) -> None:
        """End with the process that has started this one, however that has ended."""
        from multiprocessing import parent_process

        parent = parent_process()
        if parent is not None:
            with suppress(NotImplementedError):
                asyncio.get_running_loop().add_reader(parent.sentinel, self._orphaned)

    def _orphaned(self) -> None:
        """Stop, since nobody is there any more to say so."""
        from multiprocessing import parent_process

        parent = parent_process()
        if parent is not None:
            asyncio.get_running_loop().remove_reader(parent.sentinel)
        self.should_exit = True


def _leave(number: int) -> None:
    """End at once; all that was acknowledged is on the disk."""
    os._exit(128 + number)


def announce(settings: Settings, port: int) -> None:
    """Print where the server is, and open it where there is a desktop."""
    here = url(settings.host, port)
    lines = [f"Zerosum is at {here}  (Ctrl-C stops it)"]
    others = network_url(settings.host, port)
    if others is not None and others != here:
        lines.append(f"Others on your network: {others}")
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()
    if settings.open:
        threading.Thread(target=_open, args=(here,), daemon=True).start()


def _open(address: str) -> None:
    """Open an address in the browser, if there is one."""
    import webbrowser

    with suppress(webbrowser.Error, OSError):
        webbrowser.open(address)
