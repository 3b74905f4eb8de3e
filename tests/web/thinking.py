"""Helpers for the tests of thinkers: thinkers that are stopped, and endless questions."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

import zerosum
from zerosum.registry.fingerprint import fingerprint
from zerosum.web.analysis.pool import Budget, Pool
from zerosum.web.analysis.solutions import File, Solutions, here, settle

PATIENCE = 60.0
START: dict[str, Any] = {"game": "even-steven", "options": {"start": 15}, "state": [15, 0]}
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")


@contextmanager
def shelf_of(paths: dict[str, str], positions: int) -> Iterator[None]:
    """Let this process know games of a user's own, and solve no more than some positions."""
    files = {name: File(path, fingerprint(zerosum.game(path))) for name, path in paths.items()}
    before = here()
    settle(Solutions(files, None, Budget(60.0, positions)))
    yield
    settle(before)


def run(what: Coroutine[Any, Any, None]) -> None:
    """Run a test that has to wait, with a limit."""
    asyncio.run(asyncio.wait_for(what, 3 * PATIENCE))


@asynccontextmanager
async def thinking(count: int = 1, budget: Budget | None = None, *files: str) -> AsyncIterator[Any]:
    """Run some thinkers, and stop them."""
    named = {Path(path).stem: path for path in files}
    thinkers = Pool(count, budget or Budget(), None, named)
    await thinkers.start()
    try:
        yield thinkers
    finally:
        await thinkers.stop()
        assert thinkers.pids == []


def stuck(name: str, sticks: int = 200) -> dict[str, Any]:
    """A question that a game of a user's own does not answer, for more than 100 sticks."""
    about = {"game": name, "options": {"start": sticks}, "state": [sticks, 0]}
    return {**about, "level": "random", "seed_text": "1"}


async def until(holds: Any) -> None:
    """Wait until a condition holds."""
    limit = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < limit, "it never happened"
        await asyncio.sleep(0.01)


async def begun(thinkers: Pool, count: int = 1) -> list[int]:
    """Wait until processes have answered a question, so that they are certainly running."""
    await thinkers.ask("agrees", **START, level="random")
    await until(lambda: len(thinkers.pids) == count)
    return thinkers.pids


def alive(pid: int) -> bool:
    """Return whether a process is alive, and not a zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
