"""A SQLite file of ours: made whole or not at all, refused untouched, never half written."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from typing import Any

from zerosum.store.base import StoreError, Unwritable
from zerosum.store.database import Database, T, Values
from zerosum.store.header import Header, read_header
from zerosum.store.schema import APPLICATION, MIGRATIONS, VERSION

WAIT_SECONDS = 10.0
ELSEWHERE = "The file was not modified. Choose another with --db or ZEROSUM_DB."


class SqliteFile(Database):
    """An open file, and the two ways to use it: reading, and writing in one step."""

    lock = lock_free = ""  # whoever writes has the file alone
    faults = (
        sqlite3.IntegrityError,
        sqlite3.DataError,
        sqlite3.InterfaceError,
        ValueError,
        OverflowError,
    )

    def __init__(self, path: str, write: bool = True) -> None:
        """Open the file, make it, or refuse it as it is."""
        self.path = os.path.abspath(os.path.expanduser(path))
        if self.path.startswith("//"):  # which would begin the name of a machine
            self.path = self.path[1:]
        header = read_header(self.path)
        self._refuse(header)
        with self._errors():
            self._db = self._writer() if write else self._reader(header)
            try:
                self._db.execute("pragma synchronous = full")
                if write:
                    self._prepare()
                else:
                    self._db.execute("select count(*) from matches")
            except BaseException:
                self._db.close()
                raise

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _refuse(self, header: Header | None) -> None:
        """Refuse a file that is not ours, from its first bytes and without opening it."""
        if header is None:
            return
        if not header.sqlite or header.application != APPLICATION:
            raise StoreError(f"{self.path} is not a Zerosum database. {ELSEWHERE}")
        if header.cut_short:
            raise StoreError(f"{self.path} is damaged: its end is missing. {ELSEWHERE}")
        if header.version > VERSION:
            self._refuse_newer(header.version)

    def _refuse_newer(self, version: int) -> None:
        """Refuse a file from the future."""
        raise StoreError(
            f"{self.path} was made by a newer Zerosum (version {version}; this one knows "
            f"up to {VERSION}). {ELSEWHERE}"
        )

    def _writer(self) -> sqlite3.Connection:
        """Open the file for writing, and make it first where there is none."""
        os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
        if not os.path.exists(self.path) or not os.path.getsize(self.path):
            self._make()
        return _open(self.path, "rw")

    def _make(self) -> None:
        """Make a whole file beside the place, and put it there in one step."""
        beside = f"{self.path}.new-{os.urandom(6).hex()}"
        try:
            with closing(_open(beside, "rwc")) as db:
                self._migrate(db, 0)
                db.execute("pragma journal_mode = wal")
            # Whoever comes second finds the first one's file there, and uses that.
            _place(beside, self.path)
        finally:
            for name in (beside, f"{beside}-journal", f"{beside}-wal", f"{beside}-shm"):
                with suppress(FileNotFoundError):
                    os.unlink(name)

    def _reader(self, header: Header | None) -> sqlite3.Connection:
        """Open the file so that nothing in it changes."""
        if header is None:
            db = sqlite3.connect(":memory:", isolation_level=None)
            self._migrate(db, 0)
            return db
        if header.version < VERSION:
            return self._forwarded()
        try:
            # Only who may write can share the journal, and clear away what it leaves beside it.
            db = _open(self.path, "rw")
            try:
                db.execute("select count(*) from sqlite_master")
                db.execute("pragma query_only = on")
            except sqlite3.OperationalError:
                db.close()
                raise
            return db
        except sqlite3.OperationalError:
            return _open(self.path, "ro&immutable=1")

    def _forwarded(self) -> sqlite3.Connection:
        """Read an older file through a copy in memory that is brought to this version."""
        db = sqlite3.connect(":memory:", isolation_level=None)
        with closing(_open(self.path, "rw")) as source:
            source.backup(db)
        self._migrate(db, int(db.execute("pragma user_version").fetchone()[0]))
        return db

    def _prepare(self) -> None:
        """Bring the file to this version, in one step that others wait for."""
        if self._version() != VERSION:
            self._db.execute("begin immediate")
            try:
                version = self._version()
                if version > VERSION:
                    self._refuse_newer(version)
                self._migrate(self._db, version)
            except BaseException:
                self._db.execute("rollback")
                raise
            self._db.execute("commit")
        self._db.execute("select count(*) from matches")
        if self._db.execute("pragma journal_mode").fetchone()[0] != "wal":
            # Another process may be doing the same; the file is as safe without, only slower.
            with suppress(sqlite3.OperationalError):
                self._db.execute("pragma journal_mode = wal")

    def _migrate(self, db: sqlite3.Connection, version: int) -> None:
        """Take the steps from a version to this one."""
        for step in MIGRATIONS[version:]:
            for statement in step.split(";"):
                db.execute(statement)
        db.execute(f"pragma application_id = {APPLICATION}")
        db.execute(f"pragma user_version = {VERSION}")

    def _version(self) -> int:
        """Read the version of the file's tables."""
        return int(self._db.execute("pragma user_version").fetchone()[0])

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Ask for rows."""
        with self._errors():
            return self._db.execute(query, values).fetchall()

    def _each(self, query: str, many: Iterable[Values]) -> list[tuple[Any, ...]]:
        """Ask the same for several values, in their order, and give all the rows."""
        return [row for values in many for row in self._db.execute(query, values)]

    def _run(self, query: str, *values: Any) -> int:
        """Change rows, and tell how many."""
        return self._db.execute(query, values).rowcount

    def _many(self, *changes: tuple[str, Sequence[Values]]) -> None:
        """Change rows with several statements, each for several values."""
        for query, many in changes:
            self._db.executemany(query, many)

    def _transact(self, work: Callable[[], T]) -> T:
        """Write in one step, on the disk when it ends."""
        return self._within("begin immediate", "rollback", "commit", work)

    def _savepoint(self, work: Callable[[], T]) -> T:
        """Do all of it or nothing, within a transaction that goes on."""
        undo = "rollback to entry; release entry"
        return self._within("savepoint entry", undo, "release entry", work)

    def _snapshot(self, work: Callable[[], T]) -> T:
        """Read several things as they were at one moment."""
        return self._within("begin", "rollback", "commit", work)

    def _within(self, begin: str, undo: str, end: str, work: Callable[[], T]) -> T:
        """Do some work between a beginning and its end."""
        with self._errors():
            self._db.execute(begin)
            try:
                done = work()
                self._db.execute(end)
            except BaseException:
                # A disk that is full has taken the step back already.
                if self._db.in_transaction:
                    for statement in undo.split("; "):
                        self._db.execute(statement)
                raise
            return done

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn the errors of SQLite and of the disk into sentences."""
        try:
            yield
        except sqlite3.OperationalError as error:
            if "no such" in str(error) or "malformed" in str(error):
                self._damaged(error)
            raise Unwritable(f"{self.path} cannot be used: {error}") from error
        except OSError as error:
            raise Unwritable(f"{self.path} cannot be used: {error.strerror}") from error
        except (sqlite3.DatabaseError, UnicodeDecodeError, IndexError) as error:
            self._damaged(error)

    def _damaged(self, error: Exception) -> None:
        """Refuse a file whose inside is not what it should be."""
        raise StoreError(f"{self.path} is damaged ({error}). {ELSEWHERE}") from error


def _open(path: str, mode: str) -> sqlite3.Connection:
    """Connect to a file that may have any character in its name."""
    name = "".join(c if c.isalnum() or c in "/._-~" else _quoted(c) for c in path)
    # One thread at a time uses a connection; it may be another one that closes it.
    return sqlite3.connect(
        f"file:{name}?mode={mode}",
        uri=True,
        timeout=WAIT_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


def _quoted(character: str) -> str:
    """Quote a character for a URI; urllib would do it, and costs more to load than SQLite."""
    return "".join(f"%{byte:02x}" for byte in os.fsencode(character))


def _place(beside: str, path: str) -> None:
    """Give a file its name, unless another has it already; on the disk when it returns."""
    try:
        os.link(beside, path)
    except FileExistsError:
        _replace_empty(beside, path)
    except OSError:  # a file system without links
        if os.path.exists(path):
            _replace_empty(beside, path)
        else:
            os.rename(beside, path)
    with suppress(OSError):  # not every system lets a folder be opened
        folder = os.open(os.path.dirname(path), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _replace_empty(beside: str, path: str) -> None:
    """Put a file in the place of an empty one; of several who try, one does it."""
    try:
        import fcntl
    except ImportError:  # Windows, where a file that is open is not replaced
        if not os.path.getsize(path):
            os.replace(beside, path)
        return
    with open(path, "rb") as empty:
        fcntl.flock(empty, fcntl.LOCK_EX)
        here, there = os.fstat(empty.fileno()), os.stat(path)
        if (here.st_ino, here.st_dev) == (there.st_ino, there.st_dev) and not there.st_size:
            os.replace(beside, path)
