"""Timers, sweeps and expiry, with a clock and a store that tests control."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from tests.web.pools import until
from tests.web.support import Inside
from zerosum.web.analysis.queue import Busy
from zerosum.web.analysis.solutions import TooHard
from zerosum.web.http.log import Bug
from zerosum.web.limits import ServerLimits
from zerosum.web.tables import scheduler as module
from zerosum.web.tables.memory import Memory
from zerosum.web.tables.scheduler import Scheduler


class Fakes:
    """A clock, a store, and a scheduler that notes whom it attends to."""

    shared = False

    def __init__(self) -> None:
        self.time = 100.0
        self.attended: list[str] = []
        self.beats = 0
        self.overdue: list[str] = []
        self.old = [f"old{number:04}" for number in range(500)]
        self.forgotten: list[str] = []
        memory = cast(Memory, self)
        self.scheduler = Scheduler(
            cast(Any, self), cast(Any, self), memory, ServerLimits(), self.attend
        )

    def now(self) -> float:
        return self.time

    async def check(self) -> None:
        pass

    async def read(self, work: Callable[[Any], Any]) -> Any:
        return work(self)

    alone = read

    def due(self, now: float, most: int) -> list[str]:
        return self.overdue[:most]

    async def attend(self, id: str) -> None:  # noqa: A002
        self.attended.append(id)


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> Fakes:
    """A scheduler that does nothing by itself within an hour."""
    for name in ("SWEEP_SECONDS", "BEAT_SECONDS", "EXPIRE_AFTER_SECONDS"):
        monkeypatch.setattr(module, name, 3600.0)
    return Fakes()


async def test_failing_tables_do_not_stop_the_others(
    fakes: Fakes, caplog: pytest.LogCaptureFixture
) -> None:
    bad = [f"bad{number:03}" for number in range(module.MOST_AT_ONCE)]

    async def attend(id: str) -> None:  # noqa: A002
        await fakes.attend(id)
        if id in bad:
            raise ZeroDivisionError

    fakes.scheduler.attend = attend
    fakes.overdue = [*bad, "good"]
    while "good" not in fakes.attended:
        await fakes.scheduler.sweep()
        await asyncio.sleep(0)
    assert {record.levelname for record in caplog.records if record.exc_info} == {"ERROR"}


async def test_failing_table_is_tried_less_and_less_often_but_a_busy_solver_soon_again(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    async def fail(id: str) -> None:  # noqa: A002
        raise TooHard("The database cannot be reached.")

    async def busy(id: str) -> None:  # noqa: A002
        raise Busy("The solver was stopped.")

    with monkeypatch.context() as patch:
        patch.setattr(asyncio, "sleep", sleep)
        for attend in [*[fail] * 7, fakes.attend, busy, busy, fail]:
            fakes.scheduler.attend = attend
            await fakes.scheduler._attend_to("a")
    assert waited == [3, 6, 12, 24, 48, 60, 60, 3, 3, 6]
    assert len(caplog.records) == 2


async def test_table_is_attended_to_by_one_task_at_a_time(fakes: Fakes) -> None:
    free = asyncio.Event()

    async def attend(id: str) -> None:  # noqa: A002
        await fakes.attend(id)
        await free.wait()

    fakes.scheduler.attend = attend
    fakes.overdue = ["a"]
    for _ in range(3):
        await fakes.scheduler.sweep()
        await asyncio.sleep(0)
    assert fakes.attended == ["a"]
    free.set()


def test_repeated_failure_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    tries = 0

    async def fail() -> None:
        nonlocal tries
        tries += 1
        raise TooHard("The database cannot be reached.")

    async def main() -> None:
        task = asyncio.create_task(module._repeat(0.0, fail))
        await until(lambda: tries > 5)
        task.cancel()

    with caplog.at_level(logging.WARNING):
        asyncio.run(main())
    assert [record.message for record in caplog.records] == ["The database cannot be reached."]


@pytest.mark.parametrize("failure", [TooHard("It takes too long."), Bug("ours"), "9"])
def test_stuck_bot_says_so_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: Exception | str
) -> None:
    now = [1_000_000.0]
    with Inside(tmp_path / "a.db", now=lambda: now[0]) as server:
        ada, tables = server.visitor(), server.site.tables
        ada.create(mode="bot", level="random")
        real = tables.pool.ask

        async def ask(what: str, /, **arguments: Any) -> Any:
            if what == "bot_move":
                if isinstance(failure, Exception):
                    raise failure
                return failure  # which the rules refuse
            return await real(what, **arguments)

        monkeypatch.setattr(tables.pool, "ask", ask)
        ada.do("move", move="1")
        for _ in range(40):  # in small steps, since a long one would look like a sleep
            now[0] += 2
            server.call(tables.attend(ada.id))
        view = ada.see()
        texts = [news["text"] for news in view["news"] if "cannot find a move" in news["text"]]
        assert len(texts) == 1
        assert ada.do("undo")["ply"] == 2
