"""Clocks while the server is asleep or away, a second server, and programs that are stuck."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.support import Inside
from zerosum.errors import StoreError
from zerosum.web.analysis.pool import Pool
from zerosum.web.http.limits import Limits
from zerosum.web.http.lockfile import LockFile
from zerosum.web.tables.async_store import AsyncStore
from zerosum.web.tables.scheduler import Scheduler
from zerosum.web.tables.service import Tables


def test_nobody_loses_on_time_while_the_server_sleeps(tmp_path: Path) -> None:
    clock = [1_000_000.0]
    with Inside(tmp_path / "a.db", now=lambda: clock[0]) as server:
        ada, bob = server.pair(clock=10)
        clock[0] += 300
        # The first thing after the sleep is a move, before anything else has noticed it.
        assert ada.do("move", move="1")["ply"] == 1
        assert bob.see()["clock"]["left"] == pytest.approx(10)
        clock[0] += 2
        assert ada.see()["clock"]["left"] == pytest.approx(8)


def test_offer_after_a_sleep_costs_no_time(tmp_path: Path) -> None:
    """It leaves the clock alone, and so it must know that the clock has been put on."""
    clock = [1_000_000.0]
    with Inside(tmp_path / "a.db", now=lambda: clock[0]) as server:
        ada, bob = server.pair(clock=30)
        clock[0] += 20
        assert bob.do("draw", ply=0)["clock"]["left"] == pytest.approx(30)
        assert ada.see()["clock"]["left"] == pytest.approx(30)


def test_slow_player_still_loses_on_time(tmp_path: Path) -> None:
    clock = [1_000_000.0]
    with Inside(tmp_path / "a.db", now=lambda: clock[0]) as server:
        ada, _ = server.pair(clock=3)
        clock[0] += 3.5
        answer = ada.act("move", move="1", ply=0)
        assert answer.json()["error"]["code"] == "stale"
        assert ada.see()["ended"]["by"] == "time"


def test_short_absence_extends_the_clock(tmp_path: Path) -> None:
    clock = [1_000_000.0]

    def now() -> float:
        return clock[0]

    with Inside(tmp_path / "a.db", now=now) as server:
        ada, _ = server.pair(clock=8)
        id_ = ada.id
        _beat(server, now)
    clock[0] += 9
    with Inside(tmp_path / "a.db", now=now) as server:
        view = server.visitor(id_).see(id_)
        assert view["ended"] is None
        assert view["clock"]["left"] == pytest.approx(8, abs=0.1)


def _beat(server: Inside, now: Callable[[], float]) -> None:
    """Let a server give a sign of life, as it does every few seconds."""

    async def work() -> None:
        keeping = AsyncStore(str(server.db))
        await Scheduler(Tables(keeping, Pool(0), now=now), Limits()).beat()
        await keeping.close()

    asyncio.run(work())


def test_second_server_on_one_file_is_refused(tmp_path: Path) -> None:
    held = LockFile(str(tmp_path / "a.db"))
    with pytest.raises(StoreError, match=r"Another server already uses .*a\.db"):
        LockFile(str(tmp_path / "a.db"))
    LockFile(str(tmp_path / "b.db")).close()
    held.close()
    LockFile(str(tmp_path / "a.db")).close()


def test_second_server_on_a_new_file_is_refused(tmp_path: Path) -> None:
    db = tmp_path / "not" / "there" / "yet" / "a.db"
    with Inside(db) as server:
        with pytest.raises(StoreError, match="Another server already uses"), Inside(db):
            pass
        ada, _ = server.pair()
        assert ada.do("move", move="1")["ply"] == 1
    with Inside(db):
        pass


class Stuck(Pool):
    """Solver processes that never find a move."""

    async def ask(self, what: str, /, *, asker: str = "", **arguments: Any) -> Any:
        from zerosum.web.analysis.budget import TooHard

        if what == "bot_move":
            raise TooHard("This takes more than the server has.")
        return True


def test_stuck_bot_says_so_once(tmp_path: Path) -> None:
    clock = [1_000_000.0]
    with Inside(tmp_path / "a.db", now=lambda: clock[0]) as server:
        ada = server.visitor()
        ada.create(mode="bot", level="random")
        server.site.tables.thinkers = Stuck(0)
        ada.do("move", move="1")
        for _ in range(40):  # in small steps, since a long one would look like a sleep
            clock[0] += 2
            server.call(server.site.tables.attend(ada.id))
        view = ada.see()
        texts = [news["text"] for news in view["news"] if "cannot find a move" in news["text"]]
        assert len(texts) == 1
        assert ada.do("undo")["ply"] == 2


def test_quiet_hours_are_not_an_absence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was due, so the server gave no sign of life; then it is started again at once."""
    clock = [1_000_000.0]
    monkeypatch.setattr("zerosum.web.tables.scheduler.SWEEP_SECONDS", 0.001)
    monkeypatch.setattr("zerosum.web.tables.scheduler.BEAT_SECONDS", 20.0)
    with Inside(tmp_path / "a.db", now=lambda: clock[0]) as server:
        for _ in range(60):  # in small steps, since a long one would look like a sleep
            clock[0] += 2
            server.call(asyncio.sleep(0.01))
        ada, _ = server.pair(clock=30)
        alone = server.visitor()
        alone.create(mode="bot", level="random", first="2")
        ids = [ada.id, alone.id]
    with Inside(tmp_path / "a.db", now=lambda: clock[0]) as server:
        tables = [server.call(server.site.tables.get(id_)) for id_ in ids]
        left = [table.due - clock[0] for table in tables if table.due is not None]
        assert left == pytest.approx([30, 0.7], abs=2.5)
