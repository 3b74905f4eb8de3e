"""PostgreSQL databases: what is refused, and servers that go away."""

import sys
import threading
from pathlib import Path
from queue import Queue

import pytest

from tests.helpers import eventually
from tests.postgres import PASSWORD, QUOTED, USER, Server
from tests.store.support import ONE, Stores, begin, change, even, execute, race, refused, write
from zerosum.errors import MissingExtra, StoreError, Unwritable
from zerosum.store import open_store

psycopg = pytest.importorskip("psycopg")
PATIENCE = 30.0


def refusal(address: str, write: bool = True) -> StoreError:
    """Return the error with which a database is not opened; it never shows the password."""
    error = refused(address, write)
    for piece in ("tiger", "lion"):
        assert piece not in str(error)
    return error


# Addresses and servers that cannot be used.


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ((QUOTED, "tigerlion"), "password authentication failed"),
        (("/postgres", "/nothing"), 'database "nothing" does not exist'),
        # The server would name the database that it does not have.
        (("/postgres", f"/{QUOTED}"), "the server refuses the connection"),
    ],
)
def test_a_refused_connection_is_named_without_the_password(
    postgres: Server, change: tuple[str, str], reason: str
) -> None:
    error = refused(postgres.address("postgres").replace(*change))
    assert isinstance(error, Unwritable)
    assert reason in str(error)
    assert not any(password in str(error) for password in (PASSWORD, "tigerlion"))


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://{USER}:{PASSWORD}@127.0.0.1/games",
        "postgresql://ada:tiger@lion@localhost/games",
        "postgresql://ada:tigerlion",
        "postgresql://localhost:tigerlion/games",
        "postgresql://localhost/games?liontiger=1",
    ],
)
def test_an_invalid_address_is_refused_without_being_shown(address: str) -> None:
    error = refusal(address)
    assert not isinstance(error, Unwritable)
    assert "postgresql://USER:PASSWORD@HOST:PORT/DATABASE" in str(error)
    assert error.__cause__ is None


def test_without_psycopg_the_error_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "psycopg"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "zerosum.store.postgres", raising=False)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r"pip install .*\[postgres\]'"):
        open_store("postgresql://localhost/games")
    open_store(str(tmp_path / "a.db")).close()


# Tables.


@pytest.mark.parametrize(
    "table", ["meta (id integer)", "meta (name text, value text)", "live (viewers text)"]
)
def test_tables_of_another_program_are_refused_and_not_modified(database: str, table: str) -> None:
    execute(database, f"create table {table}")
    error = refusal(database)
    assert not isinstance(error, Unwritable)
    assert "another program" in str(error)
    names = "select count(*) from pg_tables where schemaname = 'public'"
    assert execute(database, names) == [(1,)]


CREATE = "print([open_store(address).matches() for address in sys.argv[1].split()])"


def test_servers_that_start_at_once_create_the_tables_once(postgres: Server) -> None:
    addresses = [postgres.fresh() for _ in range(2)]
    assert race(CREATE, " ".join(addresses), 3) == [f"{[[]] * 2}\n"] * 3


def test_a_user_without_permission_cannot_write(postgres: Server) -> None:
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


def test_a_commit_waits_for_the_disk_whatever_the_settings_of_the_server(database: str) -> None:
    (name,) = execute(database, "select current_database()")[0]
    execute(database, f"alter database {name} set synchronous_commit = off")
    assert execute(database, "show synchronous_commit") == [("off",)]
    store = open_store(database)
    assert store.database.rows("show synchronous_commit") == [("on",)]
    store.close()


# A server that goes away, or makes us wait.


def test_a_write_waits_for_a_server_that_restarts(
    postgres: Server, postgres_stores: Stores
) -> None:
    store = postgres_stores()
    write(store, [begin("aaaaaa", even())])
    postgres.stop()
    starting = threading.Timer(0.2, postgres.start)
    starting.start()
    assert write(store, [change("aaaaaa", even(), ONE)]) == [None]
    starting.join()
    assert store.server.version("aaaaaa") == 2


def test_a_server_that_stays_away_is_unwritable_until_it_is_back(
    postgres: Server, postgres_stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zerosum.store.postgres.STORE_SECONDS", 0.1)
    store = postgres_stores()
    write(store, [begin("aaaaaa", even())])
    postgres.stop()
    try:
        with pytest.raises(Unwritable, match="cannot be used"):
            write(store, [change("aaaaaa", even(), ONE)])
        with pytest.raises(Unwritable, match="cannot be used"):
            store.live("aaaaaa")
    finally:
        postgres.start()
    assert write(store, [change("aaaaaa", even(), ONE)]) == [None]


def test_a_connection_that_is_lost_during_a_write_loses_nothing(postgres_stores: Stores) -> None:
    store = postgres_stores()
    write(store, [begin("aaaaaa", even()), begin("bbbbbb", even())])
    # The write waits for a locked row; then the server ends its connection.
    with psycopg.connect(postgres_stores.address) as holder:
        holder.execute("select 1 from live where id = 'bbbbbb' for update")
        results: list[object] = []
        batch = [change("aaaaaa", even(), ONE), change("bbbbbb", even(), ONE)]
        writing = threading.Thread(target=lambda: results.extend(write(store, batch)))
        writing.start()
        cut = (
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where wait_event_type = 'Lock' and datname = current_database()"
        )
        eventually(lambda: bool(execute(postgres_stores.address, cut)))
        holder.rollback()
    writing.join(PATIENCE)
    assert results == [None, None]
    assert store.server.version("aaaaaa") == store.server.version("bbbbbb") == 2


def test_a_connection_that_is_lost_during_a_commit_is_reported(postgres_stores: Stores) -> None:
    store = postgres_stores()
    write(store, [begin("aaaaaa", even())])
    execute(
        postgres_stores.address,
        "create function cut() returns trigger language plpgsql as $$ begin"
        " perform pg_terminate_backend(pg_backend_pid()); return new; end $$;"
        "create constraint trigger cut after update on live deferrable initially deferred"
        " for each row execute function cut()",
    )
    with pytest.raises(Unwritable, match="saved completely or not at all"):
        write(store, [change("aaaaaa", even(), ONE)])
    assert store.server.version("aaaaaa") == 1
    execute(postgres_stores.address, "drop trigger cut on live")
    assert write(store, [change("aaaaaa", even(), ONE)]) == [None]


def test_a_row_that_stays_locked_is_unwritable_until_it_is_free(postgres_stores: Stores) -> None:
    store = postgres_stores()
    write(store, [begin("aaaaaa", even()), begin("bbbbbb", even())])
    store.database.rows("set lock_timeout = '50ms'")
    with psycopg.connect(postgres_stores.address) as holder:
        holder.execute("select 1 from live where id = 'bbbbbb' for update")
        with pytest.raises(Unwritable, match="lock timeout"):
            write(store, [change("aaaaaa", even(), ONE), change("bbbbbb", even(), ONE)])
        assert store.server.version("aaaaaa") == 1
        holder.rollback()
    assert (
        write(store, [change("aaaaaa", even(), ONE), change("bbbbbb", even(), ONE)]) == [None] * 2
    )


def test_a_transaction_that_the_server_aborts_is_retried(postgres_stores: Stores) -> None:
    store = postgres_stores()
    write(store, [begin("aaaaaa", even()), begin("bbbbbb", even())])
    execute(  # a sequence also counts what is rolled back
        postgres_stores.address,
        "create sequence tries;"
        "create function abort() returns trigger language plpgsql as $$ begin"
        " if nextval('tries') <= 3 then raise exception using errcode = '40001'; end if;"
        " return new; end $$;"
        "create trigger abort_update before update on live for each row execute function abort()",
    )
    batch = [change("aaaaaa", even(), ONE), change("bbbbbb", even(), ONE)]
    assert write(store, batch) == [None, None]
    assert execute(postgres_stores.address, "select last_value from tries") == [(5,)]
    assert store.server.version("aaaaaa") == store.server.version("bbbbbb") == 2


# Every process that listens is notified of changes.

OTHER = """
store = server(sys.argv[1])
match = Match.new(zerosum.game("even-steven"), ("Ada", "Bob"))
store.write([[begin("aaaaaa", match, "k")]])
change = move("aaaaaa", match, 1, 0, None)
assert store.write([[change]]) == [None]
(error,) = store.write([[change]])
assert isinstance(error, Conflict)
store.write([[begin("bbbbbb", match, "l")]])
"""


def test_changes_of_another_process_are_reported_and_refused_ones_are_not(
    postgres_stores: Stores,
) -> None:
    reported: Queue[tuple[str, int, list[str]]] = Queue()
    listener = postgres_stores().database.listen(lambda *change: reported.put(change))
    assert listener is not None
    race(OTHER, postgres_stores.address, 1)
    found = [reported.get(timeout=PATIENCE) for _ in range(3)]
    assert found == [("aaaaaa", 1, []), ("aaaaaa", 2, []), ("bbbbbb", 1, [])]
    listener.close()


def test_a_listener_survives_a_restart_and_reports_that_it_may_have_missed_changes(
    postgres: Server, postgres_stores: Stores
) -> None:
    store = postgres_stores()
    reported: Queue[tuple[str, int, list[str]]] = Queue()
    listener = store.database.listen(lambda *change: reported.put(change))
    assert listener is not None
    write(store, [begin("aaaaaa", even(), seats=("ada", "bob"))])
    assert reported.get(timeout=PATIENCE) == ("aaaaaa", 1, ["ada", "bob"])
    postgres.kill()
    postgres.start()
    assert reported.get(timeout=PATIENCE) == ("", 0, [])
    write(store, [begin("bbbbbb", even())])
    assert reported.get(timeout=PATIENCE) == ("bbbbbb", 1, [])
    postgres.stop()
    try:
        with pytest.raises(Unwritable, match="cannot be used"):
            store.database.listen(lambda *change: None)
        listener.close()
        assert reported.empty()
    finally:
        postgres.start()
