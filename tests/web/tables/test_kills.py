"""kill -9 at random moments, on both databases: what was acknowledged stays, and all goes on."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest

from tests.helpers import PATIENCE
from tests.web.sides import GAME, Side, check, check_all, finish, played_on
from tests.web.support import Inside, Server, saved_events
from zerosum.match import Event

KILLS = 5
MATCHES = 4


def test_acknowledged_moves_survive_kills_exactly_once(address: str, tmp_path: Path) -> None:
    rng = Random(4)
    with Server(address, tmp_path, "--quiet") as server:
        visitors = [server.pair(**GAME) for _ in range(MATCHES)]
        pairs = [
            (Side(ada, 2 * number), Side(bob, 2 * number + 1))
            for number, (ada, bob) in enumerate(visitors)
        ]
        sides = [side for pair in pairs for side in pair]
        for _ in range(KILLS):
            played_on(sides, rng.randrange(10, 60))
            server.kill()
            for side in sides:
                assert side.deaf.wait(PATIENCE)
            check(address, pairs)
            server.start()
        finish(sides)
        server.kill()
    assert sum(side.losses for side in sides) > 0
    check_all(address, pairs)


def test_bot_makes_its_pending_move_after_a_restart(address: str, tmp_path: Path) -> None:
    with Server(address, tmp_path, "--quiet") as server:
        ada = server.visitor()
        ada.create("even-steven", mode="bot", level="random", first="2", names=["Ada"])
        server.kill()
        assert saved_events(address, ada.id) == []
        server.start()
        stream = ada.listen()
        view = stream.until(2)
        assert view["ply"] == 1
        assert view["turn"]["yours"]
        assert len(saved_events(address, ada.id)) == 1
        stream.close()


def test_clock_continues_after_a_restart(address: str, tmp_path: Path) -> None:
    with Server(address, tmp_path, "--quiet") as server:
        ada, bob = server.pair(clock=2)
        began = time.monotonic()
        ada.do("move", move="1")
        server.kill()
        server.start()
        assert 0 < bob.see()["clock"]["left"] <= 2
        stream = bob.listen()
        view = stream.until(4)
        assert time.monotonic() - began >= 2
        assert view["ended"]["by"] == "time"
        assert view["ended"]["winner"] == 0
        late = bob.act("move", move="1", ply=1)
        assert late.json()["error"]["code"] == "stale"
        assert saved_events(address, ada.id) == [Event("move", 1), Event("time")]
        stream.close()


def test_clocks_stop_while_no_server_runs(tmp_path: Path) -> None:
    """Not for a second, and not for a night."""
    clock = [1_000_000.0]
    with Inside(tmp_path / "a.db", now=lambda: clock[0]) as server:
        ada, _ = server.pair(clock=30)
        id_, jar = ada.id, ada.wire.client.cookies  # type: ignore[attr-defined]
        clock[0] += 10
        assert ada.see()["clock"]["left"] == 20
    clock[0] += 30_000
    with Inside(tmp_path / "a.db", now=lambda: clock[0]) as server:
        ada = server.visitor(id_)
        ada.wire.client.cookies = jar  # type: ignore[attr-defined]
        # The last sign of life was up to some seconds before the end, and so much is given back.
        assert ada.see()["clock"]["left"] == pytest.approx(30, abs=10)
        ada.do("move", move="1")
