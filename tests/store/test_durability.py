"""Every announced move survives, whatever ends the command."""

import json
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.support import first_id
from tests.helpers import Piped, clean_env, database, run, stored
from tests.store.support import often
from zerosum.store import open_store


def test_every_announced_move_survives_kill_after_kill(home: Path) -> None:
    chance = random.Random(3)
    script = [chance.randint(1, 9) for _ in range(500)]
    command = ["play", "digit-battle", "--lives", "100000"]
    saved, kills, cut_short = 0, 0, 0
    while kills < often(3, 20) or cut_short < often(2, 10):
        kills += 1
        assert kills <= 200, "the kills come too late to mean anything"
        with Piped(home, *command) as game:
            game.until(text="(1-9): ")
            printed = re.findall(r"^Current Number: (-?\d+) \(", game.seen.decode(), re.MULTILINE)
            if saved:
                assert printed[-1] == str(stored(home).state.number)
            fed = chance.randint(1, 14)
            game.feed("".join(f"{move}\n" for move in script[saved : saved + fed]))
            game.until(len(game.seen) + chance.randint(1, 120 * fed))
            out = game.kill()
        announced = len(re.findall(r"^Updated Number: ", out, re.MULTILINE))
        if announced == 0 and not database(home).exists():
            continue
        matches = open_store(str(database(home)), write=False).matches()
        if announced == saved == 0 and not matches:
            continue
        match = stored(home)
        assert saved + announced <= match.ply <= saved + fed
        assert list(match.round.moves) == script[: match.ply]
        cut_short += announced < fed
        saved = match.ply
        command = ["resume"]
    assert saved
    more = run(home, "resume", typed=f"{script[saved]}\n")
    assert more.returncode == 0
    assert list(stored(home).round.moves) == script[: saved + 1]
    record = json.loads(run(home, "export", first_id(home)).stdout)
    assert record["rounds"][0]["moves"] == script[: saved + 1]


def test_a_full_disk_is_reported_once_and_saved_moves_can_be_resumed(home: Path) -> None:
    run(home, "play", "even-steven", "--start", "5000", typed="1\n")
    script = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (70_000, 70_000));"
        "from zerosum.__main__ import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "resume"],
        input="1\n" * 40,
        capture_output=True,
        text=True,
        env=clean_env(home),
    )
    assert done.returncode == 0
    assert done.stdout.count("New Number: ") == 40
    assert done.stderr.count("nothing more will be saved") == 1
    assert "rollback" not in done.stderr
    assert "Saved." not in done.stderr
    match = stored(home)
    assert 1 < match.ply < 41
    printed = run(home, "resume").stdout
    assert f"Current Number: {5000 - match.ply}\n" in printed


# Killed in the middle of a write, anywhere in the journal.

APPENDS = """
import resource, signal, sys
from zerosum.match import Event
from zerosum.store import open_store
store = open_store(sys.argv[1])
(line,) = store.matches()
saved = store.load(line.id)
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
while True:
    saved = store.append(saved, Event("move", 1))
    print(saved.events, flush=True)
"""


def test_an_append_that_is_cut_short_anywhere_loses_nothing_before_it(home: Path) -> None:
    db = str(database(home))
    run(home, "play", "even-steven", "--start", "100000", typed="1\n")
    chance, saved, torn = random.Random(11), 1, 0
    for _ in range(often(3, 40)):
        # The process is killed at the write that would make a file larger than this.
        limit = chance.randrange(40_000, 120_000)
        done = subprocess.run(
            [sys.executable, "-c", APPENDS, db, str(limit)],
            capture_output=True,
            text=True,
            env=clean_env(home),
        )
        assert done.returncode == -signal.SIGXFSZ, done.stderr
        said = int(done.stdout.split()[-1]) if done.stdout else saved
        torn += Path(f"{db}-wal").exists()
        match = stored(home)
        assert said <= match.ply <= said + 1
        assert match.state.number == 100000 - match.ply
        saved = match.ply
    assert torn == often(3, 40)
    printed = run(home, "resume").stdout
    assert f"Current Number: {100000 - saved}\n" in printed


# Two terminals with one file.


@pytest.mark.parametrize("word", ["2", "undo", "resign"])
def test_match_that_was_continued_elsewhere_is_resumed_there(home: Path, word: str) -> None:
    run(home, "play", "even-steven", typed="1\n")
    with Piped(home, "resume") as late:
        late.until(text="Enter your choice: ")
        assert run(home, "resume", typed="1\n").returncode == 0
        code, out, err = late.end(f"{word}\n")
    assert code == 1
    assert "Took back" not in out
    assert "wins" not in out
    assert "was continued elsewhere; nothing is lost. Every move announced so far is saved. " in err
    assert " Resume with: python -m zerosum resume " in err
    assert stored(home).round.moves == (1, 1)
