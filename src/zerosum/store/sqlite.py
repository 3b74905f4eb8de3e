"""A SQLite file: created whole or not at all, and not modified where it is refused."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from typing import Any, NamedTuple

from zerosum.errors import StoreError, Unwritable
from zerosum.store import schema
from zerosum.store.database import Callback, Statements, T, Values

WAIT_SECONDS = 10.0
NOT_MODIFIED = schema.not_modified("file")
MAGIC = b"SQLite format 3\0"
HEADER_LENGTH = 100


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
        with self._errors():
            self._db = self._writer() if write else self._reader(header)
            try:
                self._db.execute("pragma synchronous = full")
                if write:
                    self._prepare()
                else:
                    self._db.execute("pragma query_only = on")
                self._db.execute("select count(*) from matches")
            except BaseException:
                self._db.close()
                raise

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _check(self, header: Header | None) -> None:
        """Refuse a file by its first bytes, without opening it."""
        if header is None:
            return
        if not header.sqlite or header.application != schema.APPLICATION:
            raise StoreError(f"{self.path} is not a Zerosum database. {NOT_MODIFIED}")
        if header.truncated:
            raise StoreError(f"{self.path} is damaged: its end is missing. {NOT_MODIFIED}")
        schema.check_version(self.path, header.version, "file")

    def _writer(self) -> sqlite3.Connection:
        """Open the file for writing, and create it first if needed."""
        os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
        if not os.path.exists(self.path) or not os.path.getsize(self.path):
            self._create()
        return _open(self.path, "rw")

    def _create(self) -> None:
        """Create a whole file beside the path, and move it there in one step."""
        new = f"{self.path}.new-{os.urandom(6).hex()}"
        try:
            with closing(_open(new, "rwc")) as db:
                _migrate(db)
                db.execute("pragma journal_mode = wal")
            # Of several processes, the first puts its file there, and the others use that.
            _move_into_place(new, self.path)
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
                db = _open(self.path, "rw")
                try:
                    db.execute("select count(*) from sqlite_master")
                except BaseException:
                    db.close()
                    raise
            except sqlite3.OperationalError:
                db = _open(self.path, "ro&immutable=1")
            if _version(db) == schema.VERSION:
                copy.close()
                return db
            with closing(db):
                db.backup(copy)
        _migrate(copy)
        return copy

    def _prepare(self) -> None:
        """Upgrade the file to the current version, in one transaction that others wait for."""
        if _version(self._db) != schema.VERSION:
            self.transact(self._upgrade)
        if self._db.execute("pragma journal_mode").fetchone()[0] != "wal":
            # Another process may be doing the same; the file is as safe without, only slower.
            with suppress(sqlite3.OperationalError):
                self._db.execute("pragma journal_mode = wal")

    def _upgrade(self) -> None:
        """Upgrade the file, unless it was upgraded beyond this version in the meantime."""
        schema.check_version(self.path, _version(self._db), "file")
        _migrate(self._db)

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with self._errors():
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
        return self._between("begin immediate", ("rollback",), "commit", work)

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
            if "no such" in str(error) or "malformed" in str(error):
                raise self._damaged(error) from error
            raise Unwritable(f"{self.path} cannot be used: {error}.") from error
        except OSError as error:
            raise Unwritable(f"{self.path} cannot be used: {error.strerror}.") from error
        except (sqlite3.DatabaseError, UnicodeDecodeError, IndexError) as error:
            raise self._damaged(error) from error

    def _damaged(self, error: Exception) -> StoreError:
        """Return the error for a file whose contents are not what they should be."""
        return StoreError(f"{self.path} is damaged ({error}). {NOT_MODIFIED}")


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
    """Connect to a file that may have any character in its name."""
    name = "".join(c if c.isalnum() or c in "/._-~" else _quoted(c) for c in path)
    # One thread at a time uses a connection, and another one may close it.
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


def _move_into_place(new: str, path: str) -> None:
    """Rename a new file, unless the path is taken; the name is on the disk on return."""
    try:
        os.link(new, path)
    except FileExistsError:
        _replace_empty(new, path)
    except OSError:  # a file system without links
        if os.path.exists(path):
            _replace_empty(new, path)
        else:
            os.rename(new, path)
    with suppress(OSError):  # not every system can open a folder
        folder = os.open(os.path.dirname(path), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _replace_empty(new: str, path: str) -> None:
    """Replace an empty file; of several processes that try, one does."""
    try:
        import fcntl
    except ImportError:  # Windows, where an open file is not replaced
        if not os.path.getsize(path):
            os.replace(new, path)
        return
    with open(path, "rb") as empty:
        fcntl.flock(empty, fcntl.LOCK_EX)
        locked, current = os.fstat(empty.fileno()), os.stat(path)
        if os.path.samestat(locked, current) and not current.st_size:
            os.replace(new, path)


class Header(NamedTuple):
    """What the first bytes of a file say."""

    sqlite: bool
    application: int
    version: int
    truncated: bool


_descriptors: dict[tuple[int, int], int] = {}


def _first_bytes(path: str) -> tuple[bytes, int]:
    """Read the header and the size of a file.

    On POSIX, closing a file drops every lock that this process has on it, SQLite's too. So a
    descriptor that was opened here stays open.
    """
    stat = os.stat(path)
    key = (stat.st_dev, stat.st_ino)
    if os.name != "posix" or not stat.st_ino:
        with open(path, "rb") as file:
            return file.read(HEADER_LENGTH), stat.st_size
    if key not in _descriptors:
        _descriptors[key] = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    return os.pread(_descriptors[key], HEADER_LENGTH, 0), stat.st_size


def read_header(path: str) -> Header | None:
    """Read the header of a file without SQLite, which might modify it; None for an empty one."""
    try:
        if os.path.isdir(path):
            raise StoreError(f"{path} is a folder, not a file.")
        head, size = _first_bytes(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Unwritable(f"{path} cannot be read: {reason}.") from error
    if not head:
        return None
    if len(head) < HEADER_LENGTH or not head.startswith(MAGIC):
        return Header(False, 0, 0, False)
    page = int.from_bytes(head[16:18], "big")
    pages = int.from_bytes(head[28:32], "big")
    # What is missing at the end may still be in the journal beside the file.
    journal = os.path.exists(f"{path}-wal") and os.path.getsize(f"{path}-wal") > 0
    truncated = not journal and size < pages * (65536 if page == 1 else page)
    application, version = int.from_bytes(head[68:72], "big"), int.from_bytes(head[60:64], "big")
    return Header(True, application, version, truncated)
