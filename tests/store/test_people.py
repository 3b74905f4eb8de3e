"""People with a name, bots among them, and the live matches that concern a person."""

from itertools import count

import pytest

from tests.store.support import ONE, Stores, begin, change, even, execute, write
from zerosum.store import live
from zerosum.store.people import PeopleStore, Person, PlayedMatch
from zerosum.store.rows import timestamp

BEFORE_SEATS = 5  # the version of a database
DEEP = Person("d" * 64, "Deep", 1, "", 1.0)


def enroll(
    people: PeopleStore, person: Person, owner: str = "here", each: int = 2
) -> Person | None:
    folded = person.name.casefold() if person.bot else None
    return people.enroll(person, folded, owner, each, total=3)


def test_a_person_is_saved_once_and_a_bot_is_found_by_its_name(stores: Stores) -> None:
    people = stores().server.people
    assert people.find(DEEP.holder) is people.named("deep") is None
    assert enroll(people, DEEP) == enroll(people, DEEP._replace(name="Else")) == DEEP
    assert stores().server.people.find(DEEP.holder) == people.named("deep") == DEEP
    ada = Person("a" * 64, "Ada", 0, "", 1.0)
    assert enroll(people, ada) == ada
    assert people.named("ada") is None


def test_the_name_of_a_bot_is_taken_once_and_that_of_a_person_is_free(stores: Stores) -> None:
    people = stores().server.people
    enroll(people, DEEP)
    assert enroll(people, Person("e" * 64, "DEEP", 1, "", 1.0)) == DEEP
    assert people.find("e" * 64) is None
    person = Person("f" * 64, "Deep", 0, "", 1.0)
    assert enroll(people, person) == person


def test_an_owner_has_so_many_people_and_a_database_too(stores: Stores) -> None:
    people, holders = stores().server.people, count()

    def another(owner: str) -> Person | None:
        number = next(holders)
        return enroll(people, Person(f"{number}", f"Bot {number}", 1, "", 1.0), owner)

    assert [another("here") is None for _ in range(3)] == [False, False, True]
    assert [another("there") is None for _ in range(2)] == [False, True]
    people.expire(2.0)
    assert another("here") is not None


def test_only_open_bots_seen_lately_are_listed(stores: Stores) -> None:
    people = stores().server.people
    enroll(people, DEEP)
    assert people.open(0.0, 9) == []
    ready = DEEP._replace(open="even-steven digit-battle", seen=5.0)
    people.save(ready)
    assert people.open(5.0, 9) == [ready]
    assert people.open(5.1, 9) == people.open(0.0, 0) == []
    people.expire(5.0)
    assert people.find(DEEP.holder) == ready
    people.expire(5.1)
    assert people.find(DEEP.holder) is None


def test_matches_are_listed_by_whom_they_concern_the_newest_first(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, times = stores(), count(1)
    people = store.server.people
    monkeypatch.setattr(live, "timestamp", lambda: f"{timestamp()} {next(times)}")
    match = even()
    write(store, [begin("aaaaaa", match, seats=("ada",))])
    write(store, [begin("bbbbbb", match, seats=("ada", "bob"))])
    write(store, [begin("cccccc", match, stage="over", seats=("bob",))])
    write(store, [change("aaaaaa", match, ONE, seats=("bob",))])
    assert people.matches("ada", 9) == ["bbbbbb", "aaaaaa"]
    assert people.matches("bob", 9) == ["aaaaaa", "cccccc", "bbbbbb"]
    assert people.matches("bob", 2) == ["aaaaaa", "cccccc"]
    assert people.matches("bob", 9, "cccccc") == ["bbbbbb"]
    assert people.matches("ada", 9, "cccccc") == people.matches("eve", 9) == []
    assert people.unfinished("bob", 9) == ["aaaaaa", "bbbbbb"]
    assert people.unfinished("bob", 1) == ["aaaaaa"]


def test_games_are_never_crowded_out_by_invitations(stores: Stores) -> None:
    store, match = stores(), even()
    stages = {"aaaaaa": "playing", "bbbbbb": "waiting", "cccccc": "declined"}
    for id_, stage in stages.items():
        write(store, [begin(id_, match, stage=stage, seats=("ada",))])
    assert store.server.people.unfinished("ada", 9) == ["aaaaaa", "bbbbbb"]
    assert store.server.expire(9.0, 1.0, 99.0, 99.0, most=9) == ["cccccc", "bbbbbb"]


def test_what_a_refused_change_would_concern_is_not_listed(stores: Stores) -> None:
    store, match = stores(), even()
    write(store, [begin("aaaaaa", match, seats=("ada",))])
    (refusal,) = write(store, [change("aaaaaa", match, version=7, seats=("bob",))])
    assert refusal is not None
    assert store.server.people.matches("bob", 9) == []


def test_what_was_decided_is_kept_until_the_match_is_deleted(stores: Stores) -> None:
    store, match = stores(), even(2).play(1)
    people = store.server.people
    for id_ in ("aaaaaa", "bbbbbb"):
        write(store, [begin(id_, match, data="kept", seats=("ada", "bob"))])
    assert people.played("ada", 9) == []
    write(store, [change("bbbbbb", match, ONE, seq=1, stage="over")])
    played = PlayedMatch("bbbbbb", "even-steven", 1, 1, "kept", 0, "")
    assert people.played("ada", 9) == [played._replace(data="{}")]
    for made in ("first", "second"):
        people.keep_decisions("bbbbbb", 1, made)
        people.keep_decisions("cccccc", 1, made)
    store.server.save_hint("bbbbbb", 0, 3)
    store.server.save_hint("bbbbbb", 0, 3)
    store.server.save_hint("cccccc", 0, 3)
    assert store.server.hints("bbbbbb") == [(0, 3)]
    assert people.played("bob", 9) == [played._replace(data="{}", judged=1, made="second")]
    assert people.played("eve", 9) == []
    store.delete("bbbbbb")
    assert people.played("bob", 9) == []
    for table in ("hints", "decisions"):
        assert execute(stores.address, f"select * from {table}") == []


def test_a_deleted_match_concerns_nobody(stores: Stores) -> None:
    store, match = stores(), even()
    for id_ in ("aaaaaa", "bbbbbb"):
        write(store, [begin(id_, match, seats=("ada",))])
    store.delete("aaaaaa")
    assert store.server.people.matches("ada", 9) == ["bbbbbb"]
    assert store.server.expire(9.0, 1.0, 1.0, 1.0, most=9) == ["bbbbbb"]
    assert store.server.people.matches("ada", 9) == []


@pytest.mark.parametrize("data", ['{"holders": [["ada", [0]], ["bob", [1]]]}', "{}", "{", "[]"])
def test_seats_taken_before_they_were_listed_are_listed(stores: Stores, data: str) -> None:
    store = stores()
    write(store, [begin("aaaaaa", even(), data=data)])
    on_postgres = "://" in stores.address
    if on_postgres and data == "{":
        return  # only a server writes there
    for table in ("seats", "people", "hints", "decisions"):
        execute(stores.address, f"drop table {table}")
    execute(stores.address, "alter table matches drop column assistant")
    if on_postgres:
        older = f"update meta set value = '{BEFORE_SEATS}' where name = 'version'"
    else:
        older = f"pragma user_version = {BEFORE_SEATS}"
    execute(stores.address, older)
    stores.close()
    people = stores().server.people
    found = ["aaaaaa"] if "ada" in data else []
    assert people.matches("ada", 9) == people.unfinished("bob", 9) == found
