"""The store, used from the event loop: reads in threads, writes batched in transactions."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from zerosum.errors import Unwritable
from zerosum.store import Change, open_database
from zerosum.store.address import is_address
from zerosum.store.live import LiveStore

T = TypeVar("T")
READERS = 4
# What waits while one transaction is written goes into the next one together.
MOST_TOGETHER = 256
# More than a database waits for its disk, its network and other processes.
WAIT_SECONDS = 90.0


class AsyncStore:
    """One writing thread and a few reading ones, each with its own connection."""

    def __init__(self, address: str) -> None:
        """Take the store's address; nothing is opened yet."""
        self.address = address
        self._own = threading.local()
        self._opened: list[LiveStore] = []
        self._opening = threading.Lock()
        self._writer = ThreadPoolExecutor(1, "zerosum-write")
        self._readers = ThreadPoolExecutor(READERS, "zerosum-read")
        self._pending: list[tuple[tuple[Change, ...], asyncio.Future[Exception | None]]] = []
        self._draining: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def shared(self) -> bool:
        """Whether other servers may use the same database."""
        return is_address(self.address)

    async def read(self, work: Callable[[LiveStore], T]) -> T:
        """Run work with the store in a reading thread."""
        return await self._run(self._readers, work)

    async def alone(self, work: Callable[[LiveStore], T]) -> T:
        """Run work with the store in the writing thread, between two transactions."""
        return await self._run(self._writer, work)

    async def write(self, *changes: Change) -> None:
        """Write changes to the store, all or none; they are on disk when this returns."""
        waiting: asyncio.Future[Exception | None] = asyncio.get_running_loop().create_future()
        self._pending.append((changes, waiting))
        if self._draining is None or self._draining.done():
            self._draining = asyncio.create_task(self._drain())
        failure = await waiting  # the writing thread is not waited for forever
        if failure is not None:
            raise failure

    async def _drain(self) -> None:
        """Write what is waiting, one transaction after another."""
        while self._pending:
            batch, self._pending = self._pending[:MOST_TOGETHER], self._pending[MOST_TOGETHER:]
            groups = [changes for changes, _ in batch]
            failures: Sequence[Exception | None]
            try:
                failures = await self.alone(partial(LiveStore.write, groups=groups))
            except BaseException as error:  # those waiting must hear of it, whatever it is
                failures = [error if isinstance(error, Exception) else _unsure()] * len(batch)
            for (_, waiting), failure in zip(batch, failures, strict=True):
                if not waiting.done():  # else they have gone
                    waiting.set_result(failure)

    async def _run(self, pool: Executor, work: Callable[[LiveStore], T]) -> T:
        """Run work in a thread, and wait for it as long as a database may take."""
        if self._closed:
            raise Unwritable("The server is stopping; nothing was changed.")
        loop = asyncio.get_running_loop()
        return await _patiently(loop.run_in_executor(pool, self._with_store, work))

    def _with_store(self, work: Callable[[LiveStore], T]) -> T:
        """Run work with this thread's store, which recovers by itself from what fails.

        A closed one could not be opened again on a full disk, or would take a new file for its own.
        """
        if not hasattr(self._own, "store"):
            with self._opening:
                first = self._opened[0] if self._opened else None
                self._own.store = first.again() if first else LiveStore(open_database(self.address))
                self._opened.append(self._own.store)
        return work(self._own.store)

    async def close(self) -> None:
        """Write what is waiting, and close everything."""
        if self._draining is not None:
            await self._draining
        self._closed = True
        for pool in (self._writer, self._readers):
            pool.shutdown(wait=True)
        for store in self._opened:
            store.close()


async def _patiently(waiting: asyncio.Future[T]) -> T:
    """Wait as long as a database may take, and no longer."""
    try:
        async with asyncio.timeout(WAIT_SECONDS):
            return await waiting
    except TimeoutError:
        raise _unsure() from None


def _unsure() -> Unwritable:
    """Return the error for a change that may or may not be saved."""
    return Unwritable(
        "The database does not answer. The change was either saved completely or not at all."
    )
