"""What the store needs from a database; its queries are the same for every kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
Values = Sequence[Any]
Statements = list[tuple[str, Sequence[Values]]]
Callback = Callable[[str, int], None]


class Closable(Protocol):
    """Something that ends when it is closed."""

    def close(self) -> None:
        """End it."""


class Database(Protocol):
    """An open database. Queries have `?` for each value, in SQL that both kinds understand.

    One thread at a time uses a database. Every statement outside of `transact` and `snapshot`
    is a transaction of its own. What the database does not accept is Rejected.
    """

    # Appended to a query: lock the rows that it finds, or skip those that others have locked.
    lock: str
    lock_free: str

    def close(self) -> None:
        """Close the database."""

    def again(self) -> Database:
        """Open the same database once more, for another thread."""

    def now(self) -> float | None:
        """Return the time of the database's server; None for a file, which has none."""

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""

    def each(self, query: str, many: Sequence[Values]) -> list[tuple[Any, ...]]:
        """Run a query for several values, in their order, and return all the rows."""

    def run(self, query: str, *values: Any) -> None:
        """Run a statement."""

    def many(self, statements: Statements) -> None:
        """Run several statements, each for several values."""

    def transact(self, work: Callable[[], T]) -> T:
        """Run the work in a transaction that is on the disk on return. It may run twice."""

    def snapshot(self, work: Callable[[], T]) -> T:
        """Read several things as of one moment."""

    def notifications(self, versions: Mapping[str, int]) -> Statements:
        """Return the statements that notify other processes of changed matches."""

    def listen(self, callback: Callback) -> Closable | None:
        """Call back with every changed match and its version; None if nobody is notified."""
