"""A connection to PostgreSQL that comes back after the server was away, and speaks in sentences."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import psycopg
from psycopg import errors, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from zerosum.store.address import EXAMPLE, checked, shown
from zerosum.store.base import StoreError, Unwritable
from zerosum.store.database import Changes, Database, T, Values
from zerosum.store.schema import APPLICATION, POSTGRES, POSTGRES_VERSION

WAIT_SECONDS = 10.0
PAUSE = 0.1
# Errors come as exceptions; what psycopg says besides is for who has set up a log.
logging.getLogger("psycopg").addHandler(logging.NullHandler())

CHANNEL = "zerosum"
ELSEWHERE = "The database was not modified. Choose another with --db or ZEROSUM_DB."
# A server that is gone without a word is noticed within half a minute.
NETWORK = {
    "connect_timeout": 10,
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 4,
    "tcp_user_timeout": 20_000,
    "application_name": "zerosum",
}
# A transaction is on the disk when it ends, also where the server's own settings are careless;
# a process that has stopped in the middle of one does not hold the others up for long.
SESSION = """
    set lock_timeout = '10s';
    set idle_in_transaction_session_timeout = '60s';
    select set_config('synchronous_commit', 'on', false)
    where current_setting('synchronous_commit') = 'off'
"""
# Asked of the catalogue itself: to_regclass may not yet know what another has just made.
THERE = "select 1 from pg_catalog.pg_class where relname = 'meta' and pg_table_is_visible(oid)"
AGAIN = (errors.SerializationFailure, errors.DeadlockDetected)
# What the server says when it ends a connection; 08 is the class of errors of connections.
ENDED = ("08", "57P", "25P03")


class PostgresDatabase(Database):
    """An open database of a PostgreSQL server."""

    lock = " for no key update"
    lock_free = " for update skip locked"
    faults = (psycopg.DataError, psycopg.IntegrityError, ValueError, OverflowError)

    def __init__(self, address: str, write: bool = True) -> None:
        """Connect, make the tables where there are none, or refuse those that are there."""
        self.path = shown(address)
        self._settings = settings_of(address)
        self._for_writing = write
        self._within = False
        with self._errors():
            self._db = self._connect()

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def _connect(self) -> psycopg.Connection[Any]:
        """Connect, and see to it that the tables are of this version."""
        db = connect(self._settings)
        try:
            db.execute(SESSION)
            self._prepare(db)
            db.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
            db.read_only = not self._for_writing
        except BaseException:
            db.close()
            raise
        return db

    def _prepare(self, db: psycopg.Connection[Any]) -> None:
        """Bring the tables to this version, in one step that others wait for."""
        version = self._version(db)
        if version == POSTGRES_VERSION:
            return
        if not self._for_writing:
            if version:
                raise StoreError(
                    f"{self.path} was made by an older Zerosum (version {version}; this one needs "
                    f"{POSTGRES_VERSION}). It is upgraded by the first command that writes to it."
                )
            # Nothing is made for who only looks: these tables are empty, and end with us.
            db.execute("set search_path to pg_temp")
            self._migrate(db, 0)
            return
        with db.transaction():
            db.execute("select pg_advisory_xact_lock(%s)", (APPLICATION,))
            self._migrate(db, self._version(db))

    def _migrate(self, db: psycopg.Connection[Any], version: int) -> None:
        """Take the steps from a version to this one."""
        for step in POSTGRES[version:]:
            for statement in step.split(";"):
                db.execute(sql.SQL(statement))
        db.execute("update meta set value = %s where name = 'version'", (str(POSTGRES_VERSION),))

    def _version(self, db: psycopg.Connection[Any]) -> int:
        """Read the version of the tables: 0 where there are none; refuse what is not ours."""
        if not db.execute(THERE).fetchall():
            return 0
        try:
            known = dict(db.execute("select name, value from meta").fetchall())
            version = int(known["version"])
        except (errors.UndefinedColumn, errors.InsufficientPrivilege, KeyError, ValueError):
            known, version = {}, 0
        if known.get("application") != "zerosum":
            raise StoreError(f"{self.path} holds tables of another program. {ELSEWHERE}")
        if version > POSTGRES_VERSION:
            raise StoreError(
                f"{self.path} was made by a newer Zerosum (version {version}; this one knows "
                f"up to {POSTGRES_VERSION}). {ELSEWHERE}"
            )
        return version

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Ask for rows."""
        if self._within:
            return self._db.execute(_marked(query), values).fetchall()
        return self._again(lambda: self._db.execute(_marked(query), values).fetchall())

    def _each(self, query: str, many: Iterable[Values]) -> list[tuple[Any, ...]]:
        """Ask the same for several values, in their order, and give all the rows."""
        asked = list(many)
        if not asked:
            return []
        with self._db.cursor() as cursor:
            cursor.executemany(_marked(query), asked, returning=True)
            rows = cursor.fetchall()
            while cursor.nextset():
                rows += cursor.fetchall()
        return rows

    def _run(self, query: str, *values: Any) -> int:
        """Change rows, and tell how many."""
        return self._db.execute(_marked(query), values).rowcount

    def _many(self, *changes: tuple[str, Sequence[Values]]) -> None:
        """Change rows with several statements, sent without waiting for the answers between."""
        with self._db.pipeline(), self._db.cursor() as cursor:
            for query, many in changes:
                if many:
                    cursor.executemany(_marked(query), many)

    def _transact(self, work: Callable[[], T]) -> T:
        """Do all of it or nothing; on the disk when it returns. The work may be done twice."""
        if not self._for_writing:
            raise Unwritable(f"{self.path} is open for reading only.")
        return self._again(lambda: self._block(work))

    def _savepoint(self, work: Callable[[], T]) -> T:
        """Do all of it or nothing, within a transaction that goes on."""
        with self._db.transaction():
            return work()

    def _snapshot(self, work: Callable[[], T]) -> T:
        """Read several things as they were at one moment."""

        def read() -> T:
            self._db.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            try:
                return self._block(work, keeping=False)
            finally:
                if not self._db.closed:
                    self._db.isolation_level = psycopg.IsolationLevel.READ_COMMITTED

        return self._again(read)

    def _block(self, work: Callable[[], T], keeping: bool = True) -> T:
        """Do some work in a transaction."""
        done = False
        self._within = True
        try:
            with self._db.transaction():
                result = work()
                done = True
            return result
        except psycopg.OperationalError as error:
            if done and keeping and self._lost(error):
                raise Unwritable(
                    f"{self.path} was lost while saving: {self._reason(error)}. "
                    "The change was either saved completely or not at all."
                ) from error
            raise
        finally:
            self._within = False

    def _again(self, work: Callable[[], T]) -> T:
        """Do something again where it was the server that ended it before anything was kept."""
        limit = time.monotonic() + WAIT_SECONDS
        with self._errors():
            while True:
                try:
                    if self._db.closed:
                        self._db = self._connect()
                    return work()
                except AGAIN:
                    if time.monotonic() > limit:
                        raise
                except psycopg.OperationalError as error:
                    if not self._lost(error) or time.monotonic() > limit:
                        raise
                    self._db.close()
                    time.sleep(PAUSE)

    def _lost(self, error: psycopg.Error) -> bool:
        """Tell whether an error means that there is no connection any more."""
        return self._db.closed or (error.sqlstate or "").startswith(ENDED)

    def _notices(self, changes: Iterable[tuple[str, int]]) -> Changes:
        """Say how other processes are told which matches have changed."""
        told = [f"{id_} {version}" for id_, version in changes]
        return [("select pg_notify(?, told) from unnest(?::text[]) as told", [(CHANNEL, told)])]

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
            raise Unwritable(f"{self.path} cannot be used: {self._reason(error)}") from error
        except errors.DuplicateTable as error:
            raise StoreError(
                f"{self.path} holds tables of another program ({self._reason(error)}). {ELSEWHERE}"
            ) from error
        except (errors.UndefinedTable, errors.UndefinedColumn) as error:
            raise StoreError(f"{self.path} is damaged: {self._reason(error)}") from error
        except (psycopg.Error, UnicodeEncodeError) as error:
            raise StoreError(f"{self.path} does not take this: {self._reason(error)}") from error

    def _reason(self, error: Exception) -> str:
        """Give the reason that PostgreSQL has, in one line and without a password."""
        text = " ".join(str(error).strip().splitlines()[:1]) or type(error).__name__
        secrets = [str(self._settings.get(name) or "") for name in ("password", "sslpassword")]
        if any(secret and secret in text for secret in secrets):
            return "the server refuses the connection"
        return text.rstrip(".")


def settings_of(address: str) -> dict[str, Any]:
    """Read an address, which may say more about the network than ours would."""
    try:
        given = conninfo_to_dict(checked(address))
    except psycopg.ProgrammingError:  # whose text shows the address
        raise StoreError(
            f"The address of the PostgreSQL database cannot be read; it looks like {EXAMPLE}, "
            "and settings follow it as in ?sslmode=require"
        ) from None
    return {**NETWORK, **given, "client_encoding": "UTF8"}


def connect(settings: dict[str, Any]) -> psycopg.Connection[Any]:
    """Connect; what is not in a transaction stands alone."""
    return psycopg.connect(make_conninfo(**settings), autocommit=True)


@lru_cache(maxsize=256)
def _marked(query: str) -> bytes:
    """Write a query with the marks for values that psycopg knows."""
    return query.replace("?", "%s").encode()
