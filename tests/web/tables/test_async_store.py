"""The store in threads: what is acknowledged is stored, and nobody waits for ever."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.store.support import begin, even
from zerosum.errors import Unwritable
from zerosum.store.live import LiveStore
from zerosum.web.tables import async_store
from zerosum.web.tables.async_store import AsyncStore


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[AsyncStore]:
    """Open a store, and close it."""
    store = AsyncStore(str(folder / "a.db"))
    try:
        yield store
    finally:
        await store.close()


async def written(store: AsyncStore, *names: str) -> list[Any]:
    """Write new matches at the same time, and return the errors."""
    work = [store.write(begin(name, even())) for name in names]
    return await asyncio.gather(*work, return_exceptions=True)


@pytest.mark.parametrize("error", [Unwritable("The disk is full."), RuntimeError("a bug")])
async def test_failed_transaction_is_acknowledged_to_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(self: LiveStore, groups: Any) -> Any:
        raise error

    async with opened(tmp_path) as store:
        with monkeypatch.context() as patch:
            patch.setattr(LiveStore, "write", fail)
            assert await written(store, "aaaaaa", "bbbbbb") == [error, error]
        # It goes on afterwards.
        assert await written(store, "aaaaaa", "cccccc") == [None, None]
        assert await store.read(lambda found: found.count()) == 2


async def test_database_that_hangs_is_waited_for_no_longer_than_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = threading.Event()
    async with opened(tmp_path) as store:
        hanging = asyncio.create_task(store.alone(lambda found: free.wait()))
        await asyncio.sleep(0)
        monkeypatch.setattr(async_store, "WAIT_SECONDS", 0.05)
        (error,) = await written(store, "aaaaaa")
        assert isinstance(error, Unwritable)
        assert "either saved completely or not at all" in str(error)
        monkeypatch.undo()
        free.set()
        await hanging
        assert await written(store, "bbbbbb") == [None]


async def test_closed_store_refuses_everything(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        assert await written(store, "aaaaaa") == [None]
    (error,) = await written(store, "bbbbbb")
    assert isinstance(error, Unwritable)
    with pytest.raises(Unwritable, match="stopping"):
        await store.read(lambda found: found.count())


async def test_replaced_file_is_not_taken_for_the_one_that_was_opened(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    async with opened(tmp_path) as store:
        assert await written(store, "aaaaaa") == [None]
        path.rename(tmp_path / "b.db")
        for _ in range(async_store.READERS + 1):
            (error,) = await written(store, "bbbbbb")
            assert isinstance(error, Unwritable)
            for ask in (store.read, store.alone):
                with pytest.raises(Unwritable, match="replaced"):
                    await ask(lambda found: found.count())
        assert not path.exists()  # no empty database takes its place
        (tmp_path / "b.db").rename(path)
        assert await written(store, "bbbbbb") == [None]
        assert await store.read(lambda found: found.count()) == 2


FULL = """
import asyncio, resource, sys
from tests.store.support import begin, even
from tests.web.tables.test_async_store import written
from zerosum.web.tables.async_store import AsyncStore

async def main():
    store = AsyncStore(sys.argv[1])
    assert await written(store, "aaaaaa") == [None]
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    for _ in range(3):
        (error,) = await written(store, "bbbbbb")
        print(type(error).__name__, await store.read(lambda found: found.count()))
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print(await written(store, "bbbbbb"), await store.read(lambda found: found.count()))
    await store.close()

asyncio.run(main())
"""


def test_server_reads_while_the_disk_is_full_and_writes_when_it_has_room(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FULL, str(tmp_path / "a.db")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["Unwritable 1"] * 3 + ["[None] 2"], done.stderr
