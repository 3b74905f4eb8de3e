"""Random batches of changes, compared with a model in a few lines of Python."""

import itertools
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.support import BothStores, Stores, begin, change, even, write
from zerosum.errors import Conflict, KeyUsed, StoreError
from zerosum.match import Event, EventKind, Match
from zerosum.store import Change

KINDS: tuple[EventKind, ...] = (
    *("move", "move", "move", "undo", "resignation", "concession", "time", "agreement", "endless"),
)


class Wish(NamedTuple):
    """A change to ask for, possible or not."""

    name: str
    new: bool
    kinds: tuple[EventKind, ...]
    behind: int
    key: str | None


wishes = st.builds(
    Wish,
    st.sampled_from("abcd"),
    st.integers(0, 3).map(lambda number: number == 0),
    st.lists(st.sampled_from(KINDS), max_size=3).map(tuple),
    st.integers(-8, 1).map(lambda number: max(0, number)),
    st.none() | st.sampled_from("xyz"),
)


@dataclass
class Model:
    """The expected matches, each with its version and number of events, and all keys."""

    prefix: str
    live: dict[str, tuple[Match[Any], int, int]] = field(default_factory=dict)
    data: dict[str, tuple[str, float | None]] = field(default_factory=dict)
    keys: dict[tuple[str, str], str] = field(default_factory=dict)

    def ask(self, wish: Wish, number: int) -> tuple[Change, type | None]:
        """Turn a wish into a change, and return it with the expected error."""
        id_, digest = f"{self.prefix}{wish.name}", f"digest {number}"
        if wish.new or id_ not in self.live:
            key = f"{self.prefix} {wish.key}"
            entry = begin(id_, even(5, games=4), key=key, digest=digest)
            if ("", key) in self.keys:
                return entry, KeyUsed
            if id_ in self.live:
                return entry, StoreError
            self.live[id_], self.data[id_] = (entry.match, 1, 0), ("{}", None)
            self.keys["", key] = digest
            return entry, None
        match, version, seq = self.live[id_]
        events = []
        now = match
        for kind in wish.kinds:
            if now.over or (kind == "undo" and (now.round.end or not now.ply)):
                continue
            event = Event(kind, 1 if kind == "move" else None)
            now = now.apply(event)
            events.append(event)
        changed = change(
            id_,
            match,
            *events,
            version=version - wish.behind,
            seq=seq,
            data=digest,
            due=float(number),
            key=wish.key,
            digest=digest if wish.key else "",
        )
        if wish.key is not None and (id_, wish.key) in self.keys:
            return changed, KeyUsed
        if wish.behind:
            return changed, Conflict
        self.live[id_] = (now, version + 1, seq + len(events))
        self.data[id_] = (digest, float(number))
        if wish.key is not None:
            self.keys[id_, wish.key] = digest
        return changed, None

    def digest(self, id_: str, key: str) -> str:
        """Return what was saved with a key."""
        return self.keys[id_, key]

    def check(self, store: BothStores) -> None:
        """Compare the database with the model."""
        lines = {line.id: line for line in store.matches() if line.id.startswith(self.prefix)}
        assert set(lines) == set(self.live)
        for id_, (match, version, seq) in self.live.items():
            live = store.live(id_)
            assert (live.saved.match, live.version, live.saved.events) == (match, version, seq)
            assert (live.data, live.due) == self.data[id_]
            line = lines[id_]
            assert (line.score, line.over) == (match.score, match.over)
            assert line.played == sum(played.end is not None for played in match.rounds)
            assert line.plies == sum(len(played.moves) for played in match.rounds)
        for (id_, key), digest in self.keys.items():
            created = store.server.created(key)
            assert (store.server.key(id_, key) if id_ else created and created[1]) == digest


prefixes = (f"m{number:05}" for number in itertools.count())


@settings(
    max_examples=settings().max_examples // 2,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(batches=st.lists(st.lists(wishes, min_size=1, max_size=6), max_size=5))
def test_a_batch_does_what_its_changes_would_do_one_by_one(
    stores: Stores, batches: list[list[Wish]]
) -> None:
    (store, reader), model = stores.pair(), Model(next(prefixes))
    for number, batch in enumerate(batches):
        asked = [model.ask(wish, 10 * number + index) for index, wish in enumerate(batch)]
        results = write(store, [change for change, _ in asked])
        expected = [type(None) if kind is None else kind for _, kind in asked]
        assert [type(result) for result in results] == expected
        for (asked_for, _), result in zip(asked, results, strict=True):
            if isinstance(result, KeyUsed):
                assert asked_for.request is not None
                assert result.digest == model.digest(*asked_for.request)
    model.check(reader)
