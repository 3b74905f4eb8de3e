"""Every process that listens to a PostgreSQL database is notified of changes."""

from __future__ import annotations

from queue import Empty, Queue

import pytest

from tests.postgres import Server
from tests.store.support import (
    Stores,
    begin,
    even,
    race,
    write,
)
from zerosum.errors import Unwritable

PATIENCE = 30.0


class Notifications:
    """The changes that a listener has reported."""

    def __init__(self) -> None:
        self._queue: Queue[tuple[str, int]] = Queue()

    def __call__(self, id_: str, version: int) -> None:
        self._queue.put((id_, version))

    def next(self) -> tuple[str, int]:
        return self._queue.get(timeout=PATIENCE)

    def until(self, wanted: tuple[str, int]) -> list[tuple[str, int]]:
        """Return all that are reported before this one."""
        before: list[tuple[str, int]] = []
        while (change := self.next()) != wanted:
            before.append(change)
        return before

    def empty(self) -> bool:
        try:
            self._queue.get_nowait()
        except Empty:
            return True
        return False


OTHER = """
store = server(sys.argv[1])
match = Match.new(zerosum.game("even-steven"), ("Ada", "Bob"))
store.write([[begin("aaaaaa", match, "k")]])
change = move("aaaaaa", match, 1, 0, None)
assert store.write([[change]]) == [None]
(error,) = store.write([[change]])
assert isinstance(error, Conflict)
store.write([[begin("bbbbbb", match, "l")]])
"""


def test_changes_of_another_process_are_reported_and_refused_ones_are_not(
    postgres_stores: Stores,
) -> None:
    reported = Notifications()
    listener = postgres_stores().server.listen(reported)
    assert listener is not None
    try:
        race(OTHER, postgres_stores.address, 1)
        assert reported.until(("bbbbbb", 1)) == [("aaaaaa", 1), ("aaaaaa", 2)]
    finally:
        listener.close()


def test_a_listener_survives_a_restart_and_reports_that_it_may_have_missed_changes(
    postgres: Server, postgres_stores: Stores
) -> None:
    store, reported = postgres_stores(), Notifications()
    listener = store.server.listen(reported)
    assert listener is not None
    write(store, [begin("aaaaaa", even())])
    assert reported.next() == ("aaaaaa", 1)
    postgres.kill()
    postgres.start()
    assert reported.next() == ("", 0)
    write(store, [begin("bbbbbb", even())])
    assert reported.next() == ("bbbbbb", 1)
    postgres.stop()
    try:
        with pytest.raises(Unwritable, match="cannot be used"):
            store.server.listen(reported)
        listener.close()
        assert reported.empty()
    finally:
        postgres.start()
