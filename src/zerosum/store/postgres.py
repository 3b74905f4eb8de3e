"""A PostgreSQL database, which servers on several machines can share."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import psycopg
from psycopg import errors, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from zerosum.errors import Rejected, StoreError, Unwritable
from zerosum.store import schema
from zerosum.store.address import EXAMPLE, libpq_address, location
from zerosum.store.database import Callback, Statements, T, Values
from zerosum.store.listener import CHANNEL, PostgresListener

WAIT_SECONDS = 10.0
PAUSE = 0.1
# Errors are raised; what psycopg logs besides is for those who have set up a log.
logging.getLogger("psycopg").addHandler(logging.NullHandler())

NOT_MODIFIED = schema.not_modified("database")
# A server that disappears is noticed within half a minute.
NETWORK = {
    "connect_timeout": 10,
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 4,
    "tcp_user_timeout": 20_000,
    "application_name": "zerosum",
}
# A committed transaction is on the disk, whatever the server's own settings are; a process that
# hangs in the middle of one does not hold up the others for long.
SESSION = """
    set lock_timeout = '10s';
    set idle_in_transaction_session_timeout = '60s';
    select set_config('synchronous_commit', 'on', false)
    where current_setting('synchronous_commit') = 'off'
"""
# From the catalog itself: to_regclass may not yet see a table that was just created.
HAS_META = "select 1 from pg_catalog.pg_class where relname = 'meta' and pg_table_is_visible(oid)"
WRITE_META = (
    "insert into meta (name, value) values ('application', 'zerosum'), ('version', %s)"
    " on conflict (name) do update set value = excluded.value"
)
RETRY = (errors.SerializationFailure, errors.DeadlockDetected)
# SQL states with which the server ends a connection; 08 is the class of connection errors.
CONNECTION_LOST = ("08", "57P", "25P03")


class PostgresDatabase:
    """An open PostgreSQL database, which reconnects after a restart of the server."""

    lock = " for no key update"
    lock_free = " for update skip locked"

    def __init__(self, address: str, write: bool = True) -> None:
        """Connect, create the tables if there are none, or refuse another program's."""
        self.path = location(address)
        self._address = address
        self._settings = _settings(address)
        self._write = write
        self._in_transaction = False
        with self._errors():
            self._db = self._connect()

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def again(self) -> PostgresDatabase:
        """Connect once more, for another thread."""
        return PostgresDatabase(self._address, self._write)

    def _open(self) -> psycopg.Connection[Any]:
        """Connect; every statement outside of a transaction is one of its own."""
        return psycopg.connect(make_conninfo(**self._settings), autocommit=True)

    def _connect(self) -> psycopg.Connection[Any]:
        """Connect, and make sure that the tables have the current version."""
        db = self._open()
        try:
            db.execute(SESSION)
            self._prepare(db)
            db.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
            db.read_only = not self._write
        except BaseException:
            db.close()
            raise
        return db

    def _prepare(self, db: psycopg.Connection[Any]) -> None:
        """Upgrade the tables to the current version, in one transaction that others wait for."""
        version = self._version(db)
        if version == schema.VERSION:
            return
        if not self._write:
            if version:
                raise StoreError(
                    f"{self.path} was made by an older Zerosum (version {version}; this one needs "
                    f"{schema.VERSION}). The first command that writes to it upgrades it."
                )
            # A reader creates nothing: these tables are empty, and end with the connection.
            db.execute("set search_path to pg_temp")
            _migrate(db, 0)
            return
        with db.transaction():
            db.execute("select pg_advisory_xact_lock(%s)", (schema.APPLICATION,))
            _migrate(db, self._version(db))

    def _version(self, db: psycopg.Connection[Any]) -> int:
        """Read the version of the tables, 0 if there are none; refuse another program's."""
        if not db.execute(HAS_META).fetchall():
            return 0
        try:
            meta = dict(db.execute("select name, value from meta").fetchall())
            version = int(meta["version"])
        except (errors.UndefinedColumn, errors.InsufficientPrivilege, KeyError, ValueError):
            meta, version = {}, 0
        if meta.get("application") != "zerosum":
            raise StoreError(f"{self.path} holds tables of another program. {NOT_MODIFIED}")
        schema.check_version(self.path, version, "database")
        return 3 if version == 1 else version  # version 1 once was what is version 3 of a file

    def now(self) -> float:
        """Return the time of the server, in seconds."""
        ((now,),) = self.rows("select extract(epoch from clock_timestamp())::double precision")
        return float(now)

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        if self._in_transaction:
            return self._db.execute(_placeholders(query), values).fetchall()
        return self._retry(lambda: self._db.execute(_placeholders(query), values).fetchall())

    def each(self, query: str, many: Sequence[Values]) -> list[tuple[Any, ...]]:
        """Run a query for several values, in their order, and return all the rows."""
        if not many:
            return []
        with self._db.cursor() as cursor:
            cursor.executemany(_placeholders(query), many, returning=True)
            rows = cursor.fetchall()
            while cursor.nextset():
                rows += cursor.fetchall()
        return rows

    def run(self, query: str, *values: Any) -> None:
        """Run a statement."""
        self._db.execute(_placeholders(query), values)

    def many(self, statements: Statements) -> None:
        """Run several statements, sent without waiting for the answers in between."""
        with self._db.pipeline(), self._db.cursor() as cursor:
            for query, many in statements:
                if many:
                    cursor.executemany(_placeholders(query), many)

    def transact(self, work: Callable[[], T]) -> T:
        """Run the work in a transaction that is on the disk on return. It may run twice."""
        if not self._write:
            raise Unwritable(f"{self.path} is open for reading only.")
        return self._retry(lambda: self._transaction(work))

    def snapshot(self, work: Callable[[], T]) -> T:
        """Read several things as of one moment."""

        def read() -> T:
            self._db.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            try:
                return self._transaction(work, writes=False)
            finally:
                if not self._db.closed:
                    self._db.isolation_level = psycopg.IsolationLevel.READ_COMMITTED

        return self._retry(read)

    def notifications(self, versions: Mapping[str, int]) -> Statements:
        """Return the statements that notify other processes of changed matches."""
        changed = [f"{id_} {version}" for id_, version in versions.items()]
        query = "select pg_notify(?, changed) from unnest(?::text[]) as changed"
        return [(query, [(CHANNEL, changed)])] if changed else []

    def listen(self, callback: Callback) -> PostgresListener:
        """Report every committed change, of this process and of others, until it is closed.

        A thread calls back with the id and the version, and with ("", 0) after a lost connection,
        when it may have missed some.
        """
        with self._errors():
            return PostgresListener(self._open, callback)

    def _transaction(self, work: Callable[[], T], writes: bool = True) -> T:
        """Run the work in a transaction."""
        done = False
        self._in_transaction = True
        try:
            with self._db.transaction():
                result = work()
                done = True
            return result
        except psycopg.OperationalError as error:
            if done and writes and self._is_lost(error):
                raise Unwritable(
                    f"{self.path} was lost while saving: {self._reason(error)}. "
                    "The change was either saved completely or not at all."
                ) from error
            raise
        finally:
            self._in_transaction = False

    def _retry(self, work: Callable[[], T]) -> T:
        """Run the work again if the server ended it before anything was saved."""
        limit = time.monotonic() + WAIT_SECONDS
        with self._errors():
            while True:
                try:
                    if self._db.closed:
                        self._db = self._connect()
                    return work()
                except RETRY:
                    if time.monotonic() > limit:
                        raise
                except psycopg.OperationalError as error:
                    if not self._is_lost(error) or time.monotonic() > limit:
                        raise
                    self._db.close()
                    time.sleep(PAUSE)

    def _is_lost(self, error: psycopg.Error) -> bool:
        """Return whether an error means that the connection is lost, or can no longer be used."""
        if self._db.closed or (error.sqlstate or "").startswith(CONNECTION_LOST):
            return True
        # A server that stops in the middle of a pipeline leaves a connection that cannot end it.
        return self._db.pgconn.pipeline_status != psycopg.pq.PipelineStatus.OFF

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn the errors of PostgreSQL into sentences."""
        try:
            yield
        except (
            psycopg.OperationalError,
            errors.InsufficientPrivilege,
            errors.ReadOnlySqlTransaction,
            errors.IdleInTransactionSessionTimeout,
        ) as error:
            raise Unwritable(f"{self.path} cannot be used: {self._reason(error)}.") from error
        except errors.DuplicateTable as error:
            raise StoreError(
                f"{self.path} holds tables of another program ({self._reason(error)}). "
                f"{NOT_MODIFIED}"
            ) from error
        except (errors.UndefinedTable, errors.UndefinedColumn) as error:
            raise StoreError(f"{self.path} is damaged: {self._reason(error)}.") from error
        except (psycopg.Error, ValueError, OverflowError) as error:
            # Further lines would show the values.
            raise Rejected(f"The database rejected this change: {self._reason(error)}.") from error

    def _reason(self, error: Exception) -> str:
        """Return the reason that PostgreSQL gives, in one line and without a password."""
        text = " ".join(str(error).strip().splitlines()[:1]) or type(error).__name__
        secrets = [str(self._settings.get(name) or "") for name in ("password", "sslpassword")]
        if any(secret and secret in text for secret in secrets):
            return "the server refuses the connection"
        return text.rstrip(".")


def _settings(address: str) -> dict[str, Any]:
    """Read an address; its own network settings win over ours."""
    try:
        settings = conninfo_to_dict(libpq_address(address))
    except psycopg.ProgrammingError:  # whose text contains the address
        raise StoreError(
            f"The address of the PostgreSQL database cannot be read; it looks like {EXAMPLE}, "
            "and settings follow it as in ?sslmode=require"
        ) from None
    return {**NETWORK, **settings, "client_encoding": "UTF8"}


def _migrate(db: psycopg.Connection[Any], version: int) -> None:
    """Upgrade the tables from a version to the current one."""
    for statement in schema.upgrade(version, key='text collate "C"', compact=""):
        db.execute(sql.SQL(statement))
    db.execute(WRITE_META, (str(schema.VERSION),))


@lru_cache(maxsize=256)
def _placeholders(query: str) -> bytes:
    """Write a query with psycopg's placeholders."""
    return query.replace("?", "%s").encode()
