"""A SQLite file: created whole or not at all, and not modified where it is refused."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from typing import Any

from zerosum.errors import FileReplaced, StoreError, Unreadable, Unwritable
from zerosum.store import schema
from zerosum.store.database import Callback, Statements, T, Values
from zerosum.store.sqlite_file import (
    OWN_MODE,
    Header,
    check_single_name,
    identity,
    is_read_only,
    locked,
    move_into_place,
    read_header,
    sweep,
    tighten,
)
from zerosum.text import brief

WAIT_SECONDS = 10.0
NOT_MODIFIED = schema.not_modified("file")
# A value may be this long: many times what a match needs, and little enough for the memory.
LONGEST_VALUE = 16 * 1024 * 1024
# How many steps SQLite makes between two chances for Ctrl-C.
STEPS = 100_000
# What a full disk may answer; the second byte of a code says more.
NO_ROOM = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL)
CREATED = ("create table ", "create index ", "create unique index ")


class SqliteDatabase:
    """An open SQLite file; the writer has it to itself, so rows need no locks."""

    lock = lock_free = ""
    faults: tuple[type[Exception], ...] = (
        *(sqlite3.IntegrityError, sqlite3.DataError, sqlite3.InterfaceError),
        *(ValueError, OverflowError),
    )

    def __init__(self, path: str, write: bool = True) -> None:
        """Open the file, create it, or refuse it and leave it as it is."""
        self.path = os.path.abspath(os.path.expanduser(path))
        if self.path.startswith("//"):  # which would start the name of a host
            self.path = self.path[1:]
        header = read_header(self.path)
        self._check(header)
        self._write = write
        self._identity: tuple[int, int] | None = None
        self._journal: tuple[int, int] | None = None
        with self._errors():
            self._db = self._writer() if write else self._reader(header)
            try:
                self._db.execute("pragma synchronous = full")
                if write:
                    self._prepare()
                    tighten(self.path)
                else:
                    self._db.execute("pragma query_only = on")
                    self._check_tables(self._db)
                if write or header is not None:
                    self._identity = identity(self.path)
            except BaseException:
                self._db.close()
                raise

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def again(self) -> SqliteDatabase:
        """Open the same file once more, for another thread."""
        self._check_place()
        other = SqliteDatabase(self.path, self._write)
        if other._identity != self._identity:
            other.close()
            raise self._replaced()
        return other

    def _check(self, header: Header | None) -> None:
        """Refuse a file by its first bytes, without opening it."""
        if header is None:
            return
        if not header.sqlite or header.application != schema.APPLICATION:
            raise StoreError(f"{self.path} is not a Zerosum database. {NOT_MODIFIED}")
        if header.truncated:
            raise StoreError(f"{self.path} is damaged: its end is missing. {NOT_MODIFIED}")
        schema.check_version(self.path, header.version, "file")

    def _check_kinds(self, db: sqlite3.Connection) -> None:
        """Refuse what could run instead of being read: views, triggers, virtual tables."""
        for sql, root in db.execute("select sql, rootpage from sqlite_master"):
            if not root or not str(sql or CREATED[0]).lower().startswith(CREATED):
                raise self._damaged("it has more in it than tables")

    def _check_tables(self, db: sqlite3.Connection) -> None:
        """Refuse tables that are not as they were created."""
        self._check_kinds(db)
        for table, columns in _tables(schema.VERSION).items():
            if _columns(db, table) != columns:
                raise self._damaged(f"its table {table} has other columns")

    def _check_place(self) -> None:
        """Refuse to use a file that was moved, replaced or deleted since it was opened."""
        if self._identity is not None and identity(self.path) != self._identity:
            raise self._replaced()

    def _replaced(self) -> FileReplaced:
        """Return the error for another file in the place of the open one, or none."""
        return FileReplaced(
            f"{self.path} was deleted or replaced while it was open. Nothing more is saved: "
            "put the file back, or restart to use the new one."
        )

    def _writer(self) -> sqlite3.Connection:
        """Open the file for writing, and create it first if needed."""
        os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
        sweep(self.path)
        if not os.path.exists(self.path) or not os.path.getsize(self.path):
            self._create()
        check_single_name(self.path)
        return _open(self.path, "rw")

    def _create(self) -> None:
        """Create a whole file beside the path, and move it there in one step."""
        new = f"{self.path}.new-{os.urandom(6).hex()}"
        with locked(os.path.dirname(self.path), shared=True):
            try:
                # SQLite gives the files beside it the same mode.
                os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWN_MODE))
                with closing(_open(new, "rw")) as db:
                    _migrate(db)
                    db.execute("pragma journal_mode = wal")
                # The first of several processes puts its file there, and the others use it.
                move_into_place(new, self.path)
            finally:
                for name in (new, f"{new}-journal", f"{new}-wal", f"{new}-shm"):
                    with suppress(FileNotFoundError):
                        os.unlink(name)

    def _reader(self, header: Header | None) -> sqlite3.Connection:
        """Open the file so that nothing in it changes."""
        copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        if header is not None:
            try:
                # Only who may write can share the journal, and remove what it leaves behind.
                db = _open_now(self.path)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF in NO_ROOM:
                    db = _open_now(self.path, "pragma locking_mode = exclusive")
                else:
                    db = _open(self.path, "ro&immutable=1")
            if _version(db) == schema.VERSION:
                copy.close()
                return db
            with closing(db):
                self._check_kinds(db)
                db.backup(copy)
        _migrate(copy)
        return copy

    def _prepare(self) -> None:
        """Upgrade the file to the current version, in one transaction that others wait for."""
        if _version(self._db) != schema.VERSION:
            self.transact(self._upgrade)
        self._check_tables(self._db)
        if self._db.execute("pragma journal_mode").fetchone()[0] != "wal":
            # Another process may be doing the same; the file is as safe without, only slower.
            with suppress(sqlite3.OperationalError):
                self._db.execute("pragma journal_mode = wal")

    def _upgrade(self) -> None:
        """Upgrade the file, unless it was upgraded beyond this version in the meantime."""
        schema.check_version(self.path, _version(self._db), "file")
        self._check_kinds(self._db)
        _migrate(self._db)
        self._check_tables(self._db)

    def now(self) -> None:
        """Return nothing: one process serves a file, and its own clock is enough."""

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with self._errors():
            if not self._db.in_transaction:
                self._check_place()
            return self._db.execute(query, values).fetchall()

    def each(self, query: str, many: Sequence[Values]) -> list[tuple[Any, ...]]:
        """Run a query for several values, in their order, and return all the rows."""
        return [row for values in many for row in self._db.execute(query, values)]

    def run(self, query: str, *values: Any) -> None:
        """Run a statement."""
        self._db.execute(query, values)

    def many(self, statements: Statements) -> None:
        """Run several statements, each for several values."""
        for query, many in statements:
            self._db.executemany(query, many)

    def transact(self, work: Callable[[], T]) -> T:
        """Run the work in a transaction that is on the disk on return."""
        result = self._between("begin immediate", ("rollback",), "commit", work)
        # Nothing is acknowledged that went into a deleted file.
        self._check_place()
        journal = identity(f"{self.path}-wal")
        if self._journal not in (None, journal):
            raise self._replaced()
        self._journal = journal
        return result

    def savepoint(self, work: Callable[[], T]) -> T:
        """Run the work as a part of a transaction that can fail by itself."""
        undo = ("rollback to part", "release part")
        return self._between("savepoint part", undo, "release part", work)

    def snapshot(self, work: Callable[[], T]) -> T:
        """Read several things as of one moment."""
        return self._between("begin", ("rollback",), "commit", work)

    def notifications(self, versions: Mapping[str, int]) -> Statements:
        """Return nothing: a file notifies nobody."""
        return []

    def listen(self, callback: Callback) -> None:
        """Return nothing to close: a file notifies nobody."""

    def _between(self, begin: str, undo: tuple[str, ...], end: str, work: Callable[[], T]) -> T:
        """Run the work between two statements, and undo it if it fails."""
        with self._errors():
            self._check_place()
            self._db.execute(begin)
            try:
                result = work()
                self._db.execute(end)
            except BaseException:
                # A full disk has ended the transaction already.
                if self._db.in_transaction:
                    for statement in undo:
                        self._db.execute(statement)
                raise
            return result

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn the errors of SQLite and of the disk into sentences."""
        try:
            yield
        except sqlite3.OperationalError as error:
            code = getattr(error, "sqlite_errorcode", None)
            if code == sqlite3.SQLITE_INTERRUPT:
                raise KeyboardInterrupt from error
            if code is None:  # not from SQLite: the message would show the text
                raise Unreadable(str(self._damaged("a text in it is not UTF-8"))) from error
            if "no such" in str(error) or "malformed" in str(error):
                raise self._damaged(error) from error
            raise self._unwritable(_reason(error)) from error
        except OSError as error:
            raise self._unwritable(str(error.strerror)) from error
        except sqlite3.DataError as error:
            raise Unreadable(str(self._damaged(error))) from error
        except (sqlite3.DatabaseError, UnicodeDecodeError, IndexError) as error:
            raise self._damaged(error) from error

    def _unwritable(self, reason: str) -> Unwritable:
        """Return the error for a file that the system does not let us use."""
        if is_read_only(self.path):
            reason = "it is on a read-only file system"
        return Unwritable(f"{self.path} cannot be used: {reason}.")

    def _damaged(self, error: Exception | str) -> StoreError:
        """Return the error for a file whose contents are not what they should be."""
        return StoreError(f"{self.path} is damaged ({_reason(error)}). {NOT_MODIFIED}")


def _version(db: sqlite3.Connection) -> int:
    """Read the version of the tables."""
    return int(db.execute("pragma user_version").fetchone()[0])


def _migrate(db: sqlite3.Connection) -> None:
    """Upgrade the tables to the current version."""
    for statement in schema.upgrade(_version(db)):
        db.execute(statement)
    db.execute(f"pragma application_id = {schema.APPLICATION}")
    db.execute(f"pragma user_version = {schema.VERSION}")


def _open(path: str, mode: str) -> sqlite3.Connection:
    """Connect to a file that may have any character in its name, and anything in it."""
    name = "".join(c if c.isalnum() or c in "/._-~" else _quoted(c) for c in path)
    # One thread at a time uses a connection, and another one may close it.
    db = sqlite3.connect(
        f"file:{name}?mode={mode}",
        uri=True,
        timeout=WAIT_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    db.set_progress_handler(_go_on, STEPS)
    if sys.version_info >= (3, 12):
        db.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
    for setting in ("trusted_schema = off", "cell_size_check = on", "temp_store = memory"):
        db.execute(f"pragma {setting}")
    return db


def _open_now(path: str, setting: str = "") -> sqlite3.Connection:
    """Connect to a file and read from it, which an open file may still refuse.

    In exclusive mode, SQLite needs no space on the disk to read a file with a journal.
    """
    db = _open(path, "rw")
    try:
        db.execute(setting)
        db.execute("select count(*) from sqlite_master")
    except BaseException:
        db.close()
        raise
    return db


def _go_on() -> None:
    """Let a long query continue; a signal that arrived meanwhile raises here, which ends it."""


@lru_cache
def _tables(version: int) -> dict[str, list[tuple[str, int]]]:
    """List the tables of a version, which is the current one, with their columns."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        _migrate(db)
        names = db.execute("select name from sqlite_master where type = 'table'").fetchall()
        return {name: _columns(db, name) for (name,) in names}


def _columns(db: sqlite3.Connection, table: str) -> list[tuple[str, int]]:
    """List the columns of a table, each with whether it is hidden or computed."""
    return sorted(
        (name, hidden) for _, name, *_, hidden in db.execute(f"pragma table_xinfo({table})")
    )


def _reason(error: Exception | str) -> str:
    """Write why a file is refused; SQLite may quote what is in it."""
    return brief(str(error), 200)


def _quoted(character: str) -> str:
    """Quote a character for a URI; urllib would do it, and costs more to load than SQLite."""
    return "".join(f"%{byte:02x}" for byte in os.fsencode(character))
