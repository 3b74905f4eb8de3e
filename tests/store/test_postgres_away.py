"""A PostgreSQL server that goes away, or makes us wait."""

from __future__ import annotations

import threading

import pytest

from tests.postgres import Server
from tests.store.places import Opened, begin, change, eventually, execute
from tests.store.support import even, moved
from zerosum.match import Event
from zerosum.store import connection
from zerosum.store.base import Unwritable

psycopg = pytest.importorskip("psycopg")
ONE = Event("move", 1)
PATIENCE = 30.0


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_a_store_outlives_a_restart_of_the_server(
    postgres: Server, in_database: Opened, how: str
) -> None:
    store = in_database()
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


def test_a_write_waits_a_while_for_a_server_that_is_away(
    postgres: Server, in_database: Opened
) -> None:
    store = in_database()
    store.write([begin("aaaaaa", even())])
    postgres.stop()
    starting = threading.Timer(0.5, postgres.start)
    starting.start()
    assert store.write([change("aaaaaa", even(), ONE)]) == [None]
    starting.join()
    assert store.live_version("aaaaaa") == 2


def test_a_server_that_stays_away_is_unwritable_until_it_is_back(
    postgres: Server, in_database: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "WAIT_SECONDS", 0.3)
    store = in_database()
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


def test_a_connection_that_is_cut_in_the_middle_of_a_write_loses_nothing(
    in_database: Opened,
) -> None:
    store = in_database()
    store.write([begin("aaaaaa", even()), begin("bbbbbb", even())])
    # Whoever holds the row makes the write wait; then the server ends the write's connection.
    with psycopg.connect(in_database.place) as holder:
        holder.execute("select 1 from live where id = 'bbbbbb' for update")
        results: list[object] = []
        batch = [change("aaaaaa", even(), ONE), change("bbbbbb", even(), ONE)]
        writing = threading.Thread(target=lambda: results.extend(store.write(batch)))
        writing.start()
        cut = (
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where wait_event_type = 'Lock' and datname = current_database()"
        )
        eventually(lambda: bool(execute(in_database.place, cut)))
        holder.rollback()
    writing.join(PATIENCE)
    assert results == [None, None]
    assert store.live_version("aaaaaa") == store.live_version("bbbbbb") == 2


def test_a_connection_that_is_lost_while_saving_is_reported_as_such(
    in_database: Opened,
) -> None:
    store = in_database()
    store.write([begin("aaaaaa", even())])
    execute(
        in_database.place,
        "create function cut() returns trigger language plpgsql as $$ begin"
        " perform pg_terminate_backend(pg_backend_pid()); return new; end $$",
    )
    execute(
        in_database.place,
        "create constraint trigger cut after update on live deferrable initially deferred"
        " for each row execute function cut()",
    )
    with pytest.raises(Unwritable, match="saved completely or not at all"):
        store.write([change("aaaaaa", even(), ONE)])
    assert store.live_version("aaaaaa") == 1
    execute(in_database.place, "drop trigger cut on live")
    assert store.write([change("aaaaaa", even(), ONE)]) == [None]


def test_a_row_that_stays_locked_is_unwritable_until_it_is_free(in_database: Opened) -> None:
    store = in_database()
    store.write([begin("aaaaaa", even()), begin("bbbbbb", even())])
    store._run("set lock_timeout = '50ms'")
    with psycopg.connect(in_database.place) as holder:
        holder.execute("select 1 from live where id = 'bbbbbb' for update")
        with pytest.raises(Unwritable, match="lock timeout"):
            store.write([change("aaaaaa", even(), ONE), change("bbbbbb", even(), ONE)])
        assert store.live_version("aaaaaa") == 1
        holder.rollback()
    assert store.write([change("aaaaaa", even(), ONE), change("bbbbbb", even(), ONE)]) == [None] * 2


@pytest.mark.parametrize("code", ["40001", "40P01"])
def test_a_transaction_that_the_database_gives_up_is_tried_again(
    in_database: Opened, code: str
) -> None:
    store = in_database()
    store.write([begin("aaaaaa", even()), begin("bbbbbb", even())])
    execute(in_database.place, "create sequence tries")  # which counts also what is taken back
    execute(
        in_database.place,
        "create function give_up() returns trigger language plpgsql as $$ begin"
        f" if nextval('tries') <= 3 then raise exception using errcode = '{code}'; end if;"
        " return new; end $$",
    )
    execute(
        in_database.place,
        "create trigger give_up before update on live for each row execute function give_up()",
    )
    batch = [change("aaaaaa", even(), ONE), change("bbbbbb", even(), ONE)]
    assert store.write(batch) == [None, None]
    assert execute(in_database.place, "select last_value from tries") == [(5,)]
    assert store.live_version("aaaaaa") == store.live_version("bbbbbb") == 2
