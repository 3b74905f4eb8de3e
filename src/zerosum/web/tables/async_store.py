"""The store, used from the event loop: reads in threads, writes batched in transactions."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from zerosum.errors import StoreError, Unwritable
from zerosum.store import Change, Store, open_store

T = TypeVar("T")
READERS = 4
# What waits while one transaction is written goes into the next one together.
MOST_TOGETHER = 256


class AsyncStore:
    """One writing thread and a few reading ones, each with its own connection."""

    def __init__(self, address: str) -> None:
        """Take the store's address; nothing is opened yet."""
        self.address = address
        self._own = threading.local()
        self._opened: list[Store] = []
        self._writer = ThreadPoolExecutor(1, "zerosum-write")
        self._readers = ThreadPoolExecutor(READERS, "zerosum-read")
        self._pending: list[tuple[tuple[Change, ...], asyncio.Future[None]]] = []
        self._draining: asyncio.Task[None] | None = None

    async def read(self, work: Callable[[Store], T]) -> T:
        """Run work with the store in a reading thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, self._with_store, work)

    async def alone(self, work: Callable[[Store], T]) -> T:
        """Run work with the store in the writing thread, between two transactions."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._writer, self._with_store, work)

    async def write(self, *changes: Change) -> None:
        """Write changes to the store, all or none; they are on disk when this returns."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pending.append((changes, future))
        if self._draining is None or self._draining.done():
            self._draining = asyncio.create_task(self._drain())
        await future

    async def _drain(self) -> None:
        """Write what is waiting, one transaction after another."""
        while self._pending:
            batch = self._pending[:MOST_TOGETHER]
            del self._pending[:MOST_TOGETHER]
            groups = [changes for changes, _ in batch]
            try:
                results = await self.alone(functools.partial(_write, groups))
            except Exception as error:  # those waiting must hear of it, whatever it is
                for _, future in batch:
                    if not future.done():
                        future.set_exception(error)
                continue
            for (_, future), refusal in zip(batch, results, strict=True):
                if future.done():
                    continue
                if refusal is not None:
                    future.set_exception(refusal)
                else:
                    future.set_result(None)

    def _with_store(self, work: Callable[[Store], T]) -> T:
        """Run work with this thread's store; reopen the store after it failed."""
        store = getattr(self._own, "store", None)
        if store is None:
            store = self._own.store = open_store(self.address)
            self._opened.append(store)
        try:
            return work(store)
        except Unwritable:
            self._own.store = None
            self._opened.remove(store)
            with suppress(StoreError):
                store.close()
            raise

    async def close(self) -> None:
        """Write what is waiting, and close everything."""
        if self._draining is not None:
            with suppress(StoreError):
                await self._draining
        for pool in (self._writer, self._readers):
            pool.shutdown(wait=True)
        for store in self._opened:
            store.close()


def _write(groups: list[tuple[Change, ...]], store: Store) -> list[StoreError | None]:
    """Write all groups in one transaction."""
    return store.write(groups)
