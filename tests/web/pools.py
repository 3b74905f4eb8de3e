"""Helpers for the tests of solver processes: answers without one, pools, and waiting."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.helpers import PATIENCE
from tests.solutions import tables
from zerosum.limits import Limits
from zerosum.players import levels
from zerosum.protocol import Value
from zerosum.web.analysis import solutions as module
from zerosum.web.analysis.pool import Pool, result_of
from zerosum.web.analysis.positions import value_of
from zerosum.web.analysis.solutions import File, Solutions, install, solutions
from zerosum.web.analysis.solver_main import answered
from zerosum.web.analysis.stand_ins import about
from zerosum.web.limits import ServerLimits

START: dict[str, Any] = {"game": "even-steven", "options": {"start": 15}, "state": [15, 0]}
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")


@contextmanager
def solving(
    paths: dict[str, str], positions: int = 20_000, seconds: float = 60.0
) -> Iterator[Solutions]:
    """Let this process answer for some games of a user's own, within limits; search is brief."""
    files = {name: File(path, about(path).source) for name, path in paths.items()}
    before = solutions()
    install(
        Solutions(files, tables(), ServerLimits(solver_seconds=seconds, solver_positions=positions))
    )
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "SEARCH", Limits(nodes=100))
            patch.setattr(module, "HERE", Limits(1_000, 1.0))
            patch.setattr(levels, "LEVELS_KNOW", Limits(100, 1.0))
            yield solutions()
    finally:
        install(before)


def ask_here(what: str, **arguments: Any) -> Any:
    """Ask as the pool does, within this process."""
    return result_of(answered(msgspec.json.encode(["192.0.2.1", [what, arguments]])))


def told(question: Callable[..., Any], *given: Any) -> Any:
    """Ask a question here; return what it tells as JSON has it."""
    return msgspec.to_builtins(question(*given))


def value_told(value: Value, exact: bool = True) -> Any:
    """Return a value as JSON has it."""
    return told(value_of, value, exact)


def run(test: Coroutine[Any, Any, None], uvloop: bool = False) -> None:
    """Run a test that has to wait, with a limit."""
    factory = pytest.importorskip("uvloop").new_event_loop if uvloop else None
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(asyncio.wait_for(test, 3 * PATIENCE))


async def until(holds: Any) -> None:
    """Wait until a condition holds."""
    limit = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < limit, "it never happened"
        await asyncio.sleep(0.001)


@asynccontextmanager
async def serving(pool: Pool) -> AsyncIterator[Pool]:
    """Use a pool, and stop it."""
    try:
        yield pool
    finally:
        await pool.stop()
        assert pids(pool) == []


def pids(pool: Pool) -> list[int]:
    """Return the ids of the running processes."""
    return [process._worker.pid for process in pool._processes if process._worker is not None]


def alive(pid: int) -> bool:
    """Return whether a process is alive, and not a zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
