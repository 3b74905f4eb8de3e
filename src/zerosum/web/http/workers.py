"""Several processes on one socket: started together, replaced if they die, stopped together."""

from __future__ import annotations

import multiprocessing
import signal
import socket
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import TYPE_CHECKING, Any

from zerosum.errors import ZerosumError
from zerosum.web.http.log import TROUBLE, start_log
from zerosum.web.http.sockets import ServeError
from zerosum.web.settings import Settings

if TYPE_CHECKING:
    from zerosum.web.http.server import Build

TICK = 0.1
PAUSE_SECONDS = 1.0
STOP_SECONDS = 10.0


class Worker:
    """One process, and whether it is ready."""

    def __init__(self, settings: Settings, build: Build, listening: socket.socket) -> None:
        """Start a process."""
        fresh = multiprocessing.get_context("spawn")
        self.pipe, theirs = fresh.Pipe(duplex=False)
        self.begun = time.monotonic()
        self.ready = False
        self.process = fresh.Process(target=work, args=(settings, build, listening, theirs))
        self.process.start()
        theirs.close()

    def look(self) -> bool:
        """Check whether it is ready; return whether it is alive."""
        if not self.ready and self.pipe.poll():
            try:
                self.ready = self.pipe.recv()
            except EOFError:
                self.ready = False
                self.process.join()
        return self.process.exitcode is None

    def close(self) -> None:
        """Release its resources once it has ended."""
        self.pipe.close()
        self.process.join()
        self.process.close()


class _Stop:
    """The first signal received."""

    def __init__(self) -> None:
        """Wait for a signal."""
        self.signal: int | None = None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Record a signal."""
        self.signal = self.signal or number


def serve_together(
    settings: Settings, build: Build, listening: socket.socket, ready: Callable[[], None]
) -> int | None:
    """Serve with several processes; return the signal that ended them."""
    from zerosum.web.http.server import SIGNALS

    stop = _Stop()
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number, handler in before.items():
        if handler != signal.SIG_IGN:
            signal.signal(number, stop)
    workers: list[Worker] = []
    try:
        workers += (Worker(settings, build, listening) for _ in range(settings.workers))
        _start(workers, stop)
        if stop.signal is None:
            ready()
        while stop.signal is None:
            _replace(workers, lambda: Worker(settings, build, listening))
            wait([worker.process.sentinel for worker in workers], TICK)
    finally:
        _end(workers)
        for number, handler in before.items():
            signal.signal(number, handler)
    return stop.signal


def _start(workers: list[Worker], stop: _Stop) -> None:
    """Wait until all are ready; if one cannot start, retrying would not help."""
    while stop.signal is None and not all(worker.ready for worker in workers):
        if not all(worker.look() for worker in workers):
            raise ServeError("A worker could not start; see its message above.")
        wait([worker.pipe for worker in workers if not worker.ready], TICK)


def _replace(workers: list[Worker], another: Callable[[], Worker]) -> None:
    """Replace each worker that died, with a pause between attempts."""
    for at, worker in enumerate(workers):
        if worker.look() or time.monotonic() - worker.begun < PAUSE_SECONDS:
            continue
        TROUBLE.error("A worker ended (%s); starting another.", worker.process.exitcode)
        worker.close()
        workers[at] = another()


def _end(workers: list[Worker]) -> None:
    """Stop all workers, and kill those that take too long."""
    for worker in workers:
        worker.process.terminate()
    limit = time.monotonic() + STOP_SECONDS
    for worker in workers:
        worker.process.join(max(0.0, limit - time.monotonic()))
        if worker.process.exitcode is None:
            worker.process.kill()
        worker.close()


def work(settings: Settings, build: Build, listening: socket.socket, pipe: Connection[Any]) -> None:
    """Serve in this worker process."""
    from zerosum.web.http.server import SIGNALS, run

    for number in SIGNALS:
        # Ctrl-C reaches every process of a terminal; the parent stops the others.
        signal.signal(number, signal.SIG_DFL if number == signal.SIGTERM else signal.SIG_IGN)
    start_log(settings.quiet)
    try:
        run(settings, build, listening, lambda: pipe.send(True))
    except ZerosumError as error:
        sys.stderr.write(f"Error: {error}\n")
        sys.exit(1)
