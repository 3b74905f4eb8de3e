"""Several servers at once on one database: each version has one winner, and nothing is lost."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

from tests.store.places import Opened, begin, race_at
from tests.store.support import even
from zerosum.store import open_store

RACE = """
import random
chance, won, lost = random.Random(), [], 0
ids = [f"match{number}" for number in range(6)]
lives = {id: store.live(id) for id in ids}
while any(live.version <= 30 for live in lives.values()):
    chosen = chance.sample(ids, 4)
    batch = [
        Change(id, live.version, live.saved.events, (Event("move", 1),), live.saved.match.play(1),
               "{}", None, f"{live.version}", f"{sys.argv[0]}", "playing")
        for id in chosen for live in [lives[id]] if live.version <= 30
    ]
    for entry, error in zip(batch, store.write(batch), strict=True):
        if error is None:
            won.append(f"{entry.id} {entry.version}")
        else:
            assert isinstance(error, (Moved, KeyUsed)), error
            lost += 1
        lives[entry.id] = store.live(entry.id)
print(lost)
print("\\n".join(won))
"""


def test_of_those_who_change_a_version_one_wins(opened: Opened) -> None:
    store = opened()
    store.write([begin(f"match{number}", even(1000)) for number in range(6)])
    said = [out.split("\n") for out in race_at(opened.place, RACE, 4)]
    won = Counter(line for _, *lines in said for line in lines if line)
    assert won == {f"match{n} {version}": 1 for n in range(6) for version in range(1, 31)}
    assert sum(int(lost) for lost, *_ in said) > 0, "nobody met anybody"
    for number in range(6):
        live = store.live(f"match{number}")
        assert live is not None
        assert (live.version, live.saved.events, live.saved.match.ply) == (31, 30, 30)


def test_a_key_that_several_servers_hear_at_once_makes_one_match(opened: Opened) -> None:
    opened().close()
    script = """
import os, random
made = []
for number in random.sample(range(20), 20):
    match = Match.new(zerosum.game("even-steven"))
    id = f"m{number}p{os.getpid()}"
    mates = [Begin(f"m{number}x{key}p{os.getpid()}", match, "{}", None, f"x{key}", "d", "playing")
             for key in random.sample(range(20), 3)]
    batch = [Begin(id, match, "{}", None, f"k{number}", "d", "playing"), *mates]
    results = store.write(batch)
    assert all(result is None or isinstance(result, KeyUsed) for result in results), results
    if results[0] is None:
        made.append(f"{id} {number}")
print("\\n".join(made))
"""
    made = [line for out in race_at(opened.place, script, 4) for line in out.split("\n") if line]
    assert sorted(int(line.split()[1]) for line in made) == list(range(20))
    store = opened()
    for line in made:
        id_, number = line.split()
        assert store.created(f"k{number}") == (id_, "d")
    assert len(store.matches()) == 20 + len(
        [number for number in range(20) if store.created(f"x{number}")]
    )


def test_servers_that_start_at_once_share_one_secret_and_one_pause(opened: Opened) -> None:
    script = """
print(store.secret().hex(), store.beat(100.0, 10.0), store.beat(100.0, 10.0))
"""
    assert len(set(race_at(opened.place, script, 5))) == 1
    opened().write([begin("aaaaaa", even(), due=100.0)])
    gone = race_at(opened.place, "print(store.beat(150.0, 10.0))", 5)
    assert sorted(gone) == ["0.0\n"] * 4 + ["50.0\n"]
    assert opened().due(149.9, 9) == []
    assert opened().due(150.0, 9) == ["aaaaaa"]


def test_what_expires_while_others_play_expires_once(opened: Opened) -> None:
    opened().write([begin(f"old{number:03}", even()) for number in range(60)])
    script = """
count = 0
while (gone := store.expire(1e12, 1, 1, 1, 7)):
    count += gone
print(count)
"""
    counts = [int(out) for out in race_at(opened.place, script, 4)]
    assert sum(counts) == 60
    assert opened().matches() == []


# A server that is killed while it writes.

WRITER = """
import sys
from zerosum.match import Event
from zerosum.store import open_store
from zerosum.store.live import Change
store = open_store(sys.argv[1])
ids = [f"match{number}" for number in range(8)]
lives = {id: store.live(id) for id in ids}
state = {id: (live.saved.match, live.version, live.saved.events) for id, live in lives.items()}
while True:
    batch = []
    for id, (match, version, seq) in state.items():
        match = match.play(1)
        state[id] = (match, version + 1, seq + 1)
        key = f"key{version}"
        batch.append(Change(id, version, seq, (Event("move", 1),), match, f"{version}", None, key,
                            "d", "playing"))
    assert store.write(batch) == [None] * len(batch)
    print(version + 1, flush=True)
"""


def test_a_server_that_is_killed_loses_nothing_it_has_acknowledged(opened: Opened) -> None:
    store = opened()
    store.write([begin(f"match{number}", even(100_000)) for number in range(8)])
    chance, standing = random.Random(7), 1
    for _ in range(8):
        wanted = chance.randint(1, 25)
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, opened.place], stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout
            said = standing
            for _ in range(wanted):
                said = int(writer.stdout.readline())
            writer.send_signal(signal.SIGKILL)
            left = writer.stdout.read().split()
            said = int(left[-1]) if left else said
        lives = [store.live(f"match{number}") for number in range(8)]
        found = {(live.version, live.saved.match.ply) for live in lives if live is not None}
        # All matches of a batch or none, and at most one batch that was not acknowledged.
        ((version, ply),) = found
        assert said <= version <= said + 1
        assert ply == version - 1
        assert store.key("match3", f"key{version - 1}") == "d"
        assert store.key("match3", f"key{version}") is None
        standing = version
    assert standing > 8


def test_events_and_line_agree_whenever_another_process_looks(opened: Opened) -> None:
    # Who reads a match while another writes to it sees it before or after, never in between.
    store = opened()
    store.write([begin(f"match{number}", even(100_000)) for number in range(8)])
    reader = opened(write=False)
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, opened.place], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout
        seen = set()
        for _ in range(60):
            writer.stdout.readline()
            live = reader.live("match5")
            assert live is not None
            assert live.saved.events == live.version - 1
            assert reader.load("match5").match.ply >= live.saved.match.ply
            seen.add(live.version)
        writer.kill()
    assert len(seen) > 5


def test_a_file_tells_nobody_of_changes(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "a.db"))
    assert store.listen(lambda id_, version: None) is None
    store.close()


def test_who_is_alone_wins_everything(opened: Opened) -> None:
    opened().write([begin(f"match{number}", even(1000)) for number in range(6)])
    (out,) = race_at(opened.place, RACE, 1)
    assert out.startswith("0\n")
    assert len(out.split("\n")) == 6 * 30 + 2
