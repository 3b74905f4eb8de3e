"""What the store asks of a database; its queries are written once, for every kind of one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

T = TypeVar("T")
Values = Sequence[Any]
Changes = list[tuple[str, Sequence[Values]]]


class Database(ABC):
    """An open database. Queries have `?` where a value goes, and say what both kinds understand.

    A database is used by one thread at a time, and what it does outside of `_transact` and
    `_snapshot` stands alone.
    """

    # What is added to a query so that the rows it finds wait for us, or are left to others.
    lock: str
    lock_free: str
    # The errors that one entry of a batch can cause, and that say nothing about the others.
    faults: tuple[type[Exception], ...]

    @abstractmethod
    def close(self) -> None:
        """Close the database."""

    @abstractmethod
    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Ask for rows."""

    @abstractmethod
    def _each(self, query: str, many: Iterable[Values]) -> list[tuple[Any, ...]]:
        """Ask the same for several values, in their order, and give all the rows."""

    @abstractmethod
    def _run(self, query: str, *values: Any) -> int:
        """Change rows, and tell how many."""

    @abstractmethod
    def _many(self, *changes: tuple[str, Sequence[Values]]) -> None:
        """Change rows with several statements, each for several values."""

    @abstractmethod
    def _transact(self, work: Callable[[], T]) -> T:
        """Do all of it or nothing; on the disk when it returns. The work may be done twice."""

    @abstractmethod
    def _savepoint(self, work: Callable[[], T]) -> T:
        """Do all of it or nothing, within a transaction that goes on."""

    @abstractmethod
    def _snapshot(self, work: Callable[[], T]) -> T:
        """Read several things as they were at one moment."""

    def _notices(self, changes: Iterable[tuple[str, int]]) -> Changes:
        """Say how other processes are told which matches have changed, if they are."""
        return []
