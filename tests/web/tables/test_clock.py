"""Clocks that are set, servers that stop or sleep, and several servers on one database."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.support import execute
from tests.web.support import Inside, Visitor, pair_on
from zerosum.store.postgres import PostgresDatabase

DAY = 86_400.0


class Time:
    """A machine's time, which passes when a test says so."""

    def __init__(self) -> None:
        self.now = 5_000.0
        self.servers: list[Inside] = []

    def __call__(self) -> float:
        return self.now

    def serve(self, db: Path | str) -> Inside:
        """Return a server that lives by this time."""
        server = Inside(db, now=self)
        self.servers.append(server)
        return server

    def passes(self, seconds: float) -> None:
        """Let time pass while the servers run: they look at it every second."""
        end = self.now + seconds
        while self.now < end:
            self.now = min(end, self.now + 1.0)
            for server in self.servers:
                server.call(server.site.tables.scheduler.beat())
                server.call(server.site.tables.clock.check())


def left(visitor: Visitor) -> float:
    """Return how many seconds are left for the move."""
    found: float = visitor.see()["clock"]["left"]
    return found


def test_nobody_loses_on_time_while_the_server_sleeps(tmp_path: Path) -> None:
    clock = Time()
    with clock.serve(tmp_path / "a.db") as server:
        ada, bob = server.pair(clock=10)
        clock.now += 300
        # The first thing after the sleep is a move, before anything else has noticed it.
        assert ada.do("move", move="1")["ply"] == 1
        assert left(bob) == pytest.approx(10)
        clock.passes(2)
        assert left(ada) == pytest.approx(8)
        clock.now += 300
        # Nor does an offer cost time.
        assert ada.do("draw", ply=1)["clock"]["left"] == left(bob) == pytest.approx(8)


def test_slow_player_still_loses_on_time(tmp_path: Path) -> None:
    clock = Time()
    with clock.serve(tmp_path / "a.db") as server:
        ada, _ = server.pair(clock=3)
        clock.passes(3.5)
        answer = ada.act("move", move="1", ply=0)
        assert answer.json()["error"]["code"] == "stale"
        assert ada.see()["ended"]["by"] == "time"


@pytest.mark.parametrize("absence", [0.5, 30_000.0])
def test_time_stops_while_no_server_runs(tmp_path: Path, absence: float) -> None:
    """Not for a second, and not for a night."""
    clock = Time()
    with clock.serve(tmp_path / "a.db") as server:
        ada, _ = server.pair(clock=30)
        clock.passes(10)
        assert left(ada) == pytest.approx(20)
    clock = Time()
    clock.now += absence
    with clock.serve(tmp_path / "a.db") as server:
        ada = ada.at(server)
        # What passed since the last heartbeat is given back.
        assert left(ada) == pytest.approx(20, abs=2.5)
        ada.do("move", move="1")


def test_quiet_hours_are_not_an_absence(tmp_path: Path) -> None:
    """Nothing was due, so the time was rarely recorded; then the server is killed."""
    clock = Time()
    with clock.serve(tmp_path / "a.db") as server:
        clock.passes(120)
        ada, _ = server.pair(clock=30)
        alone = server.visitor()
        alone.create(mode="bot", level="random", first="2")
        ids = [ada.id, alone.id]
    clock.servers.clear()
    with clock.serve(tmp_path / "a.db") as server:
        tables, now = server.site.tables, server.site.tables.clock.now()
        dues = [server.call(tables.get(id_)).due for id_ in ids]
        assert [due - now for due in dues if due is not None] == pytest.approx([30, 0.7], abs=2.5)


@pytest.mark.parametrize("days", [31.0, 400.0, -31.0])
def test_machine_clock_set_at_a_start_deletes_and_delays_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: float
) -> None:
    clock, real = Time(), time.time
    with clock.serve(tmp_path / "a.db") as server:
        waiting = server.visitor()
        waiting.create()
        ada, _ = server.pair(clock=30)
        over, _ = server.pair()
        over.do("resign")
    monkeypatch.setattr(time, "time", lambda: real() + days * DAY)
    clock.servers.clear()
    with clock.serve(tmp_path / "a.db") as server:
        server.call(server.site.tables.scheduler.expire())
        assert left(ada.at(server)) == pytest.approx(30, abs=2.5)
        assert [visitor.at(server).see()["id"] for visitor in (waiting, over)]
        bot = server.visitor()
        bot.create(mode="bot", level="random", first="2")
        clock.passes(3)
        server.call(server.site.tables.attend(bot.id))
        assert bot.see()["ply"] == 1


def test_matches_expire_after_days_of_service(tmp_path: Path) -> None:
    clock = Time()
    with clock.serve(tmp_path / "a.db") as server:
        waiting, (ada, _) = server.visitor(), server.pair()
        waiting.create()
        tables = server.site.tables
        tables.clock._set(tables.clock.now() + 0.9 * DAY)
        server.call(tables.scheduler.expire())
        assert waiting.see()["id"] == waiting.id
        tables.clock._set(tables.clock.now() + 0.2 * DAY)
        server.call(tables.scheduler.expire())
        assert waiting.get(f"/api/v1/matches/{waiting.id}").status_code == 404
        assert ada.see()["id"] == ada.id


def test_database_of_an_older_version_keeps_its_turns(tmp_path: Path) -> None:
    """There, heartbeats and turns were in seconds since 1970."""
    db, then = str(tmp_path / "a.db"), 1.7e9
    clock = Time()
    with clock.serve(db) as server:
        ada, _ = server.pair(clock=30)
    execute(db, "update live set due = ?, changed = ?", then + 12, then - 18)
    execute(db, "update meta set value = ? where name = 'beat'", repr(then))
    clock.servers.clear()
    with clock.serve(db) as server:
        server.call(server.site.tables.scheduler.expire())
        assert left(ada.at(server)) == pytest.approx(12)


class Machines:
    """Two machines with a server each, on one PostgreSQL server with a clock of its own."""

    def __init__(self, database: str) -> None:
        self.shows = 1.7e9
        self.times = [Time(), Time()]
        # Each has been running for another while.
        self.times[1].now += 10.0
        self.servers = [each.serve(database) for each in self.times]

    def pass_(self, seconds: float, awake: tuple[int, ...] = (0, 1)) -> None:
        """Let time pass everywhere, while some servers are awake."""
        end = self.shows + seconds
        while self.shows < end:
            step = min(1.0, end - self.shows)
            self.shows += step
            for number, each in enumerate(self.times):
                if number in awake:
                    each.passes(step)
                else:
                    each.now += step

    def sweep(self) -> None:
        """Let both servers do what is due."""
        for server in self.servers:
            for id_ in server.call(
                server.site.tables.store.read(lambda store: store.due(1e12, 99))
            ):
                server.call(server.site.tables.attend(id_))


@pytest.fixture
def machines(database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machines]:
    """Two machines whose time passes when a test says so."""
    made = Machines(database)
    clock = property(lambda self: f"select {made.shows!r}::double precision")
    monkeypatch.setattr(PostgresDatabase, "clock", clock)
    with made.servers[0], made.servers[1]:
        yield made


def test_servers_agree_on_the_time_left(machines: Machines) -> None:
    machines.pass_(20)
    ada, bob = pair_on(machines.servers, clock=8)
    machines.pass_(300, awake=())  # both sleep
    machines.sweep()
    assert [left(ada), left(bob)] == pytest.approx([8, 8], abs=0.2)
    machines.pass_(1.1)
    machines.sweep()
    assert [left(ada), left(bob)] == pytest.approx([6.9, 6.9], abs=0.2)
    ada.do("move", move="1")
    machines.pass_(7)
    machines.sweep()
    assert [left(ada), left(bob)] == pytest.approx([1, 1], abs=0.2)
    machines.pass_(1.5)
    machines.sweep()
    assert [view["ended"]["by"] for view in (ada.see(), bob.see())] == ["time", "time"]


def test_clock_of_the_database_set_while_servers_run(machines: Machines) -> None:
    for set_by in (31 * DAY, 3600.0, -3600.0):
        machines.pass_(4)
        ada, bob = pair_on(machines.servers, clock=20)
        machines.shows += set_by
        machines.pass_(4)
        machines.sweep()
        assert [left(ada), left(bob)] == pytest.approx([16, 16], abs=1.5)


def test_server_that_slept_alone_adopts_the_time_of_the_other(machines: Machines) -> None:
    ada, bob = pair_on(machines.servers, clock=900)
    machines.pass_(60, awake=(1,))
    assert left(bob) == pytest.approx(840, abs=2.5)
    # The first things after the sleep make something due.
    new = machines.servers[0].visitor()
    new.create(mode="here", clock=20)
    assert left(new) == pytest.approx(20, abs=2.5)
    ada.do("move", move="1")
    assert [left(ada), left(bob)] == pytest.approx([900, 900], abs=2.5)
