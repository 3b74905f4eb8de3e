"""A database of either kind, opened by its address.

Both kinds have the same methods and understand the same SQL, with `?` for each value. One thread at
a time uses a database. Every statement outside of `transact` and `snapshot` is a transaction of its
own. What a database does not accept is Rejected. The kinds differ in some queries, or ends of
queries, which are empty for a file: `lock` locks the rows that are found, `lock_free` those that
nobody else has locked, `clock` asks for the server's time, and `notify` tells other servers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from zerosum.errors import MissingExtra
from zerosum.store.address import check_address, is_address

if TYPE_CHECKING:
    from zerosum.store.postgres import PostgresDatabase
    from zerosum.store.sqlite import SqliteDatabase

Database: TypeAlias = "SqliteDatabase | PostgresDatabase"
T = TypeVar("T")
Rows = list[tuple[Any, ...]]
Statements = Sequence[tuple[str, Sequence[Sequence[Any]]]]
Callback = Callable[[str, int, list[str]], None]


def open_database(address: str, write: bool = True) -> Database:
    """Open the database at an address: a file's path, or postgresql://HOST/DATABASE."""
    if "://" in address or is_address(address):
        check_address(address)
        try:
            from zerosum.store.postgres import PostgresDatabase
        except ImportError as error:
            raise MissingExtra("A PostgreSQL database", "postgres") from error
        return PostgresDatabase(address, write)
    from zerosum.store.sqlite import SqliteDatabase

    return SqliteDatabase(address, write)
