"""Every move that was announced survives whatever ends the command."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.helpers import PATIENCE, Terminal, clean_env, run
from tests.store.support import Piped, id_of, stored
from zerosum.match import Match
from zerosum.store import SqliteStore
from zerosum.text import brief


class Plan(NamedTuple):
    """A game that is long enough, how to play it, and what it prints."""

    args: tuple[str, ...]
    announced: str
    position: str
    prompt: str


PLANS = {
    "even-steven": Plan(
        ("--start", "1" + "0" * 60 + "1"),
        r"^New Number: (\d+)$",
        r"^Current Number: (\d+)$",
        "Enter your choice: ",
    ),
    "number-navigator": Plan(
        ("--start", "3" + "0" * 40),
        r"^Your new number is: (\d+)$",
        r"^Your current number is: (\d+)$",
        "(enter the number): ",
    ),
    "digit-battle": Plan(
        ("--lives", "100000"),
        r"^Updated Number: (-?\d+)$",
        r"^Current Number: (-?\d+) \(",
        "(1-9): ",
    ),
}


def moves_of(name: str, count: int) -> list[int]:
    """Give moves that are legal one after another, and never all the same."""
    chance = random.Random(name)
    if name == "digit-battle":
        return [chance.randint(1, 9) for _ in range(count)]
    return [1 if name == "even-steven" else chance.choice([1, 2]) for _ in range(count)]


@pytest.mark.parametrize("name", list(PLANS))
def test_every_announced_move_survives_kill_after_kill(home: Path, name: str) -> None:
    plan, chance = PLANS[name], random.Random(name)
    script = moves_of(name, 500)
    command = ["play", name, *plan.args]
    kept, kills, cut_short = 0, 15, 0
    for _ in range(kills):
        with Piped(home, *command) as game:
            game.until(text=plan.prompt)
            shown = re.findall(plan.position, game.seen.decode(), re.MULTILINE)[-1]
            if kept:
                assert shown == position(stored(home), name)
            fed = chance.randint(1, 14)
            game.feed("".join(f"{move}\n" for move in script[kept : kept + fed]))
            game.until(len(game.seen) + chance.randint(1, 120 * fed))
            out = game.kill()
        announced = len(re.findall(plan.announced, out, re.MULTILINE))
        if announced == 0 and not (home / "a.db").exists():
            continue
        matches = SqliteStore(str(home / "a.db"), write=False).matches()
        if announced == kept == 0 and not matches:
            continue
        match = stored(home)
        assert kept + announced <= match.ply <= kept + fed
        assert list(match.round.moves) == script[: match.ply]
        cut_short += announced < fed
        kept = match.ply
        command = ["resume"]
    assert kept > kills
    assert cut_short > kills // 3, "the kills came too late to mean anything"
    more = run(home, "resume", typed=f"{script[kept]}\n", ZEROSUM_DB=str(home / "a.db"))
    assert more.returncode == 0
    assert list(stored(home).round.moves) == script[: kept + 1]
    record = json.loads(run(home, "export", id_of(home), ZEROSUM_DB=str(home / "a.db")).stdout)
    assert record["rounds"][0]["moves"] == script[: kept + 1]


def position(match: Match[Any], name: str) -> str:
    state = match.state
    return str(state.own if name == "number-navigator" else state.number)


def test_every_move_seen_on_a_terminal_survives_its_end(home: Path) -> None:
    chance, db = random.Random(5), str(home / "a.db")
    args = ["play", "number-navigator", "--start", "99999"]
    total = 0
    for _ in range(8):
        with Terminal(home, *args, ZEROSUM_DB=db) as screen:
            screen.expect(f"Your current number is: {99999 - total // 2}\r\n")
            screen.expect("number): ")
            moves = chance.randint(1, 4)
            for number in range(moves):
                screen.type("1")
                screen.expect("Your new number is: ")
                if number < moves - 1:
                    screen.expect("number): ")
            total += moves
            screen.kill()
        assert stored(home).round.moves == (1,) * total
        args = ["resume"]


def test_a_terminal_that_is_closed_keeps_every_move(home: Path) -> None:
    db = str(home / "a.db")
    with Terminal(home, "play", "even-steven", ZEROSUM_DB=db) as screen:
        screen.expect("choice: ")
        screen.type("1")
        screen.expect("New Number: 14")
        screen.expect("choice: ")
        os.close(screen.fd)
        screen.fd = -1
        screen.process.wait(PATIENCE)
    assert stored(home).round.moves == (1,)
    assert "Current Number: 14" in run(home, "resume", ZEROSUM_DB=db).stdout


def test_a_terminated_process_keeps_every_move(home: Path) -> None:
    with Piped(home, "play", "even-steven") as game:
        game.feed("1\n1\n")
        game.until(text="New Number: 13")
        game.process.send_signal(signal.SIGTERM)
        game.process.wait(PATIENCE)
    assert stored(home).round.moves == (1, 1)


@pytest.mark.parametrize("word", ["undo", "resign"])
def test_an_undo_and_a_resignation_survive_too(home: Path, word: str) -> None:
    with Piped(home, "play", "even-steven", "--games", "2") as game:
        game.feed(f"1\n2\n{word}\n")
        game.until(text="Took back " if word == "undo" else "Game 2 of 2")
        game.kill()
    match = stored(home)
    assert match.rounds[0].moves == ((1,) if word == "undo" else (1, 2))
    assert match.score == ((0, 0) if word == "undo" else (0, 1))
    shown = run(home, "resume", ZEROSUM_DB=str(home / "a.db")).stdout
    assert f"Current Number: {14 if word == 'undo' else 15}\n" in shown


def test_a_full_disk_is_told_at_once_and_what_was_kept_can_be_resumed(home: Path) -> None:
    db = str(home / "a.db")
    run(home, "play", "even-steven", "--start", "5000", typed="1\n", ZEROSUM_DB=db)
    script = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (70_000, 70_000));"
        "from zerosum.__main__ import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "resume"],
        input="1\n" * 40,
        capture_output=True,
        text=True,
        env=clean_env(home, ZEROSUM_DB=db),
    )
    assert done.returncode == 0
    assert done.stdout.count("New Number: ") == 40
    assert done.stderr.count("nothing more will be saved") == 1
    assert "rollback" not in done.stderr
    assert "Saved." not in done.stderr
    match = stored(home)
    assert 1 < match.ply < 41
    shown = run(home, "resume", ZEROSUM_DB=db).stdout
    assert f"Current Number: {5000 - match.ply}\n" in shown


def test_a_move_of_ten_thousand_digits_survives(home: Path) -> None:
    half = "7" * 10_000
    start = str_product(half, 3)
    with Piped(home, "play", "divisor-duel", "--start", start) as game:
        game.feed(half + "\n")
        game.until(text="subtracts 7")
        game.until(text="New N is ")
        game.kill()
    done = run(home, "export", id_of(home), ZEROSUM_DB=str(home / "a.db"))
    assert f'"start": {start}' in done.stdout
    assert f"        {half}\n" in done.stdout
    undone = run(home, "resume", typed="undo\n", ZEROSUM_DB=str(home / "a.db")).stdout
    assert f"Took back Player 1's {brief(10**9_999)}." in undone
    assert f"Current N: {start}\n" in undone


def str_product(digits: str, factor: int) -> str:
    """Multiply without turning long numbers into text, which Python limits."""
    carry, out = 0, []
    for digit in reversed(digits):
        carry, low = divmod(int(digit) * factor + carry, 10)
        out.append(str(low))
    return (str(carry) if carry else "") + "".join(reversed(out))


# Killed in the middle of a write, at every place of the journal.

APPENDS = """
import resource, signal, sys
from zerosum.match import Event
from zerosum.store import SqliteStore
store = SqliteStore(sys.argv[1])
(line,) = store.matches()
saved = store.load(line.id)
match, seq = saved.match, saved.events
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
while True:
    match = match.play(1)
    store.append(saved.id, seq, Event("move", 1), match)
    seq += 1
    print(seq, flush=True)
"""


def test_an_append_that_is_cut_off_anywhere_loses_nothing_before_it(home: Path) -> None:
    db = str(home / "a.db")
    run(home, "play", "even-steven", "--start", "100000", typed="1\n", ZEROSUM_DB=db)
    chance, kept, torn = random.Random(11), 1, 0
    for _ in range(12):
        # The process dies at the write that would make a file larger than this.
        limit = chance.randrange(40_000, 120_000)
        done = subprocess.run(
            [sys.executable, "-c", APPENDS, db, str(limit)],
            capture_output=True,
            text=True,
            env=clean_env(home),
        )
        assert done.returncode == -signal.SIGXFSZ, done.stderr
        said = int(done.stdout.split()[-1]) if done.stdout else kept
        torn += Path(f"{db}-wal").exists()
        match = stored(home)
        assert said <= match.ply <= said + 1
        assert match.state.number == 100000 - match.ply
        kept = match.ply
    assert torn == 12
    shown = run(home, "resume", ZEROSUM_DB=db).stdout
    assert f"Current Number: {100000 - kept}\n" in shown
