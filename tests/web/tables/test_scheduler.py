"""Sweeps, with a clock and a store that tests control; and a bot that is stuck."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from tests.helpers import PATIENCE
from tests.web.pools import until
from tests.web.support import Frozen, Inside
from zerosum.web.analysis.solutions import TooHard
from zerosum.web.http.log import Bug
from zerosum.web.limits import ServerLimits
from zerosum.web.tables import scheduler as module
from zerosum.web.tables.scheduler import Scheduler


class Fakes:
    """A clock, a store, and a scheduler that notes whom it attends to."""

    def __init__(self) -> None:
        self.attended: list[str] = []
        self.overdue: list[str] = []
        here = cast(Any, self)
        self.scheduler = Scheduler(here, here, here, ServerLimits(), self.attend)

    def now(self) -> float:
        return 100.0

    async def check(self) -> None:
        pass

    async def read(self, work: Callable[[Any], Any]) -> Any:
        return work(self)

    def due(self, now: float, most: int) -> list[str]:
        return self.overdue[:most]

    async def attend(self, id: str) -> None:  # noqa: A002
        self.attended.append(id)


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> Fakes:
    """A scheduler that does nothing by itself within an hour."""
    for name in ("SWEEP_SECONDS", "BEAT_SECONDS"):
        monkeypatch.setattr(module, name, 3600.0)
    return Fakes()


async def test_table_is_attended_to_when_it_is_due(fakes: Fakes) -> None:
    fakes.scheduler.start()
    for name, due in (("moved", 500.0), ("moved", 99.0), ("ended", 100.01), ("ended", None)):
        fakes.scheduler.remind(name, due)
    await until(lambda: bool(fakes.attended))
    await asyncio.sleep(0.05)
    assert fakes.attended == ["moved"]
    await fakes.scheduler.stop()


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


@pytest.mark.parametrize("failure", [TooHard("It takes too long."), Bug("ours"), "9"])
def test_stuck_bot_says_so_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: Exception | str
) -> None:
    with Frozen(tmp_path / "a.db") as server:
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
            view = server.let_it_move(ada, 2)
        texts = [news["text"] for news in view["news"] if "cannot find a move" in news["text"]]
        assert len(texts) == 1
        assert ada.do("undo")["ply"] == 2


def test_a_change_ends_the_wait_after_a_failed_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("RETRY_SECONDS", "MOST_RETRY_SECONDS"):
        monkeypatch.setattr(module, name, 3600.0)
    with Inside(tmp_path / "a.db") as server:
        ada, pool = server.visitor(), server.site.pool
        ada.create(mode="bot", level="random")
        failed, real = threading.Event(), pool.ask

        async def ask(what: str, /, **arguments: Any) -> Any:
            if what == "bot_move" and not failed.is_set():
                failed.set()
                raise ZeroDivisionError
            return await real(what, **arguments)

        monkeypatch.setattr(pool, "ask", ask)
        ada.do("move", move="1")
        assert failed.wait(PATIENCE)
        ada.do("undo")
        stream = ada.listen()
        change = ada.do("move", move="1")["change"]
        assert [played["player"] for played in stream.until(change + 1)["last"]] == [0, 1]
        stream.close()
