"""Several processes on one socket: started together, replaced if they die, stopped together."""

from __future__ import annotations

import multiprocessing
import signal
import socket
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection as Pipe
from multiprocessing.connection import wait
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
        """Start a process, which writes to the pipe when it is ready and closes it at its end."""
        fresh = multiprocessing.get_context("spawn")
        self.pipe, theirs = fresh.Pipe(duplex=False)
        self.begun = time.monotonic()
        self.ready = False
        self.process = fresh.Process(target=work, args=(settings, build, listening, theirs))
        self.process.start()
        theirs.close()

    def is_alive(self) -> bool:
        """Return whether it runs, and note whether it is ready."""
        if not self.ready and self.pipe.poll():
            try:
                self.ready = self.pipe.recv()
            except EOFError:
                self.process.join()
        return self.process.exitcode is None

    def close(self, seconds: float = 0.0) -> None:
        """Wait so long for its end, then kill it, and release its resources."""
        self.process.join(seconds)
        self.process.kill()
        self.process.join()
        self.process.close()
        self.pipe.close()


def serve_together(
    settings: Settings, build: Build, listening: socket.socket, ready: Callable[[], None]
) -> int | None:
    """Serve with several processes; return the signal that ended them."""
    from zerosum.web.http.server import handling_signals

    received: list[int] = []
    workers: list[Worker] = []
    with handling_signals(lambda number, frame: received.append(number)):
        try:
            workers += (Worker(settings, build, listening) for _ in range(settings.workers))
            while not received and not all(worker.ready for worker in workers):
                if not all(worker.is_alive() for worker in workers):
                    raise ServeError("A worker could not start; see its message above.")
                wait([worker.pipe for worker in workers if not worker.ready], TICK)
            if not received:
                ready()
            while not received:
                for at, worker in enumerate(workers):
                    if not worker.is_alive() and time.monotonic() - worker.begun > PAUSE_SECONDS:
                        code = worker.process.exitcode
                        TROUBLE.error("A worker ended (%s); starting another.", code)
                        worker.close()
                        workers[at] = Worker(settings, build, listening)
                wait([worker.process.sentinel for worker in workers], TICK)
        finally:
            for worker in workers:
                worker.process.terminate()
            limit = time.monotonic() + STOP_SECONDS
            for worker in workers:
                worker.close(max(0.0, limit - time.monotonic()))
    return received[0] if received else None


def work(settings: Settings, build: Build, listening: socket.socket, pipe: Pipe[Any]) -> None:
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
