"""Several questions at once: threads that ask them, and as many processes of a program."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from threading import get_ident
from typing import Any, TypeVar

from zerosum.errors import ZerosumError
from zerosum.players.programs import ProgramPlayer

# How many questions for each thread are asked before the first of them is answered.
AHEAD = 4

Q = TypeVar("Q")
R = TypeVar("R")


class AskingThreads:
    """Threads that ask; their answers are taken in the order of the questions.

    With one job there are no threads. Others stay until the end: a process ends with the thread
    that has started it.
    """

    def __init__(self, jobs: int) -> None:
        """Take how many questions may be open at once."""
        self._jobs = jobs
        self._pool = ThreadPoolExecutor(jobs) if jobs > 1 else None

    def __enter__(self) -> AskingThreads:
        return self

    def __exit__(self, *_: object) -> None:
        """Ask no more; whoever waits for an answer is not waited for."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def ask_all(
        self, ask: Callable[[Q], R], questions: Iterable[Q], take: Callable[[Q, R], None]
    ) -> None:
        """Ask every question, and take the answers in order; `take` is called in this thread.

        What cannot be asked is raised when it is its turn. Whatever stops us, all answers that have
        come are taken first.
        """
        if self._pool is None:
            for question in questions:
                take(question, ask(question))
            return
        left = iter(questions)
        open_ones: deque[tuple[Q, Future[R]]] = deque()
        try:
            while True:
                for question in islice(left, AHEAD * self._jobs - len(open_ones)):
                    open_ones.append((question, self._pool.submit(ask, question)))
                if not open_ones:
                    return
                open_ones[0][1].result()
                question, future = open_ones.popleft()
                take(question, future.result())
        except BaseException:
            self._pool.shutdown(wait=False, cancel_futures=True)
            with suppress(ZerosumError):  # which may be why we stop
                for question, future in open_ones:
                    if future.done() and not future.cancelled() and not future.exception():
                        take(question, future.result())
            raise


class ProgramCrew:
    """A program as a player that any number of threads may ask: each has a process of it."""

    def __init__(self, player: ProgramPlayer) -> None:
        """Take the program; it is started when it is asked."""
        self.name, self.identity = player.name, player.identity
        self._player = player
        self._twins: dict[int, ProgramPlayer] = {}

    def __enter__(self) -> ProgramCrew:
        return self

    def __exit__(self, *error: object) -> None:
        """End all processes; a thread that nobody waits for may still start one."""
        for twin in [*self._twins.values()]:
            twin.__exit__(*error)

    @property
    def deterministic(self) -> bool:
        """Whether the program has declared that it is."""
        return any(twin.deterministic for twin in [*self._twins.values()])

    def ask(self, state: Any, sample: int, /) -> Any:
        """Ask the process of this thread."""
        thread = get_ident()
        if thread not in self._twins:
            self._twins[thread] = self._player.twin()
        return self._twins[thread].ask(state, sample)
