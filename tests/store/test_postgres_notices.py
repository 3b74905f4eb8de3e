"""What is changed in a PostgreSQL database is told to every process that listens."""

from __future__ import annotations

import threading
from queue import Empty, Queue

import pytest

from tests.postgres import Server
from tests.store.places import Opened, begin, change, eventually, execute, race_at
from tests.store.support import even
from zerosum.match import Event
from zerosum.store import listening, open_store
from zerosum.store.base import Unwritable

ONE = Event("move", 1)
PATIENCE = 30.0


class Heard:
    """What a listener has called back with."""

    def __init__(self) -> None:
        self._queue: Queue[tuple[str, int]] = Queue()

    def __call__(self, id_: str, version: int) -> None:
        self._queue.put((id_, version))

    def next(self) -> tuple[str, int]:
        return self._queue.get(timeout=PATIENCE)

    def until(self, wanted: tuple[str, int]) -> list[tuple[str, int]]:
        """Give all that comes before something."""
        before: list[tuple[str, int]] = []
        while (one := self.next()) != wanted:
            before.append(one)
        return before

    def nothing(self) -> bool:
        try:
            self._queue.get_nowait()
        except Empty:
            return True
        return False


OTHER = """
match = Match.new(zerosum.game("even-steven"), ("Ada", "Bob"))
store.write([Begin("aaaaaa", match, "{}", None, "k", "d", "playing")])
events = (Event("move", 1),)
entry = Change("aaaaaa", 1, 0, events, match.play(1), "{}", None, None, None, "playing")
assert store.write([entry]) == [None]
(error,) = store.write([entry])
assert isinstance(error, Moved)
store.write([Begin("bbbbbb", match, "{}", None, "l", "d", "playing")])
"""


def test_changes_of_another_process_are_heard_and_refused_ones_are_not(in_database: Opened) -> None:
    heard = Heard()
    listener = in_database().listen(heard)
    assert listener is not None
    try:
        race_at(in_database.place, OTHER, 1)
        assert heard.until(("bbbbbb", 1)) == [("aaaaaa", 1), ("aaaaaa", 2)]
    finally:
        listener.close()


def test_a_listener_hears_its_own_process_and_other_databases_are_not_heard(
    postgres: Server, in_database: Opened
) -> None:
    store, heard = in_database(), Heard()
    elsewhere = open_store(postgres.fresh())
    listener = store.listen(heard)
    assert listener is not None
    elsewhere.write([begin("cccccc", even())])
    store.write([begin("aaaaaa", even()), begin("bbbbbb", even())])
    assert {heard.next(), heard.next()} == {("aaaaaa", 1), ("bbbbbb", 1)}
    listener.close()
    listener.close()
    store.write([change("aaaaaa", even(), ONE)])
    assert heard.nothing()
    elsewhere.close()


def test_a_notice_is_of_what_can_be_read(in_database: Opened) -> None:
    store, versions = in_database(), []
    seen = threading.Event()
    reader = in_database(write=False)

    def look(id_: str, version: int) -> None:
        versions.append((version, reader.live_version(id_)))
        if version == 20:
            seen.set()

    listener = store.listen(look)
    assert listener is not None
    match = even(1000)
    store.write([begin("aaaaaa", match)])
    for version in range(1, 20):
        store.write([change("aaaaaa", match, ONE, version=version, seq=version - 1)])
        match = match.play(1)
    assert seen.wait(PATIENCE)
    listener.close()
    assert [told for told, _ in versions] == list(range(1, 21))
    assert all(found is not None and found >= told for told, found in versions)


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_a_listener_outlives_a_restart_and_says_that_it_may_have_missed_something(
    postgres: Server, in_database: Opened, how: str
) -> None:
    store, heard = in_database(), Heard()
    listener = store.listen(heard)
    assert listener is not None
    store.write([begin("aaaaaa", even())])
    assert heard.next() == ("aaaaaa", 1)
    getattr(postgres, how)()
    postgres.start()
    assert heard.next() == ("", 0)
    store.write([begin("bbbbbb", even())])
    assert heard.next() == ("bbbbbb", 1)
    listener.close()


def test_a_listener_can_be_closed_while_the_server_is_away(
    postgres: Server, in_database: Opened
) -> None:
    heard = Heard()
    listener = in_database().listen(heard)
    assert listener is not None
    postgres.stop()
    try:
        listener.close()
        assert heard.nothing()
    finally:
        postgres.start()


def test_who_cannot_listen_is_told_in_a_sentence(postgres: Server, in_database: Opened) -> None:
    store = in_database()
    postgres.stop()
    try:
        with pytest.raises(Unwritable, match="cannot be used"):
            store.listen(lambda id_, version: None)
    finally:
        postgres.start()


def test_the_listeners_line_is_tried_when_it_is_quiet(
    in_database: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "PROBE_SECONDS", 0.01)
    store, heard = in_database(), Heard()
    listener = store.listen(heard)
    assert listener is not None
    match = even(1000)
    store.write([begin("aaaaaa", match)])
    for version in range(1, 40):
        store.write([change("aaaaaa", match, ONE, version=version, seq=version - 1)])
        match = match.play(1)
    probes = "select count(*) from pg_stat_activity where query = 'select 1'"
    eventually(lambda: execute(in_database.place, probes) != [(0,)])
    assert heard.until(("aaaaaa", 40)) == [("aaaaaa", version) for version in range(1, 40)]
    listener.close()
