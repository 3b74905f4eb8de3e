"""A SQLite file: one that is refused is not modified."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from typing import Any

from zerosum.errors import Rejected, StoreError, Unwritable
from zerosum.limits import STORE_SECONDS
from zerosum.store import schema
from zerosum.store.database import Callback, Rows, Statements, T
from zerosum.text import brief

# What a value causes that cannot be written.
REJECTED = (
    *(sqlite3.IntegrityError, sqlite3.DataError, sqlite3.InterfaceError, sqlite3.ProgrammingError),
    *(ValueError, OverflowError),
)
# Views, triggers and virtual tables could run instead of being read.
OTHER_KINDS = (
    "select count(*) from sqlite_master where type not in ('table', 'index') or not rootpage"
)


class SqliteDatabase:
    """An open SQLite file; the writer has it to itself, so rows need no locks."""

    lock = lock_free = clock = notify = ""

    def __init__(self, path: str, write: bool = True) -> None:
        """Open the file, create it, or refuse it and leave it as it is."""
        self.path = os.path.abspath(os.path.expanduser(path))
        if self.path.startswith("//"):  # which would start the name of a host
            self.path = self.path[1:]
        self._write = write
        self._identity: tuple[int, int] | None = None
        with self._errors():
            if os.path.isdir(self.path):
                raise StoreError(f"{self.path} is a folder, not a file.")
            filled = os.path.exists(self.path) and os.path.getsize(self.path) > 0
            self._db = self._writer() if write else self._reader(filled)
            try:
                self._prepare()
            except BaseException:
                self._db.close()
                raise
            if write or filled:
                self._identity = _identity(self.path)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def again(self) -> SqliteDatabase:
        """Open the same file once more, for another thread."""
        self._check_place()
        return SqliteDatabase(self.path, self._write)

    def _check_contents(self, db: sqlite3.Connection) -> None:
        """Refuse tables that are not ours, and what could run when read."""
        # In this order: another process may be creating both.
        ((tables,),) = db.execute("select count(*) from sqlite_master")
        ((application,),) = db.execute("pragma application_id")
        if application != schema.APPLICATION and (application or tables):
            raise self._damaged("it has tables of another program")
        schema.check_version(self.path, _version(db))
        if db.execute(OTHER_KINDS).fetchone()[0]:
            raise self._damaged("it contains more than tables")

    def _check_place(self) -> None:
        """Refuse a file that was moved, replaced or deleted since it was opened."""
        if self._identity is not None and _identity(self.path) != self._identity:
            raise Unwritable(
                f"{self.path} was deleted or replaced while it was open. Nothing more is saved: "
                "put the file back, or restart to use the new one."
            )

    def _writer(self) -> sqlite3.Connection:
        """Open the file for writing, and create it first if needed."""
        os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
        with suppress(FileExistsError):
            # SQLite gives the files beside it the same mode.
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        # SQLite names its journal after the name that it is given.
        if os.stat(self.path).st_nlink > 1:
            raise StoreError(
                f"{self.path} has a second name (a hard link); through it, another program could "
                "damage the file. Delete one of the two names. The matches stay."
            )
        return _open(self.path, "rw")

    def _reader(self, filled: bool) -> sqlite3.Connection:
        """Open the file so that nothing in it changes; an older one is upgraded in memory."""
        memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        try:
            if filled:
                db = _open_to_read(self.path)
                if _version(db) == schema.VERSION:
                    memory.close()
                    return db
                with closing(db):
                    self._check_contents(db)
                    db.backup(memory)
            _migrate(memory)
        except BaseException:
            memory.close()
            raise
        return memory

    def _prepare(self) -> None:
        """Upgrade the file in one transaction that others wait for."""
        self._check_contents(self._db)
        self._db.execute("pragma synchronous = full")
        if not self._write:
            self._db.execute("pragma query_only = on")
            return
        if _version(self._db) != schema.VERSION:
            self.transact(self._upgrade)
        if self._db.execute("pragma journal_mode").fetchone()[0] != "wal":
            # Another process may be doing the same; the file is as safe without, only slower.
            with suppress(sqlite3.OperationalError):
                self._db.execute("pragma journal_mode = wal")

    def _upgrade(self) -> None:
        """Upgrade the file, unless it was upgraded beyond this in the meantime."""
        schema.check_version(self.path, _version(self._db))
        _migrate(self._db)

    def rows(self, query: str, *values: Any) -> Rows:
        """Run a statement, and return the rows of a query."""
        with self._errors():
            if not self._db.in_transaction:
                self._check_place()
            return self._db.execute(query, values).fetchall()

    def many(self, statements: Statements) -> None:
        """Run several statements, each for several values."""
        for query, many in statements:
            self._db.executemany(query, many)

    def transact(self, work: Callable[[], T]) -> T:
        """Run the work in a transaction that is on the disk on return."""
        result = self._between("begin immediate", work)
        # Nothing is acknowledged that went into a deleted file.
        self._check_place()
        return result

    def snapshot(self, work: Callable[[], T]) -> T:
        """Read several things as of one moment."""
        return self._between("begin", work)

    def listen(self, callback: Callback) -> None:
        """Return nothing to close: a file notifies nobody."""

    def _between(self, begin: str, work: Callable[[], T]) -> T:
        """Run the work in a transaction, and undo it if it fails."""
        with self._errors():
            self._check_place()
            self._db.execute(begin)
            try:
                result = work()
                self._db.execute("commit")
            except BaseException:
                # A full disk has ended the transaction already.
                if self._db.in_transaction:
                    self._db.execute("rollback")
                raise
            return result

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn the errors of SQLite and of the disk into sentences."""
        try:
            yield
        except (sqlite3.OperationalError, OSError) as error:
            reason = getattr(error, "strerror", None) or _reason(error)
            if "no such" in reason or "malformed" in reason:
                raise self._damaged(error) from error
            if _is_read_only(self.path):
                reason = "it is on a read-only file system"
            raise Unwritable(f"{self.path} cannot be used: {reason}.") from error
        except UnicodeDecodeError as error:
            raise self._damaged(error) from error
        except REJECTED as error:
            raise Rejected(f"The database rejected this change: {_reason(error)}.") from error
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from error

    def _damaged(self, error: Exception | str) -> StoreError:
        """Return the error for a file with unexpected contents."""
        reason = f"is not a Zerosum database, or is damaged ({_reason(error)})"
        return StoreError(f"{self.path} {reason}. {schema.NOT_MODIFIED}")


def _identity(path: str) -> tuple[int, int] | None:
    """Return what tells a file from any other; None if there is none."""
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def _is_read_only(path: str) -> bool:
    """Return whether a file's file system cannot be written, as far as is known."""
    with suppress(AttributeError, OSError):  # Windows has no statvfs
        return bool(os.statvfs(os.path.dirname(path)).f_flag & os.ST_RDONLY)
    return False


def _version(db: sqlite3.Connection) -> int:
    """Read the version of the tables."""
    return int(db.execute("pragma user_version").fetchone()[0])


def _migrate(db: sqlite3.Connection) -> None:
    """Upgrade the tables to the current version."""
    for statement in schema.upgrade(_version(db), schema.SQLITE):
        db.execute(statement)
    db.execute(f"pragma application_id = {schema.APPLICATION}")
    db.execute(f"pragma user_version = {schema.VERSION}")


def _open(path: str, mode: str) -> sqlite3.Connection:
    """Connect to a file with any character in its name, and anything in it."""
    name = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    # One thread at a time uses a connection, and another one may close it.
    db = sqlite3.connect(
        f"file:{name}?mode={mode}",
        uri=True,
        timeout=STORE_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    db.text_factory = partial(str, encoding="utf-8", errors="replace")
    if sys.version_info >= (3, 12):
        db.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
    for setting in ("trusted_schema = off", "cell_size_check = on", "temp_store = memory"):
        db.execute(f"pragma {setting}")
    return db


def _open_to_read(path: str) -> sqlite3.Connection:
    """Connect to a file, and read from it as well as the disk allows.

    Only a user who may write can share the journal, and remove what it leaves behind. In
    exclusive mode, SQLite needs no space on the disk to read a file with a journal.
    """
    for setting in ("normal", "exclusive"):
        db = _open(path, "rw")
        try:
            db.execute(f"pragma locking_mode = {setting}")
            db.execute("select count(*) from sqlite_master")
        except sqlite3.OperationalError:
            db.close()
        except BaseException:
            db.close()
            raise
        else:
            return db
    return _open(path, "ro&immutable=1")


def _reason(error: Exception | str) -> str:
    """Write why a file is refused; SQLite may quote what is in it."""
    return brief(str(error), 200).rstrip(".")
