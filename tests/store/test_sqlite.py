from __future__ import annotations

import gc
import itertools
import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zerosum
from zerosum.match import Event, Match, MatchError, check_players
from zerosum.store import SqliteStore, StoreError, file, open_store, sqlite
from zerosum.store.base import Moved, Unwritable
from zerosum.store.schema import APPLICATION, MIGRATIONS, VERSION

HUGE = 10**600 + 7
PAGE = 4096


def even(start: int = 15, **options: Any) -> Match:
    return Match.new(zerosum.game("even-steven", start=start), ("Ada", "Bob"), **options)


def filled(path: Path, matches: int = 1, moves: int = 3) -> list[str]:
    store = SqliteStore(str(path))
    ids = []
    for number in range(matches):
        match = even(1000 + number)
        id_ = store.create(match, f"match{number:03}")
        for seq in range(moves):
            match = match.play(1)
            store.append(id_, seq, Event("move", 1), match)
        ids.append(id_)
    store.close()
    return ids


def plain_copy(path: Path) -> None:
    """Let a file stand alone, with nothing in a journal beside it."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("pragma wal_checkpoint(truncate)")
        db.execute("pragma journal_mode = delete")


def snapshot(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in sorted(folder.iterdir()) if one.is_file()}


def pragma(path: Path, name: str) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute(f"pragma {name}").fetchone()[0])


def execute(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


def refused(path: Path, write: bool) -> StoreError:
    with pytest.raises(StoreError) as caught:
        SqliteStore(str(path), write)
    error = caught.value
    del caught
    error.__traceback__ = None
    if error.__cause__:
        error.__cause__.__traceback__ = None
    gc.collect()
    return error


# What a store is for.


def test_a_new_match_is_loaded_as_it_was_created(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")
    match = even(7, first=1, length=3, clock=2.5).play(1).play(2).resign()
    id_ = SqliteStore(path).create(match)
    saved = SqliteStore(path).load(id_)
    assert saved.match == match
    assert (saved.id, saved.events) == (id_, 3)


def test_an_appended_event_is_there_for_the_next_reader(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")
    store, match = SqliteStore(path), even()
    id_ = store.create(match)
    match = match.play(1)
    store.append(id_, 0, Event("move", 1), match)
    assert SqliteStore(path, write=False).load(id_).match == match


def test_an_undone_move_stays_undone(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")
    store, match = SqliteStore(path), even()
    id_ = store.create(match)
    for seq, event in enumerate([Event("move", 1), Event("undo"), Event("move", 1)]):
        match = match.apply(event)
        store.append(id_, seq, event, match)
    saved = SqliteStore(path).load(id_)
    assert saved.match == match
    assert saved.events == 3
    assert store.matches()[0].plies == 1


def test_the_time_a_match_began_can_be_given_and_is_kept(tmp_path: Path) -> None:
    store = SqliteStore(str(tmp_path / "a.db"))
    id_ = store.create(even(), started="2001-02-03T04:05:06.000Z")
    store.append(id_, 0, Event("move", 1), even().play(1))
    saved = store.load(id_)
    assert saved.started == "2001-02-03T04:05:06.000Z"
    assert saved.updated > saved.started


def test_ids_differ_and_hold_nothing_that_looks_alike(tmp_path: Path) -> None:
    ids = {sqlite.new_id() for _ in range(2000)}
    assert len(ids) == 2000
    assert {len(one) for one in ids} == {8}
    assert not set("01ilo") & set("".join(ids))


@pytest.mark.parametrize("typed", ["abcdef", "abcd", "ABCD", "abcdefgh"[:6]])
def test_the_beginning_of_an_id_is_enough(tmp_path: Path, typed: str) -> None:
    store = SqliteStore(str(tmp_path / "a.db"))
    store.create(even(), "abcdef")
    store.create(even(), "abxyzw")
    assert store.load(typed).id == "abcdef"


@pytest.mark.parametrize("typed", ["ab", "a"])
def test_a_beginning_that_two_ids_have_asks_for_more(tmp_path: Path, typed: str) -> None:
    store = SqliteStore(str(tmp_path / "a.db"))
    store.create(even(), "abcdef")
    store.create(even(), "abxyzw")
    with pytest.raises(StoreError, match="More than one"):
        store.load(typed)


@pytest.mark.parametrize(
    "typed", ["", "b", "%", "_bcdef", "abcdefg", "abc def", "'", "\0", "\udcff", "٣"]
)
def test_an_id_that_no_match_has_is_refused(tmp_path: Path, typed: str) -> None:
    store = SqliteStore(str(tmp_path / "a.db"))
    store.create(even(), "abcdef")
    with pytest.raises(StoreError, match="no match"):
        store.load(typed)


def test_a_whole_id_names_its_match_also_where_another_begins_with_it(tmp_path: Path) -> None:
    store = SqliteStore(str(tmp_path / "a.db"))
    store.create(even(), "abcdef")
    store.create(even(), "abcdefgh")
    assert store.load("abcdef").id == "abcdef"


def test_an_id_that_is_taken_is_not_called_damage(tmp_path: Path) -> None:
    store = SqliteStore(str(tmp_path / "a.db"))
    store.create(even(9), "abcdef")
    with pytest.raises(StoreError) as caught:
        store.create(even(11), "abcdef")
    assert "damaged" not in str(caught.value)
    assert store.load("abcdef").match == even(9)


def test_the_latest_open_match_is_the_one_played_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = itertools.count()
    monkeypatch.setattr(sqlite, "timestamp", lambda: f"2026-01-01T00:00:{next(ticks):02}.000Z")
    store = SqliteStore(str(tmp_path / "a.db"))
    assert store.latest_open() is None
    one, other = store.create(even()), store.create(even())
    assert store.latest_open() == other
    store.append(one, 0, Event("move", 1), even().play(1))
    assert store.latest_open() == one
    store.append(one, 1, Event("resignation"), even().play(1).resign())
    assert store.latest_open() == other
    store.append(other, 0, Event("agreement"), even().call_off())
    assert store.latest_open() is None


def test_matches_are_listed_latest_first_by_game_and_by_whether_they_are_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = itertools.count()
    monkeypatch.setattr(sqlite, "timestamp", lambda: f"2026-01-01T00:00:{next(ticks):02}.000Z")
    store = SqliteStore(str(tmp_path / "a.db"))
    duel = Match.new(zerosum.game("divisor-duel", start=2), ("Ada", "Bob"))
    one, two = store.create(even(1)), store.create(duel.play(1))
    three = store.create(even(9, length=3).play(1).resign().next_game().play(1))
    assert [line.id for line in store.matches()] == [three, two, one]
    assert [line.id for line in store.matches(game="even-steven")] == [three, one]
    assert [line.id for line in store.matches(unfinished=True)] == [three, one]
    assert [line.id for line in store.matches(most=1)] == [three]
    assert [line.id for line in store.matches(most=0)] == []
    line = store.matches()[0]
    assert (line.game, line.players, line.length) == ("even-steven", ("Ada", "Bob"), 3)
    assert (line.played, line.score, line.plies, line.over) == (1, (1, 0), 2, False)


def test_results_count_each_finished_game_once(tmp_path: Path) -> None:
    store = SqliteStore(str(tmp_path / "a.db"))
    match = even(2, length=3, first=1)
    id_ = store.create(match)
    events = [Event("move", 1), Event("undo"), Event("move", 1), Event("move", 1)]
    events += [Event("agreement"), Event("resignation")]
    for seq, event in enumerate(events):
        match = match.apply(event)
        store.append(id_, seq, event, match)
    assert match.over
    book, ada, bob = "even-steven", "Ada", "Bob"
    assert store.results() == [
        (book, ada, bob, 0, 1),
        (book, ada, bob, None, 0),
        (book, ada, bob, 0, 1),
    ]


def test_a_game_of_ones_own_is_found_again_by_its_file(tmp_path: Path) -> None:
    rules = tmp_path / "my_game.py"
    rules.write_text(
        "from dataclasses import dataclass\n"
        "from typing import NamedTuple\n"
        "from zerosum.game import Outcome\n"
        "class State(NamedTuple):\n    number: int\n    player: int\n"
        "@dataclass(frozen=True)\n"
        "class MyGame:\n"
        "    def initial(self): return State(3, 0)\n"
        "    def moves(self, s): return (1,) if s.number else ()\n"
        "    def play(self, s, move): return State(s.number - 1, 1 - s.player)\n"
        "    def outcome(self, s):\n"
        "        return None if s.number else Outcome(1 - s.player, 'zero')\n"
        "    def objection(self, s, move): return None if move == 1 else 'Only 1.'\n"
    )
    match = Match.new(zerosum.game(str(rules))).play(1)
    path = str(tmp_path / "a.db")
    id_ = SqliteStore(path).create(match)
    code = (
        "import sys; from zerosum.store import SqliteStore as S;"
        "print(S(sys.argv[1]).load(sys.argv[2]).match.state.number)"
    )
    done = subprocess.run([sys.executable, "-c", code, path, id_], capture_output=True, cwd="/")
    assert done.stdout == b"2\n", done.stderr


def test_a_match_that_the_rules_no_longer_allow_is_refused_with_the_event(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    execute(path, "update events set move = '2' where seq = 1")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"event 2 .*even number"):
        SqliteStore(str(path)).load(id_)
    assert path.read_bytes() == before


# Whatever happens in a match is what is read back.

names = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=40)
small_or_huge = st.integers(2, 60) | st.integers(10**300, 10**700)


def _different(pair: tuple[str, str]) -> bool:
    try:
        check_players(pair)
    except zerosum.OptionError:
        return False
    return True


@st.composite
def variants(draw: st.DrawFn) -> Any:
    name = draw(st.sampled_from(zerosum.games()[:5]))
    options: dict[str, Any] = {"start": draw(small_or_huge)}
    if name == "even-steven":
        options["subtract_two"] = draw(st.booleans())
    elif name == "dual-digits":
        options["numbers"] = tuple(draw(st.sets(st.integers(1, 9), max_size=4)) | {2})
    elif name == "digit-battle":
        options = {"lives": draw(small_or_huge), "limit_penalty": draw(small_or_huge)}
    return zerosum.game(name, **options)


@st.composite
def happenings(draw: st.DrawFn) -> tuple[Match, list[Event]]:
    begun = match = Match.new(
        draw(variants()),
        draw(st.tuples(names, names).filter(_different)),
        draw(st.integers(0, 1)),
        draw(st.integers(1, 4)),
        draw(st.none() | st.floats(0.001, 86_400) | st.integers(1, 86_400)),
    )
    events: list[Event] = []
    kinds = ("move", "move", "move", "move", "undo", "resignation", "time", "agreement", "endless")
    for kind in draw(st.lists(st.sampled_from(kinds), max_size=14)):
        if match.over:
            break
        now = match.next_game() if match.round.end else match
        if kind == "undo" and not now.ply:
            continue
        moves = now.game.moves(now.state) if kind == "move" else ()
        event = Event(kind, draw(st.sampled_from(moves)) if moves else None)
        match = match.apply(event)
        events.append(event)
    return begun, events


@settings(max_examples=80)
@given(happened=happenings())
def test_what_was_appended_is_what_is_loaded(
    tmp_path_factory: pytest.TempPathFactory, happened: tuple[Match, list[Event]]
) -> None:
    path = str(tmp_path_factory.mktemp("store") / "a.db")
    match, events = happened
    store = SqliteStore(path)
    id_ = store.create(match)
    for seq, event in enumerate(events):
        match = match.apply(event)
        store.append(id_, seq, event, match)
    again = SqliteStore(path)
    saved = again.load(id_)
    assert saved.match == match
    assert saved.events == len(events)
    (line,) = again.matches()
    ended = [played for played in match.rounds if played.end]
    assert (line.players, line.length, line.score) == (match.players, match.length, match.score)
    assert (line.played, line.over) == (len(ended), match.over)
    assert line.plies == sum(len(played.moves) for played in match.rounds)
    assert [(one[3], one[4]) for one in again.results()] == [
        (played.end.winner, played.first) for played in ended if played.end
    ]
    copy = again.load(again.create(saved.match)).match
    # A next game in which nothing has happened yet is none to a copy.
    assert copy == match or copy.next_game() == match
    store.close()
    again.close()


@pytest.mark.parametrize("length", [1, 1_000_000])
def test_a_series_of_any_length_that_can_be_played_is_kept(tmp_path: Path, length: int) -> None:
    store = SqliteStore(str(tmp_path / "a.db"))
    assert store.load(store.create(even(length=length))).match.length == length


# Two at once.


def test_of_two_who_append_the_same_event_the_second_is_told(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")
    one = SqliteStore(path)
    match = even(8)
    id_ = one.create(match)
    other = SqliteStore(path)
    assert other.load(id_).match == match
    one.append(id_, 0, Event("move", 1), match.play(1))
    with pytest.raises(Moved, match=f"zerosum resume {id_}"):
        other.append(id_, 0, Event("move", 2), match.play(2))
    saved = other.load(id_)
    assert saved.match == match.play(1)
    assert other.matches()[0].plies == 1
    other.append(id_, saved.events, Event("move", 1), saved.match.play(1))
    assert one.load(id_).match == match.play(1).play(1)


def test_a_file_that_stays_locked_is_unwritable_until_it_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file, "WAIT_SECONDS", 0.01)
    path = tmp_path / "a.db"
    store, match = SqliteStore(str(path)), even()
    id_ = store.create(match)
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("begin immediate")
        with pytest.raises(Unwritable, match="locked"):
            store.append(id_, 0, Event("move", 1), match.play(1))
        assert store.load(id_).match == match
        holder.execute("rollback")
    store.append(id_, 0, Event("move", 1), match.play(1))
    assert store.load(id_).match == match.play(1)


def race(script: str, path: Path, count: int) -> list[str]:
    """Run a script in several processes that wait for each other before they begin."""
    begin = "import sys; import zerosum.store.sqlite as q; print(end='', flush=True); input()\n"
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", begin + script, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(count)
    ]
    for racer in racers:
        assert racer.stdin
        racer.stdin.write("go\n")
        racer.stdin.flush()
    ended = [racer.communicate(timeout=60) for racer in racers]
    assert [error for _, error in ended] == [""] * count
    return [out for out, _ in ended]


@pytest.mark.parametrize("write", [True, False])
def test_a_second_look_at_a_file_leaves_the_locks_of_the_first(tmp_path: Path, write: bool) -> None:
    # Closing any descriptor of a file gives up the process's locks on it, SQLite's own included;
    # then the next process to leave takes the journal away from under us.
    path = tmp_path / "a.db"
    store, match = SqliteStore(str(path)), even()
    id_ = store.create(match)
    second = SqliteStore(str(path), write)
    script = """
import zerosum
from zerosum.match import Match
store = q.SqliteStore(sys.argv[1])
store.create(Match.new(zerosum.game("even-steven")))
store.close()
"""
    race(script, path, 1)
    store.append(id_, 0, Event("move", 1), match.play(1))
    read = f"print(q.SqliteStore(sys.argv[1]).load({id_!r}).match.ply)"
    assert race(read, path, 1) == ["1\n"]
    second.close()
    store.close()
    assert SqliteStore(str(path)).load(id_).match == match.play(1)


def test_many_processes_create_the_same_file_at_once(tmp_path: Path) -> None:
    rounds, count = 30, 6
    script = f"""
import zerosum
from zerosum.match import Match
for number in range({rounds}):
    store = q.SqliteStore(f"{{sys.argv[1]}}{{number}}.db")
    store.create(Match.new(zerosum.game("even-steven")))
    q.SqliteStore(f"{{sys.argv[1]}}{{number}}.db", write=False).matches()
"""
    race(script, tmp_path / "many", count)
    for number in range(rounds):
        store = SqliteStore(str(tmp_path / f"many{number}.db"))
        assert len(store.matches()) == count
        store.close()


def test_many_processes_append_to_one_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    script = """
import zerosum
from zerosum.match import Event, Match
store = q.SqliteStore(sys.argv[1])
match = Match.new(zerosum.game("even-steven", start=1000))
id = store.create(match)
for seq in range(25):
    match = match.play(1)
    store.append(id, seq, Event("move", 1), match)
print(id)
"""
    ids = [out.strip() for out in race(script, path, 5)]
    store = SqliteStore(str(path))
    assert {one.id for one in store.matches()} == set(ids)
    assert [store.load(one).match.state.number for one in ids] == [975] * 5


# Files that are not ours, or not whole.


def text_file(path: Path) -> None:
    path.write_text("My diary.\n" * 1000)


def short_file(path: Path) -> None:
    path.write_bytes(b"x")


def zeros(path: Path) -> None:
    path.write_bytes(bytes(10_000))


def other_database(path: Path) -> None:
    execute(path, "create table diary (line text)", "insert into diary values ('mine')")


def other_application(path: Path) -> None:
    other_database(path)
    execute(path, "pragma application_id = 252006673")


def same_tables_of_another(path: Path) -> None:
    filled(path)
    plain_copy(path)
    execute(path, f"pragma application_id = {APPLICATION + 1}")


def last_page_gone(path: Path) -> None:
    filled(path)
    os.truncate(path, path.stat().st_size - PAGE)


def half_gone(path: Path) -> None:
    filled(path)
    os.truncate(path, path.stat().st_size // 2)


def one_byte_gone(path: Path) -> None:
    filled(path)
    os.truncate(path, path.stat().st_size - 1)


def first_bytes_left(path: Path) -> None:
    filled(path)
    os.truncate(path, 99)


def header_left(path: Path) -> None:
    filled(path)
    os.truncate(path, 100)


def newer(path: Path) -> None:
    filled(path)
    execute(path, f"pragma user_version = {VERSION + 1}")


def much_newer(path: Path) -> None:
    filled(path)
    execute(path, "pragma user_version = 2000000000")


def garbled_schema(path: Path) -> None:
    filled(path)
    data = path.read_bytes()
    path.write_bytes(data[:100] + b"\xa7" * (PAGE - 100) + data[PAGE:])


def garbled_schema_of_a_plain_file(path: Path) -> None:
    filled(path)
    plain_copy(path)
    data = path.read_bytes()
    path.write_bytes(data[:100] + b"\xa7" * (PAGE - 100) + data[PAGE:])


FOREIGN = [text_file, short_file, zeros, other_database, other_application, same_tables_of_another]
CUT = [last_page_gone, half_gone, one_byte_gone, first_bytes_left, header_left]
NEWER = [newer, much_newer]
GARBLED = [garbled_schema, garbled_schema_of_a_plain_file]


@pytest.mark.parametrize("write", [True, False])
@pytest.mark.parametrize("make", [*FOREIGN, *CUT, *NEWER, *GARBLED])
def test_what_is_not_a_whole_file_of_ours_is_refused_and_left_alone(
    tmp_path: Path, make: Any, write: bool
) -> None:
    path = tmp_path / "a.db"
    make(path)
    before = snapshot(tmp_path)
    error = refused(path, write)
    assert snapshot(tmp_path) == before
    assert str(path) in str(error)
    assert not isinstance(error, Unwritable)  # or play would go on without keeping anything
    assert "--db" in str(error)


def test_a_newer_file_says_that_it_is_newer(tmp_path: Path) -> None:
    newer(tmp_path / "a.db")
    assert f"newer Zerosum (version {VERSION + 1}" in str(refused(tmp_path / "a.db", True))


def test_garbage_in_the_middle_is_an_error_of_the_store_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    ids = filled(path, matches=30, moves=6)
    plain_copy(path)
    whole = path.read_bytes()
    honest = SqliteStore(str(path), write=False)
    told = [honest.load(one).match for one in ids]
    honest.close()
    noticed, wrong = 0, []
    width = 128
    for at in range(100, len(whole), width):
        path.write_bytes(whole[:at] + b"\xa7" * width + whole[at + width :])
        before = snapshot(tmp_path)
        try:
            store = SqliteStore(str(path), write=False)
            store.matches()
            store.results()
            for id_, match in zip(ids, told, strict=True):
                if (found := store.load(id_).match) != match:
                    wrong.append((at, f"{id_} has {found.ply} moves of 6"))
        except StoreError:
            noticed += 1
        except Exception as error:
            wrong.append((at, repr(error)))
        else:
            store.close()
        assert snapshot(tmp_path) == before
    assert noticed > 10
    assert not wrong, "\n".join(f"byte {at}: {what}" for at, what in wrong)


@pytest.mark.parametrize(
    "change",
    [
        "update matches set options = '{'",
        "update matches set options = '[]'",
        "update matches set options = '{\"start\": 0}'",
        "update matches set options = '{\"strat\": 3}'",
        "update matches set player_2 = player_1",
        "update matches set player_1 = x'ff'",
        "update matches set first = 7",
        "update matches set length = 'many'",
        "update matches set clock = -1.0",
        "update matches set game = 'no-such-game'",
        "update matches set file = '/no/such/file.py'",
        "update events set move = 'one'",
        "update events set move = null",
        "update events set kind = 'flip'",
        "delete from events where seq = 1",
    ],
)
def test_a_row_that_makes_no_sense_is_a_sentence_and_not_a_crash(
    tmp_path: Path, change: str
) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    execute(path, change)
    with pytest.raises(zerosum.ZerosumError):
        SqliteStore(str(path), write=False).load(id_)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert "folder" in str(refused(tmp_path, True))
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_that_is_there_already_is_used(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.touch()
    (id_,) = filled(path)
    assert SqliteStore(str(path), write=False).load(id_).match.ply == 3
    assert pragma(path, "application_id") == APPLICATION
    assert pragma(path, "user_version") == VERSION


@pytest.mark.parametrize(
    "name", ["a b.db", "what?.db", "100%25.db", "#1.db", "é🎲.db", "a&mode=ro"]
)
def test_a_name_with_any_character_names_that_file(tmp_path: Path, name: str) -> None:
    (id_,) = filled(tmp_path / name)
    assert name in {one.name for one in tmp_path.iterdir()}
    assert SqliteStore(str(tmp_path / name), write=False).load(id_).match.ply == 3


def test_a_name_that_is_no_text_names_that_file(tmp_path: Path) -> None:
    name = os.fsdecode(b"\xff\xfe.db")
    (id_,) = filled(tmp_path / name)
    assert name in os.listdir(tmp_path)
    assert SqliteStore(str(tmp_path / name), write=False).load(id_).match.ply == 3


def test_a_path_that_begins_with_two_slashes_is_a_path(tmp_path: Path) -> None:
    store = SqliteStore("/" + str(tmp_path / "a.db"))
    assert store.load(store.create(even())).match == even()
    assert (tmp_path / "a.db").exists()


def test_folders_are_made_for_their_owner_alone(tmp_path: Path) -> None:
    store = SqliteStore(str(tmp_path / "x" / "y" / "a.db"))
    store.close()
    assert (tmp_path / "x" / "y").stat().st_mode & 0o777 == 0o700


# A file whose making was cut short.

KILLED = """
import os, resource, signal, sys
from zerosum.store import SqliteStore
limit = int(sys.argv[2])
os.getpid = lambda: 7
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
SqliteStore(sys.argv[1])
"""


@pytest.mark.parametrize("empty", [True, False])
@pytest.mark.parametrize("write", [True, False])
@pytest.mark.parametrize("size", [0, 513, *range(PAGE, 12 * PAGE, 2 * PAGE)])
def test_a_process_killed_while_it_makes_the_file_leaves_one_that_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, write: bool, empty: bool
) -> None:
    # The process dies at the very write that would make a file larger than `size`.
    path = tmp_path / "a.db"
    if empty:
        path.touch()
    done = subprocess.run([sys.executable, "-c", KILLED, str(path), str(size)], capture_output=True)
    assert done.returncode in (-signal.SIGXFSZ, 0), done.stderr
    assert done.returncode == -signal.SIGXFSZ or size > PAGE
    # In a container, the next process often has the same number.
    monkeypatch.setattr(os, "getpid", lambda: 7)
    store = SqliteStore(str(path), write)
    assert store.matches() == []
    store.close()


# Versions.


@pytest.fixture
def one_more_step(monkeypatch: pytest.MonkeyPatch) -> None:
    step = "alter table matches add column note text default 'none';create table notes (line text)"
    monkeypatch.setattr(file, "MIGRATIONS", (*MIGRATIONS, step))
    monkeypatch.setattr(file, "VERSION", VERSION + 1)


@pytest.mark.usefixtures("one_more_step")
def test_an_older_file_moves_forward_with_all_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with pytest.MonkeyPatch.context() as before:
        before.setattr(file, "MIGRATIONS", MIGRATIONS)
        before.setattr(file, "VERSION", VERSION)
        (id_,) = filled(path)
    assert pragma(path, "user_version") == VERSION
    store = SqliteStore(str(path))
    assert pragma(path, "user_version") == VERSION + 1
    saved = store.load(id_)
    assert saved.match.state.number == 997
    store.append(id_, saved.events, Event("move", 1), saved.match.play(1))
    assert SqliteStore(str(path)).load(id_).match.state.number == 996
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("select note from matches").fetchall() == [("none",)]
    store.close()


@pytest.mark.usefixtures("one_more_step")
def test_reading_an_older_file_leaves_it_older(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with pytest.MonkeyPatch.context() as before:
        before.setattr(file, "MIGRATIONS", MIGRATIONS)
        before.setattr(file, "VERSION", VERSION)
        (id_,) = filled(path)
    plain_copy(path)
    bytes_before = path.read_bytes()
    assert SqliteStore(str(path), write=False).load(id_).match.ply == 3
    assert path.read_bytes() == bytes_before


@pytest.mark.parametrize("write", [True, False])
def test_a_file_of_the_first_version_is_read(tmp_path: Path, write: bool) -> None:
    path = tmp_path / "a.db"
    execute(
        path,
        *MIGRATIONS[0].split(";"),
        "insert into matches values ('abcdefgh', 'even-steven', null, '{\"start\": 8}',"
        " 'Ada', 'Bob', 1, 3, 2.5, 't1', 't2', 0, 0, 0, 2, 0)",
        "insert into events values ('abcdefgh', 0, 'move', '2', 't1')",
        "insert into events values ('abcdefgh', 1, 'move', '1', 't2')",
        f"pragma application_id = {APPLICATION}",
        "pragma user_version = 1",
    )
    before = snapshot(tmp_path)
    store = SqliteStore(str(path), write)
    saved = store.load("abc")
    assert saved.match == even(8, first=1, length=3, clock=2.5).play(2).play(1)
    assert store.latest_open() == "abcdefgh"
    if write:
        store.append("abcdefgh", 2, Event("move", 1), saved.match.play(1))
    store.close()
    assert pragma(path, "user_version") == (VERSION if write else 1)
    assert write or snapshot(tmp_path) == before
    assert SqliteStore(str(path), write=False).load("abc").match.ply == (3 if write else 2)


def test_a_step_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    step = "create table notes (line text); create table matches (id text)"
    monkeypatch.setattr(file, "MIGRATIONS", (*MIGRATIONS, step))
    monkeypatch.setattr(file, "VERSION", VERSION + 1)
    refused(path, True)
    monkeypatch.undo()
    assert pragma(path, "user_version") == VERSION
    with closing(sqlite3.connect(path)) as db:
        tables = {row[0] for row in db.execute("select name from sqlite_master")}
    assert "notes" not in tables
    assert SqliteStore(str(path)).load(id_).match.ply == 3


def test_a_file_without_a_version_gets_all_steps(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    execute(path, f"pragma application_id = {APPLICATION}", "vacuum")
    assert pragma(path, "user_version") == 0
    (id_,) = filled(path)
    assert pragma(path, "user_version") == VERSION
    assert SqliteStore(str(path)).load(id_).match.ply == 3


def test_processes_that_move_a_file_forward_at_once_do_it_once(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    script = f"""
import zerosum.store.file as f
f.MIGRATIONS = (*f.MIGRATIONS, "alter table matches add column note text default 'none'")
f.VERSION = {VERSION + 1}
store = q.SqliteStore(sys.argv[1])
print(store.load({id_!r}).match.state.number)
"""
    assert race(script, path, 6) == ["997\n"] * 6
    assert pragma(path, "user_version") == VERSION + 1


def test_a_file_that_moves_past_us_while_we_wait_is_not_moved_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.db"
    execute(path, f"pragma application_id = {APPLICATION}", "vacuum")
    asked = SqliteStore._version
    calls = itertools.count()

    def version(self: SqliteStore) -> int:
        found = asked(self)
        if next(calls) == 0:
            execute(path, "create table future (line text)", f"pragma user_version = {VERSION + 1}")
        return found

    monkeypatch.setattr(SqliteStore, "_version", version)
    error = refused(path, True)
    assert "newer" in str(error)
    assert pragma(path, "user_version") == VERSION + 1
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("select name from sqlite_master").fetchall() == [("future",)]


# Places where nothing can be written.


@pytest.mark.parametrize("place", ["/proc/zerosum/a.db", "/dev/null/a.db", "{tmp}/file/a.db"])
def test_a_place_that_takes_nothing_is_unwritable(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("a file")
    with pytest.raises(Unwritable, match=r"a\.db cannot be"):
        SqliteStore(place.format(tmp=tmp_path))
    assert (tmp_path / "file").read_text() == "a file"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_unwritable(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    with pytest.raises(Unwritable):
        SqliteStore(str(folder / "a.db"))


def test_a_full_disk_is_unwritable_and_what_was_kept_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    script = """
import resource, sys
from zerosum.match import Event
from zerosum.store import SqliteStore
from zerosum.store.base import Unwritable
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
store = SqliteStore(sys.argv[1])
saved = store.load(sys.argv[2])
match, events = saved.match, saved.events
try:
    while True:
        match = match.play(1)
        store.append(saved.id, events, Event("move", 1), match)
        events += 1
except Unwritable as error:
    print(events, store.load(saved.id).events)
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(path), id_], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    counts, _, sentence = done.stdout.partition("\n")
    kept, read = map(int, counts.split())
    assert 3 < kept == read
    assert "rollback" not in sentence  # the reason is the disk, not what came of it
    assert SqliteStore(str(path)).load(id_).match.ply == kept


FULL = """
import resource, sys
from zerosum.match import Event
from zerosum.store import SqliteStore, file
from zerosum.store.base import Unwritable
file.WAIT_SECONDS = 0.1
store = SqliteStore(sys.argv[1])
saved = store.load(sys.argv[2])
match, events = saved.match, saved.events
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, resource.RLIM_INFINITY))
try:
    while True:
        after = match.play(1)
        store.append(saved.id, events, Event("move", 1), after)
        match, events = after, events + 1
except Unwritable:
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
again = store if sys.argv[3] == "same" else SqliteStore(sys.argv[1])
again.append(saved.id, events, Event("move", 1), match.play(1))
print(events + 1)
"""


@pytest.mark.parametrize("who", ["same", "other"])
def test_a_disk_that_has_room_again_is_written_again(tmp_path: Path, who: str) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path), id_, who], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert SqliteStore(str(path)).load(id_).match.ply == int(done.stdout)


@pytest.mark.parametrize("write", [True, False])
def test_a_path_that_is_too_long_for_sqlite_is_an_error_of_the_store(
    tmp_path: Path, write: bool
) -> None:
    filled(tmp_path / "a.db")
    folder = tmp_path / ("x" * 200) / ("y" * 200) / ("z" * 200)
    folder.mkdir(parents=True)
    (folder / "a.db").write_bytes((tmp_path / "a.db").read_bytes())
    refused(folder / "a.db", write)


# Reading.


def test_reading_where_there_is_nothing_creates_nothing(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "x" / "a.db"), write=False)
    assert store.matches() == []
    assert store.results() == []
    assert store.latest_open() is None
    with pytest.raises(StoreError, match="no match"):
        store.load("abc")
    store.close()
    assert list(tmp_path.iterdir()) == []


def test_reading_an_empty_file_leaves_it_empty(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.touch()
    store = open_store(str(path), write=False)
    assert store.matches() == []
    store.close()
    assert snapshot(tmp_path) == {"a.db": b""}


def test_reading_changes_nothing_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    before = snapshot(tmp_path)
    store = open_store(str(path), write=False)
    assert store.load(id_).match.ply == 3
    assert len(store.matches()) == 1
    store.close()
    assert snapshot(tmp_path) == before


def test_what_is_open_for_reading_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    store = open_store(str(path), write=False)
    with pytest.raises(StoreError):
        store.append(id_, 3, Event("move", 1), even().play(1))
    with pytest.raises(StoreError):
        store.create(even())
    store.close()
    assert SqliteStore(str(path)).load(id_).match.ply == 3


def test_a_reader_sees_what_a_writer_has_not_yet_closed(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")
    writer, match = SqliteStore(path), even()
    id_ = writer.create(match)
    reader = SqliteStore(path, write=False)
    assert reader.load(id_).match == match
    writer.append(id_, 0, Event("move", 1), match.play(1))
    assert reader.load(id_).match == match.play(1)
    assert SqliteStore(path, write=False).load(id_).match == match.play(1)


def test_options_are_kept_as_json_that_other_programs_read(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    variant = zerosum.game("dual-digits", start=HUGE, numbers=(1, 5))
    store = SqliteStore(str(path))
    store.create(Match.new(variant))
    store.close()
    with closing(sqlite3.connect(path)) as db:
        (text,) = db.execute("select options from matches").fetchone()
    assert json.loads(text) == {"start": HUGE, "numbers": [1, 5]}


def test_an_event_that_cannot_happen_is_not_in_the_store() -> None:
    with pytest.raises(MatchError):
        even().apply(Event("undo"))
