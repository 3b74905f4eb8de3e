"""A PostgreSQL database, which servers on several machines can share."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import psycopg
from psycopg import errors, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import PipelineStatus, TransactionStatus

from zerosum.errors import Rejected, StoreError, Unwritable
from zerosum.limits import STORE_SECONDS
from zerosum.store import schema
from zerosum.store.address import EXAMPLE, redacted
from zerosum.store.database import Callback, Rows, Statements, T

PAUSE = 0.1
# How long it takes at most to notice that a listener is closed.
LISTEN_SECONDS = 0.2
# Errors are raised; what psycopg logs besides is for those who have set up a log.
logging.getLogger("psycopg").addHandler(logging.NullHandler())

# A server that disappears is noticed within half a minute.
NETWORK = {
    "connect_timeout": 10,
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 4,
    "tcp_user_timeout": 20_000,
    "application_name": "zerosum",
}
# A committed transaction is on the disk, whatever the server's settings; a process that hangs in
# one does not hold up the others for long.
SESSION = """
    set default_transaction_isolation = 'read committed';
    set lock_timeout = '10s';
    set idle_in_transaction_session_timeout = '60s';
    select set_config('synchronous_commit', 'on', false)
    where current_setting('synchronous_commit') = 'off'
"""
# From the catalog itself: to_regclass may not yet see a new table.
HAS_META = "select 1 from pg_catalog.pg_class where relname = 'meta' and pg_table_is_visible(oid)"
WRITE_META = (
    "insert into meta (name, value) values ('application', 'zerosum'), ('version', %s)"
    " on conflict (name) do update set value = excluded.value"
)
RETRY = (errors.SerializationFailure, errors.DeadlockDetected)
# SQL states with which the server ends a connection; 08 is the class of connection errors.
CONNECTION_LOST = ("08", "57P", "25P03")


class PostgresDatabase:
    """An open PostgreSQL database, which reconnects after a restart."""

    lock = " for no key update"
    lock_free = " for update skip locked"
    clock = "select extract(epoch from clock_timestamp())::double precision"
    notify = "select pg_notify('zerosum', changed) from unnest(?::text[]) as changed"

    def __init__(self, address: str, write: bool = True) -> None:
        """Connect; create missing tables, or refuse another program's."""
        self.path = redacted(address)
        self._address = address
        self._settings = _settings(address)
        self._write = write
        with self._errors():
            self._db = self._connect()

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def again(self) -> PostgresDatabase:
        """Connect once more, for another thread."""
        return PostgresDatabase(self._address, self._write)

    def _connect(self, *, listen: bool = False) -> psycopg.Connection[Any]:
        """Connect, and upgrade the tables; or only listen to changes."""
        db = psycopg.connect(make_conninfo(**self._settings), autocommit=True)
        try:
            db.execute("listen zerosum" if listen else SESSION)
            if not listen and self._version(db) != schema.VERSION:
                with db.transaction():
                    db.execute("select pg_advisory_xact_lock(%s)", (schema.APPLICATION,))
                    self._migrate(db)
            db.read_only = not self._write
        except BaseException:
            db.close()
            raise
        return db

    def _version(self, db: psycopg.Connection[Any]) -> int:
        """Read the version of the tables, 0 without any; refuse another program's."""
        if not db.execute(HAS_META).fetchall():
            return 0
        try:
            meta = dict(db.execute("select name, value from meta").fetchall())
            version = int(meta["version"])
        except (errors.UndefinedColumn, errors.InsufficientPrivilege, KeyError, ValueError):
            meta, version = {}, 0
        if meta.get("application") != "zerosum":
            raise StoreError(f"{self.path} holds tables of another program. {schema.NOT_MODIFIED}")
        schema.check_version(self.path, version)
        return 3 if version == 1 else version  # version 1 once was what is version 3 of a file

    def _migrate(self, db: psycopg.Connection[Any]) -> None:
        """Upgrade the tables to the current version."""
        for statement in schema.upgrade(self._version(db), schema.POSTGRES):
            db.execute(sql.SQL(statement))
        db.execute(WRITE_META, (str(schema.VERSION),))

    def rows(self, query: str, *values: Any) -> Rows:
        """Run a statement, and return the rows of a query."""

        def work() -> Rows:
            cursor = self._db.execute(_placeholders(query), values)
            return cursor.fetchall() if cursor.description else []

        inside = self._db.info.transaction_status == TransactionStatus.INTRANS
        return work() if inside else self._retry(work)

    def many(self, statements: Statements) -> None:
        """Run several statements, without waiting for answers in between."""
        with self._db.pipeline(), self._db.cursor() as cursor:
            for query, many in statements:
                if many:
                    cursor.executemany(_placeholders(query), many)

    def transact(self, work: Callable[[], T]) -> T:
        """Run the work in a transaction, on the disk on return. It may run twice."""
        if not self._write:
            raise Unwritable(f"{self.path} is open for reading only.")

        def write() -> T:
            done = False
            try:
                with self._db.transaction():
                    result = work()
                    done = True
                return result
            except psycopg.OperationalError as error:
                if not done or not self._is_lost(error):
                    raise
                raise Unwritable(
                    f"{self.path} was lost while saving: {self._reason(error)}. "
                    "The change was either saved completely or not at all."
                ) from error

        return self._retry(write)

    def snapshot(self, work: Callable[[], T]) -> T:
        """Read several things as of one moment."""

        def read() -> T:
            with self._db.transaction():
                self.rows("set transaction isolation level repeatable read")
                return work()

        return self._retry(read)

    def listen(self, callback: Callback) -> PostgresListener:
        """Report every committed change, of any process, until it is closed.

        A thread calls back with the id, the version and whoever the match concerns from now on;
        and with ("", 0) after a lost connection, when it may have missed some.
        """
        with self._errors():
            return PostgresListener(lambda: self._connect(listen=True), callback)

    def _retry(self, work: Callable[[], T]) -> T:
        """Run the work again if the server ended it before saving."""
        limit = time.monotonic() + STORE_SECONDS
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
        """Return whether an error means that the connection is lost or useless."""
        if self._db.closed or (error.sqlstate or "").startswith(CONNECTION_LOST):
            return True
        # A server that stops in a pipeline leaves a connection that cannot end it.
        return self._db.pgconn.pipeline_status != PipelineStatus.OFF

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
        except (errors.DuplicateTable, errors.UndefinedTable, errors.UndefinedColumn) as error:
            raise StoreError(
                f"{self.path} is damaged, or holds tables of another program: "
                f"{self._reason(error)}. {schema.NOT_MODIFIED}"
            ) from error
        except (psycopg.Error, ValueError, OverflowError) as error:
            # Further lines would show the values.
            raise Rejected(f"The database rejected this change: {self._reason(error)}.") from error

    def _reason(self, error: Exception) -> str:
        """Return PostgreSQL's reason in one line, without a password."""
        text = " ".join(str(error).strip().splitlines()[:1]) or type(error).__name__
        if (self._settings.get("password") or "\n") in text:
            return "the server refuses the connection"
        return text.rstrip(".")


def _settings(address: str) -> dict[str, Any]:
    """Read an address; its own network settings win over ours."""
    try:
        settings = conninfo_to_dict(f"postgresql://{address.partition('://')[2]}")
    except psycopg.ProgrammingError:  # whose text contains the address
        raise StoreError(
            f"The address of the PostgreSQL database cannot be read; it looks like {EXAMPLE}, "
            "and settings follow it as in ?sslmode=require"
        ) from None
    return {**NETWORK, **settings, "client_encoding": "UTF8"}


class PostgresListener:
    """A thread with its own connection, renewed after a restart of the server."""

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]], callback: Callback) -> None:
        """Start listening; everything committed from now on is reported."""
        self._connect = connect
        self._callback = callback
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(connect(),), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening; nothing is called back after this returns."""
        self._closing.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self, db: psycopg.Connection[Any]) -> None:
        """Listen until closed, and reconnect whenever the connection is lost."""
        while not self._closing.wait(PAUSE if db.closed else 0):
            try:
                if db.closed:
                    db = self._connect()
                    self._callback("", 0, [])  # changes in the meantime were missed
                for notification in db.notifies(timeout=LISTEN_SECONDS):
                    id_, *more = notification.payload.split(" ")
                    if more and more[0].isdecimal() and not self._closing.is_set():
                        self._callback(id_, int(more[0]), more[1:])
            except (psycopg.Error, OSError):
                db.close()
        db.close()


@lru_cache(maxsize=256)
def _placeholders(query: str) -> bytes:
    """Write a query with psycopg's placeholders."""
    return query.replace("?", "%s").encode()
