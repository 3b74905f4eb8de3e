"""Run the server in one process or several, until it is told to stop."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import parent_process
from types import FrameType
from typing import Any

from zerosum.web.http import sockets
from zerosum.web.http.connection import Connection, Connections
from zerosum.web.http.log import start_log, stop_log
from zerosum.web.http.middleware import Guard
from zerosum.web.settings import Settings

Build = Callable[[Settings], Guard]

NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
SIGNALS = [number for number in signal.Signals if number.name in NAMES]
# For answers in progress; streams end at once.
GRACE_SECONDS = 3.0
LATE_SECONDS = 8.0
AGAIN_SECONDS = 1.0
INTERRUPTED = 130


def serve(settings: Settings, build: Build | None = None) -> int:
    """Serve until a signal; return the exit code: 130 after Ctrl-C, 0 after SIGTERM."""
    if settings.workers > 1 and not settings.shared:
        raise sockets.ServeError(
            "Several workers need a shared database: ZEROSUM_DB=postgresql://… "
            f"zerosum web --workers {settings.workers}. With a file, use one worker."
        )
    settings = settings._replace(limits=sockets.with_room(settings.limits))
    if build is None:
        from zerosum.web import app  # which imports everything else

        build = app.build
    with sockets.listen(settings.host, settings.port) as listening:
        start_log(settings.quiet)
        port = sockets.port_of(listening)
        if settings.workers > 1:
            from zerosum.web.http.workers import serve_together

            ended = serve_together(settings, build, listening, lambda: announce(settings, port))
        else:
            ended = run(settings, build, listening, lambda: announce(settings, port))
    return INTERRUPTED if ended == signal.SIGINT else 0


def run(
    settings: Settings, build: Build, listening: socket.socket, ready: Callable[[], None]
) -> int | None:
    """Serve in this process; return the signal that ended it."""
    # Numbers are limited where they are read; matches from the terminal may have longer ones.
    sys.set_int_max_str_digits(0)
    new_event_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
    with suppress(ImportError):  # not for Windows
        from uvloop import new_event_loop
    server = Server(build(settings), settings)
    try:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(server.serve(listening, ready))
    finally:
        stop_log()
    return server.signal


class Server:
    """Serves an application until a signal, or until the parent process ends."""

    def __init__(self, guard: Guard, settings: Settings) -> None:
        """Take a guarded application."""
        self.signal: int | None = None
        self._guard, self._settings = guard, settings
        self._stopped_at = 0.0
        self._stopping = asyncio.Event()

    async def serve(self, listening: socket.socket, ready: Callable[[], None]) -> None:
        """Start the application, call `ready`, answer, and stop; a failed start is raised."""
        self._loop = asyncio.get_running_loop()
        app: Any = self._guard.app
        with handling_signals(self._stop):
            async with app.router.lifespan_context(app):
                connections = Connections(self._guard, self._settings, self._loop)
                server = await self._loop.create_server(
                    lambda: Connection(connections), sock=listening, backlog=sockets.BACKLOG
                )
                self._follow_parent()
                ready()
                await self._stopping.wait()
                server.close()
                await connections.close(GRACE_SECONDS)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        """Stop at the first signal; exit at once at a later one."""
        now = time.monotonic()
        if self.signal is not None:
            # It may arrive twice: from the terminal and from the parent.
            if now - self._stopped_at > AGAIN_SECONDS:
                _leave(self.signal)
            return
        self.signal, self._stopped_at = number, now
        # Rules that never return block the loop: then exit anyway.
        late = threading.Timer(LATE_SECONDS, _leave, [number])
        late.daemon = True
        late.start()
        self._loop.call_soon_threadsafe(self._stopping.set)

    def _follow_parent(self) -> None:
        """Stop when the parent process ends, however it ends."""
        parent = parent_process()

        def orphaned(sentinel: int) -> None:
            self._loop.remove_reader(sentinel)
            self._stopping.set()

        if parent is not None:
            with suppress(NotImplementedError):
                self._loop.add_reader(parent.sentinel, orphaned, parent.sentinel)


@contextmanager
def handling_signals(handler: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """Handle signals that are not ignored; the exit code tells which it was."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number, old in before.items():
        if old != signal.SIG_IGN:
            signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def _leave(number: int) -> None:
    """Exit at once; everything acknowledged is on disk."""
    os._exit(128 + number)


def announce(settings: Settings, port: int) -> None:
    """Print the server's address, and open it in a browser if wanted."""
    here = sockets.url(settings.host, port)
    lines = [f"Zerosum is running at {here} (press Ctrl-C to stop)"]
    others = sockets.network_url(settings.host, port)
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
