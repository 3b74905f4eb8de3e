"""A PostgreSQL database as the store: what it refuses, and what it outlives."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.postgres import PASSWORD, QUOTED, USER, Server
from tests.store.places import Opened, execute, race_at
from tests.store.support import even, moved
from zerosum.match import Event
from zerosum.store import StoreError, connection, open_store
from zerosum.store.base import Unwritable
from zerosum.store.schema import POSTGRES, POSTGRES_VERSION

psycopg = pytest.importorskip("psycopg")
ONE = Event("move", 1)
PATIENCE = 30.0


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


def test_who_only_reads_makes_nothing(in_database: Opened) -> None:
    reader = in_database(write=False)
    assert reader.matches() == []
    assert reader.results() == []
    assert reader.latest_open() is None
    assert reader.live("aaaaaa") is None
    with pytest.raises(StoreError, match="no match"):
        reader.load("abc")
    with pytest.raises(StoreError):
        reader.create(even())
    tables = "select count(*) from pg_tables where schemaname = 'public'"
    assert execute(in_database.place, tables) == [(0,)]


def test_a_newer_database_is_refused_and_left_alone(in_database: Opened) -> None:
    moved(in_database(), 2)
    execute(in_database.place, "update meta set value = '99' where name = 'version'")
    for write in (True, False):
        error = refused(in_database.place, write)
        assert not isinstance(error, Unwritable)
        assert f"newer Zerosum (version 99; this one knows up to {POSTGRES_VERSION})" in str(error)
    assert execute(in_database.place, "select count(*) from events") == [(2,)]


def test_an_older_database_moves_forward_when_somebody_writes(
    in_database: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = moved(in_database(), 2)
    step = "alter table matches add column note text default 'none';create table notes (line text)"
    monkeypatch.setattr(connection, "POSTGRES", (*POSTGRES, step))
    monkeypatch.setattr(connection, "POSTGRES_VERSION", POSTGRES_VERSION + 1)
    assert "older Zerosum" in str(refused(in_database.place, write=False))
    assert in_database().load(id_).match.ply == 2
    assert in_database(write=False).load(id_).match.ply == 2
    assert execute(in_database.place, "select note from matches") == [("none",)]


def test_a_step_that_fails_leaves_the_database_as_it_was(
    in_database: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = moved(in_database(), 2)
    step = "create table notes (line text);create table matches (id text)"
    monkeypatch.setattr(connection, "POSTGRES", (*POSTGRES, step))
    monkeypatch.setattr(connection, "POSTGRES_VERSION", POSTGRES_VERSION + 1)
    refused(in_database.place)
    monkeypatch.undo()
    assert in_database().load(id_).match.ply == 2
    assert execute(in_database.place, "select 1 from pg_tables where tablename = 'notes'") == []


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
