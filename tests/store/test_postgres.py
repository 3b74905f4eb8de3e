"""A PostgreSQL database as the store: what it refuses, and what it outlives."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue

import pytest

from tests.postgres import PASSWORD, QUOTED, USER, Server
from tests.store.places import Opened, begin, change, execute, race_at
from tests.store.support import even, moved
from zerosum.match import Event
from zerosum.store import StoreError, connection, open_store
from zerosum.store.base import Unwritable
from zerosum.store.schema import POSTGRES, POSTGRES_VERSION

psycopg = pytest.importorskip("psycopg")
ONE = Event("move", 1)
PATIENCE = 30.0


@pytest.fixture
def opened(database: str) -> Iterator[Opened]:
    found = Opened(database)
    yield found
    found.close()


def refused(address: str, write: bool = True) -> StoreError:
    with pytest.raises(StoreError) as caught:
        open_store(address, write)
    for piece in ("tiger", "lion"):
        assert piece not in str(caught.value)
    return caught.value


# Addresses and servers that cannot be used.


@pytest.mark.parametrize("write", [True, False])
def test_a_server_that_is_not_there_is_unwritable(write: bool) -> None:
    error = refused(f"postgresql://{USER}:{QUOTED}@127.0.0.1:1/games", write)
    assert isinstance(error, Unwritable)
    assert "postgresql://127.0.0.1:1/games cannot be used" in str(error)
    assert "refused" in str(error)


def test_a_wrong_password_is_not_shown(postgres: Server) -> None:
    wrong = "wrongwordthatnobodysees"
    with pytest.raises(Unwritable) as caught:
        open_store(postgres.address("postgres").replace(QUOTED, wrong))
    assert "password authentication failed" in str(caught.value)
    assert wrong not in str(caught.value)


def test_a_password_that_the_server_repeats_is_not_shown(postgres: Server) -> None:
    # The server names the database that it does not have.
    with pytest.raises(Unwritable) as caught:
        open_store(postgres.address(QUOTED))
    assert PASSWORD not in str(caught.value)
    assert "refuses" in str(caught.value)


def test_a_database_that_is_not_there_is_named(postgres: Server) -> None:
    error = refused(postgres.address("nothing"))
    assert isinstance(error, Unwritable)
    assert 'database "nothing" does not exist' in str(error)


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://{USER}:{PASSWORD}@127.0.0.1/games",
        "postgresql://ada:tiger@lion@localhost/games",
        "postgresql://ada:tiger/lion@localhost/games",
        "postgresql://ada:tiger?lion=/@localhost/games",
        "postgresql://ada:tigerlion",
        "postgresql://localhost:tigerlion/games",
        "postgresql://localhost/games?tigerlion",
        "postgresql://localhost/games?liontiger=1",
        "postgresql://localhost/games#tigerlion",
    ],
)
def test_an_address_that_cannot_be_read_is_refused_without_being_shown(address: str) -> None:
    error = refused(address)
    assert not isinstance(error, Unwritable)
    assert "postgresql://USER:PASSWORD@HOST:PORT/DATABASE" in str(error)
    assert error.__cause__ is None


def test_without_psycopg_the_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "psycopg"]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("postgres", "connection", "listening"):
        monkeypatch.delitem(sys.modules, f"zerosum.store.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install 'zerosum\[postgres\]'"):
        open_store("postgresql://localhost/games")


def test_sqlite_needs_no_psycopg(tmp_path: Path) -> None:
    code = (
        "import sys; from zerosum.store import open_store; open_store(sys.argv[1]).matches();"
        "print('psycopg' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "a.db")], capture_output=True)
    assert done.stdout == b"False\n", done.stderr


@pytest.mark.parametrize("scheme", ["postgres", "PostgreSQL"])
def test_the_short_and_the_loud_form_of_an_address_work(database: str, scheme: str) -> None:
    store = open_store(database.replace("postgresql", scheme, 1))
    assert store.matches() == []
    store.close()


# Tables: made once, of one version, and not another program's.


def test_who_only_reads_makes_nothing(opened: Opened) -> None:
    reader = opened(write=False)
    assert reader.matches() == []
    assert reader.results() == []
    assert reader.latest_open() is None
    assert reader.live("aaaaaa") is None
    with pytest.raises(StoreError, match="no match"):
        reader.load("abc")
    with pytest.raises(StoreError):
        reader.create(even())
    tables = "select count(*) from pg_tables where schemaname = 'public'"
    assert execute(opened.place, tables) == [(0,)]


def test_a_newer_database_is_refused_and_left_alone(opened: Opened) -> None:
    moved(opened(), 2)
    execute(opened.place, "update meta set value = '99' where name = 'version'")
    for write in (True, False):
        error = refused(opened.place, write)
        assert not isinstance(error, Unwritable)
        assert f"newer Zerosum (version 99; this one knows up to {POSTGRES_VERSION})" in str(error)
    assert execute(opened.place, "select count(*) from events") == [(2,)]


def test_an_older_database_moves_forward_when_somebody_writes(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = moved(opened(), 2)
    step = "alter table matches add column note text default 'none';create table notes (line text)"
    monkeypatch.setattr(connection, "POSTGRES", (*POSTGRES, step))
    monkeypatch.setattr(connection, "POSTGRES_VERSION", POSTGRES_VERSION + 1)
    assert "older Zerosum" in str(refused(opened.place, write=False))
    assert opened().load(id_).match.ply == 2
    assert opened(write=False).load(id_).match.ply == 2
    assert execute(opened.place, "select note from matches") == [("none",)]


def test_a_step_that_fails_leaves_the_database_as_it_was(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = moved(opened(), 2)
    step = "create table notes (line text);create table matches (id text)"
    monkeypatch.setattr(connection, "POSTGRES", (*POSTGRES, step))
    monkeypatch.setattr(connection, "POSTGRES_VERSION", POSTGRES_VERSION + 1)
    refused(opened.place)
    monkeypatch.undo()
    assert opened().load(id_).match.ply == 2
    assert execute(opened.place, "select 1 from pg_tables where tablename = 'notes'") == []


@pytest.mark.parametrize(
    "table",
    [
        "meta (id integer)",
        "meta (name text, value text)",
        "matches (id text)",
        "live (viewers text)",
    ],
)
def test_tables_of_another_program_are_refused_and_left_alone(database: str, table: str) -> None:
    execute(database, f"create table {table}")
    error = refused(database)
    assert not isinstance(error, Unwritable)
    assert "another program" in str(error)
    names = "select count(*) from pg_tables where schemaname = 'public'"
    assert execute(database, names) == [(1,)]


def test_servers_that_start_at_once_make_the_tables_once(postgres: Server) -> None:
    for _ in range(4):
        assert race_at(postgres.fresh(), "print(len(store.matches()))", 6) == ["0\n"] * 6


def test_what_the_user_may_not_do_is_unwritable(postgres: Server) -> None:
    database = postgres.fresh()
    open_store(database).close()
    execute(database, "drop role if exists guest")
    execute(database, "create role guest login password 'guest'")
    guest = database.replace(f"{USER}:{QUOTED}", "guest:guest")
    with pytest.raises(StoreError):
        open_store(guest)
    execute(database, "grant select on all tables in schema public to guest")
    store = open_store(guest)
    assert store.matches() == []
    with pytest.raises(Unwritable, match="permission denied"):
        store.create(even())
    store.close()


def test_a_commit_waits_for_the_disk_whatever_the_server_is_set_to(database: str) -> None:
    (name,) = execute(database, "select current_database()")[0]
    execute(database, f"alter database {name} set synchronous_commit = off")
    assert execute(database, "show synchronous_commit") == [("off",)]
    store = open_store(database)
    assert store._rows("show synchronous_commit") == [("on",)]
    store.close()


# A server that goes away, and comes back.


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_a_store_outlives_a_restart_of_the_server(
    postgres: Server, opened: Opened, how: str
) -> None:
    store = opened()
    id_ = moved(store, 3)
    store.write([begin("aaaaaa", even())])
    getattr(postgres, how)()
    postgres.start()
    assert store.load(id_).match.ply == 3
    getattr(postgres, how)()
    postgres.start()
    assert store.write([change("aaaaaa", even(), ONE)]) == [None]
    getattr(postgres, how)()
    postgres.start()
    assert store.live_version("aaaaaa") == 2


def test_a_write_waits_a_while_for_a_server_that_is_away(postgres: Server, opened: Opened) -> None:
    store = opened()
    store.write([begin("aaaaaa", even())])
    postgres.stop()
    starting = threading.Timer(0.5, postgres.start)
    starting.start()
    assert store.write([change("aaaaaa", even(), ONE)]) == [None]
    starting.join()
    assert store.live_version("aaaaaa") == 2


def test_a_server_that_stays_away_is_unwritable_until_it_is_back(
    postgres: Server, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "WAIT_SECONDS", 0.3)
    store = opened()
    store.write([begin("aaaaaa", even())])
    postgres.stop()
    try:
        for _ in range(2):
            with pytest.raises(Unwritable, match="cannot be used"):
                store.write([change("aaaaaa", even(), ONE)])
            with pytest.raises(Unwritable, match="cannot be used"):
                store.live("aaaaaa")
    finally:
        postgres.start()
    assert store.write([change("aaaaaa", even(), ONE)]) == [None]


def test_a_connection_that_is_cut_in_the_middle_of_a_write_loses_nothing(opened: Opened) -> None:
    store = opened()
    store.write([begin("aaaaaa", even()), begin("bbbbbb", even())])
    # Whoever holds the row makes the write wait; then the server ends the write's connection.
    with psycopg.connect(opened.place) as holder:
        holder.execute("select 1 from live where id = 'bbbbbb' for update")
        results: list[object] = []
        batch = [change("aaaaaa", even(), ONE), change("bbbbbb", even(), ONE)]
        writing = threading.Thread(target=lambda: results.extend(store.write(batch)))
        writing.start()
        cut = (
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where wait_event_type = 'Lock' and datname = current_database()"
        )
        while not execute(opened.place, cut):
            assert writing.is_alive()
        holder.rollback()
    writing.join(PATIENCE)
    assert results == [None, None]
    assert store.live_version("aaaaaa") == store.live_version("bbbbbb") == 2


def test_a_connection_that_is_lost_at_the_moment_of_keeping_is_told_as_that(
    opened: Opened,
) -> None:
    store = opened()
    store.write([begin("aaaaaa", even())])
    execute(
        opened.place,
        "create function cut() returns trigger language plpgsql as $$ begin"
        " perform pg_terminate_backend(pg_backend_pid()); return new; end $$",
    )
    execute(
        opened.place,
        "create constraint trigger cut after update on live deferrable initially deferred"
        " for each row execute function cut()",
    )
    with pytest.raises(Unwritable, match="whole, or not at all"):
        store.write([change("aaaaaa", even(), ONE)])
    assert store.live_version("aaaaaa") == 1
    execute(opened.place, "drop trigger cut on live")
    assert store.write([change("aaaaaa", even(), ONE)]) == [None]


def test_a_row_that_stays_locked_is_unwritable_until_it_is_free(opened: Opened) -> None:
    store = opened()
    store.write([begin("aaaaaa", even()), begin("bbbbbb", even())])
    store._run("set lock_timeout = '50ms'")
    with psycopg.connect(opened.place) as holder:
        holder.execute("select 1 from live where id = 'bbbbbb' for update")
        with pytest.raises(Unwritable, match="lock timeout"):
            store.write([change("aaaaaa", even(), ONE), change("bbbbbb", even(), ONE)])
        assert store.live_version("aaaaaa") == 1
        holder.rollback()
    assert store.write([change("aaaaaa", even(), ONE), change("bbbbbb", even(), ONE)]) == [None] * 2


@pytest.mark.parametrize("code", ["40001", "40P01"])
def test_a_transaction_that_the_database_gives_up_is_tried_again(opened: Opened, code: str) -> None:
    store = opened()
    store.write([begin("aaaaaa", even()), begin("bbbbbb", even())])
    execute(opened.place, "create sequence tries")  # which counts also what is taken back
    execute(
        opened.place,
        "create function give_up() returns trigger language plpgsql as $$ begin"
        f" if nextval('tries') <= 3 then raise exception using errcode = '{code}'; end if;"
        " return new; end $$",
    )
    execute(
        opened.place,
        "create trigger give_up before update on live for each row execute function give_up()",
    )
    batch = [change("aaaaaa", even(), ONE), change("bbbbbb", even(), ONE)]
    assert store.write(batch) == [None, None]
    assert execute(opened.place, "select last_value from tries") == [(5,)]
    assert store.live_version("aaaaaa") == store.live_version("bbbbbb") == 2


# Notices.


class Heard:
    """What a listener has called back with."""

    def __init__(self) -> None:
        self._queue: Queue[tuple[str, int]] = Queue()

    def __call__(self, id_: str, version: int) -> None:
        self._queue.put((id_, version))

    def next(self) -> tuple[str, int]:
        return self._queue.get(timeout=PATIENCE)

    def until(self, wanted: tuple[str, int]) -> list[tuple[str, int]]:
        """Give all that comes before something."""
        before: list[tuple[str, int]] = []
        while (one := self.next()) != wanted:
            before.append(one)
        return before

    def nothing(self) -> bool:
        try:
            self._queue.get_nowait()
        except Empty:
            return True
        return False


OTHER = """
match = Match.new(zerosum.game("even-steven"), ("Ada", "Bob"))
store.write([Begin("aaaaaa", match, "{}", None, "k", "d", "playing")])
events = (Event("move", 1),)
entry = Change("aaaaaa", 1, 0, events, match.play(1), "{}", None, None, None, "playing")
assert store.write([entry]) == [None]
(error,) = store.write([entry])
assert isinstance(error, Moved)
store.write([Begin("bbbbbb", match, "{}", None, "l", "d", "playing")])
"""


def test_changes_of_another_process_are_heard_and_refused_ones_are_not(opened: Opened) -> None:
    heard = Heard()
    listener = opened().listen(heard)
    assert listener is not None
    try:
        race_at(opened.place, OTHER, 1)
        assert heard.until(("bbbbbb", 1)) == [("aaaaaa", 1), ("aaaaaa", 2)]
    finally:
        listener.close()


def test_a_listener_hears_its_own_process_and_other_databases_are_not_heard(
    postgres: Server, opened: Opened
) -> None:
    store, heard = opened(), Heard()
    elsewhere = open_store(postgres.fresh())
    listener = store.listen(heard)
    assert listener is not None
    elsewhere.write([begin("cccccc", even())])
    store.write([begin("aaaaaa", even()), begin("bbbbbb", even())])
    assert {heard.next(), heard.next()} == {("aaaaaa", 1), ("bbbbbb", 1)}
    listener.close()
    listener.close()
    store.write([change("aaaaaa", even(), ONE)])
    assert heard.nothing()
    elsewhere.close()


def test_a_notice_is_of_what_can_be_read(opened: Opened) -> None:
    store, versions = opened(), []
    seen = threading.Event()
    reader = opened(write=False)

    def look(id_: str, version: int) -> None:
        versions.append((version, reader.live_version(id_)))
        if version == 20:
            seen.set()

    listener = store.listen(look)
    assert listener is not None
    match = even(1000)
    store.write([begin("aaaaaa", match)])
    for version in range(1, 20):
        store.write([change("aaaaaa", match, ONE, version=version, seq=version - 1)])
        match = match.play(1)
    assert seen.wait(PATIENCE)
    listener.close()
    assert [told for told, _ in versions] == list(range(1, 21))
    assert all(found is not None and found >= told for told, found in versions)


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_a_listener_outlives_a_restart_and_says_that_it_may_have_missed_something(
    postgres: Server, opened: Opened, how: str
) -> None:
    store, heard = opened(), Heard()
    listener = store.listen(heard)
    assert listener is not None
    store.write([begin("aaaaaa", even())])
    assert heard.next() == ("aaaaaa", 1)
    getattr(postgres, how)()
    postgres.start()
    assert heard.next() == ("", 0)
    store.write([begin("bbbbbb", even())])
    assert heard.next() == ("bbbbbb", 1)
    listener.close()


def test_a_listener_can_be_closed_while_the_server_is_away(
    postgres: Server, opened: Opened
) -> None:
    heard = Heard()
    listener = opened().listen(heard)
    assert listener is not None
    postgres.stop()
    try:
        listener.close()
        assert heard.nothing()
    finally:
        postgres.start()


def test_who_cannot_listen_is_told_in_a_sentence(postgres: Server, opened: Opened) -> None:
    store = opened()
    postgres.stop()
    try:
        with pytest.raises(Unwritable, match="cannot be used"):
            store.listen(lambda id_, version: None)
    finally:
        postgres.start()


def test_the_listeners_line_is_tried_when_it_is_quiet(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    from zerosum.store import listening

    monkeypatch.setattr(listening, "PROBE_SECONDS", 0.01)
    store, heard = opened(), Heard()
    listener = store.listen(heard)
    assert listener is not None
    match = even(1000)
    store.write([begin("aaaaaa", match)])
    for version in range(1, 40):
        store.write([change("aaaaaa", match, ONE, version=version, seq=version - 1)])
        match = match.play(1)
    probes = "select count(*) from pg_stat_activity where query = 'select 1'"
    while execute(opened.place, probes) == [(0,)]:
        pass
    assert heard.until(("aaaaaa", 40)) == [("aaaaaa", version) for version in range(1, 40)]
    listener.close()
