"""Run the server in one process or several, until it is told to stop."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection as Pipe
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import Any

import uvicorn
from uvicorn.server import HANDLED_SIGNALS

from zerosum.errors import ZerosumError
from zerosum.web.http import sockets
from zerosum.web.http.connection import Connection
from zerosum.web.http.log import log, start_log, stop_log
from zerosum.web.http.middleware import Guard
from zerosum.web.settings import ServerSettings

Build = Callable[[ServerSettings], Guard]

# For answers in progress; streams end at once.
GRACE_SECONDS = 3.0
LATE_SECONDS = 8.0
INTERRUPTED = 130
# For several processes.
TICK = 0.1
PAUSE_SECONDS = 1.0
STOP_SECONDS = 10.0


def serve(settings: ServerSettings, build: Build) -> int:
    """Serve until a signal; return the exit code: 130 after Ctrl-C, 0 after SIGTERM."""
    if settings.workers > 1 and not settings.shared:
        raise sockets.ServeError(
            "Several workers need a shared database: ZEROSUM_DB=postgresql://… "
            f"zerosum web --workers {settings.workers}. With a file, use one worker."
        )
    settings = settings._replace(limits=sockets.with_room(settings.limits))
    with sockets.listen(settings.host, settings.port, settings.limits.send_seconds) as listening:
        start_log(settings.quiet)
        settings = settings._replace(port=sockets.port_of(listening))
        start = serve_together if settings.workers > 1 else run
        ended = start(settings, build, listening, lambda: announce(settings))
    return INTERRUPTED if ended == signal.SIGINT else 0


def run(
    settings: ServerSettings, build: Build, listening: socket.socket, ready: Callable[[], None]
) -> int | None:
    """Serve in this process; return the signal that ended it."""
    # Numbers are limited where they are read; matches from the terminal may have longer ones.
    sys.set_int_max_str_digits(0)
    # Searching all tables for cycles takes a quarter of a second, and finds none: requests and
    # streams leave no cycles behind. So only what is young is searched often.
    gc.set_threshold(20_000, 20, 10_000)
    server = Server(build(settings), ready)
    try:
        with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
            runner.run(server.serve([listening]))
    finally:
        stop_log()
    return server.signal


class Server(uvicorn.Server):
    """Serves an application until a signal."""

    def __init__(self, guard: Guard, ready: Callable[[], None]) -> None:
        """Take a guarded application, and what to call once it can be reached."""
        config = uvicorn.Config(
            guard,
            http=Connection,
            ws="none",
            lifespan="off",  # so that a failed start is raised, not logged
            log_config=None,
            log_level="critical",  # the guard logs what matters
            access_log=False,
            proxy_headers=False,  # the guard reads them, if it may
            server_header=False,
            backlog=sockets.BACKLOG,
            timeout_keep_alive=guard.settings.limits.idle_seconds,  # type: ignore[arg-type]
            timeout_graceful_shutdown=GRACE_SECONDS,  # type: ignore[arg-type]
        )
        super().__init__(config)
        self.signal: int | None = None
        self._guard, self._ready = guard, ready

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, answer, and stop; a failed start is raised."""
        app: Any = self._guard.app
        with self.capture_signals():  # also while the application starts and stops
            async with app.lifespan_context(app):
                await super().serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept connections."""
        await super().startup(sockets)
        self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop at the first signal; the parent may pass on the same one again."""
        if self.signal is None:
            self.signal, self.should_exit = sig, True
            # Exit even if something blocks the loop: what was confirmed is stored.
            late = threading.Timer(LATE_SECONDS, os._exit, [128 + sig])
            late.daemon = True
            late.start()


def serve_together(
    settings: ServerSettings, build: Build, listening: socket.socket, ready: Callable[[], None]
) -> int | None:
    """Serve with several processes, replacing those that die; return the signal that ended it."""
    fresh = multiprocessing.get_context("spawn")
    pipe, theirs = fresh.Pipe(duplex=False)
    received: list[int] = []
    workers: list[SpawnProcess] = []

    def start() -> SpawnProcess:
        worker = fresh.Process(target=work, args=(settings, build, listening, theirs))
        worker.start()
        return worker

    for number in HANDLED_SIGNALS:
        signal.signal(number, lambda number, frame: received.append(number))
    try:
        workers += (start() for _ in range(settings.workers))
        starting = settings.workers
        while not received:
            if pipe.poll(TICK):
                starting -= pipe.recv()
                if starting == 0:
                    ready()
            for at, worker in enumerate(workers):
                if worker.exitcode is None:
                    continue
                if starting > 0:
                    raise sockets.ServeError("A worker could not start; see its message above.")
                log.error("A worker ended (%s); starting another.", worker.exitcode)
                time.sleep(PAUSE_SECONDS)
                workers[at] = start()
    finally:
        for worker in workers:
            worker.terminate()
        limit = time.monotonic() + STOP_SECONDS
        for worker in workers:
            worker.join(max(0.0, limit - time.monotonic()))
            worker.kill()
    return received[0] if received else None


def work(settings: ServerSettings, build: Build, listening: socket.socket, pipe: Pipe[Any]) -> None:
    """Serve in this worker process, and tell the parent when it is ready."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it reaches every process of a terminal
    threading.Thread(target=_follow_parent, daemon=True).start()
    start_log(settings.quiet)
    try:
        run(settings, build, listening, lambda: pipe.send(1))
    except ZerosumError as error:
        sys.exit(f"Error: {error}")


def _follow_parent() -> None:
    """Stop when the parent process ends, however it ends."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def announce(settings: ServerSettings) -> None:
    """Print the server's address, and open it in a browser if wanted."""
    port = settings.port
    here = sockets.url(settings.host, port)
    text = f"Zerosum is running at {here} (press Ctrl-C to stop)\n"
    others = [found for found in sockets.network_urls(settings.host, port) if found != here]
    if others:
        text += f"For others on your network: {' or '.join(others)}\n"
    sys.stdout.write(text)
    sys.stdout.flush()
    if settings.open:
        import webbrowser

        threading.Thread(target=webbrowser.open, args=(here,), daemon=True).start()
