"""Finding and listing matches: by the start of an id, the latest, by game, and deleting them."""

import itertools

import pytest

import zerosum
from tests.store.support import ONE, Stores, begin, even, play, write
from zerosum.errors import StoreError
from zerosum.match import Event, Match
from zerosum.store import Store, new_id

TIMESTAMP = "zerosum.store.store.timestamp"


def test_ids_differ_and_have_no_characters_that_look_alike() -> None:
    ids = {new_id() for _ in range(2000)}
    assert len(ids) == 2000
    assert {len(id_) for id_ in ids} == {8}
    assert not set("01ilo") & set("".join(ids))


@pytest.fixture
def found(stores: Stores) -> Store:
    """A store with three matches whose ids start alike."""
    store = stores()
    for id_ in ("abcdef", "abcdefgh", "abxyzw"):
        store.create(even(), id_)
    return store


@pytest.mark.parametrize(
    ("typed", "id_"), [("abcdef", "abcdef"), ("abcdefg", "abcdefgh"), ("ABX", "abxyzw")]
)
def test_the_start_of_an_id_is_enough(found: Store, typed: str, id_: str) -> None:
    assert found.load(typed).id == id_


@pytest.mark.parametrize("typed", ["ab", "abcd", "", "b", "%", "_bcdef", "abc def", "'", "\0", "٣"])
def test_an_ambiguous_or_unknown_id_is_refused(found: Store, typed: str) -> None:
    message = "More than one" if typed.startswith("ab") and typed.isalpha() else "no match"
    with pytest.raises(StoreError, match=message):
        found.load(typed)


def test_an_existing_match_is_not_overwritten(stores: Stores) -> None:
    store = stores()
    store.create(even(9), "abcdef")
    with pytest.raises(StoreError, match="already exists; not overwritten"):
        store.create(even(11), "abcdef")
    assert store.load("abcdef").match == even(9)


def test_the_latest_match_to_review_has_moves_and_is_a_persons(stores: Stores) -> None:
    store = stores()
    watched = Match.new(even().game, bots=("easy", "hard")).play(1)
    shown = store.create(watched, updated="2001-01-03T00:00:00.000Z")
    store.create(even(), updated="2001-01-04T00:00:00.000Z")
    assert store.matches(reviewable=True)[0].id == shown.id
    played = store.create(even().play(1), updated="2001-01-02T00:00:00.000Z")
    assert store.matches(reviewable=True)[0].id == played.id
    begun = Match.new(even().game, bots=("easy", None)).play(1)
    store.create(begun, updated="2001-01-05T00:00:00.000Z")
    assert store.matches(reviewable=True)[0].id == played.id
    store.create(begun.play(1), "answered", updated="2001-01-05T00:00:00.000Z")
    assert store.matches(reviewable=True)[0].id == "answered"


def test_a_deleted_match_leaves_nothing_behind(stores: Stores) -> None:
    store = stores()
    kept, deleted = play(store, 2), play(store, 3)
    saved = store.load(deleted)
    assert write(store, [begin("aaaaaa", even(1).play(1))]) == [None]
    assert store.identify(deleted[:5]) == deleted
    for id_ in (deleted, "aaaaaa", "nothing"):
        store.delete(id_)
    assert [match.id for match in store.matches()] == [kept]
    assert store.results() == []
    assert store.server.rows("aaaaaa") is None
    with pytest.raises(StoreError, match="There is no match"):
        store.load(deleted)
    with pytest.raises(StoreError, match="was deleted; this move was not saved"):
        store.append(saved, ONE)
    # Its id is free again, without its moves.
    assert store.create(even(), deleted).events == 0
    assert store.load(deleted).match == even()


def test_matches_are_listed_latest_first_by_game_and_unfinished(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = itertools.count()
    monkeypatch.setattr(TIMESTAMP, lambda: f"2026-01-01T00:00:{next(ticks):02}.000Z")
    store = stores()
    duel = Match.new(zerosum.game("divisor-duel", start=2), ("Ada", "Bob"))
    first, second = store.create(even(1)).id, store.create(duel.play(1)).id
    third = store.create(even(9, games=3).play(1).resign().next_game().play(1)).id
    assert [line.id for line in store.matches()] == [third, second, first]
    assert [line.id for line in store.matches(game="even-steven")] == [third, first]
    assert [line.id for line in store.matches(unfinished=True)] == [third, first]
    assert [line.id for line in store.matches(most=1)] == [third]
    assert [store.latest(unfinished=True), store.latest("divisor-duel", unfinished=True)] == [
        third,
        None,
    ]
    assert [line.id for line in store.matches(most=0)] == []
    line = store.matches()[0]
    assert (line.game, line.players, line.games) == ("even-steven", ("Ada", "Bob"), 3)
    assert (line.played, line.score, line.plies, line.over) == (1, (1, 0), 2, False)
    store.append(store.load(first), Event("agreement"))
    assert [line.id for line in store.matches()] == [first, third, second]
