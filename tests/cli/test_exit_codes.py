"""Exit codes."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import zerosum
from tests import helpers
from tests.cli.support import first_id, run
from tests.helpers import Piped
from zerosum.cli.app import COMMANDS
from zerosum.match import Match
from zerosum.record import dumps, to_record


@pytest.mark.parametrize(
    ("args", "typed", "code"),
    [
        (["play", "even-steven", "--start", "1"], "1\n", 0),
        (["play", "even-steven"], "quit\n", 0),
        (["play", "even-steven"], "exit\n", 0),
        (["play", "even-steven"], "", 0),
        (["play", "even-steven"], "resign\n", 0),
        (["--version"], "", 0),
        (["--help"], "", 0),
        ([], "", 0),
        (["show", "nothing"], "", 1),
        (["resume"], "", 1),
        (["import", "nothing"], "", 1),
        (["rules", "nothing"], "", 2),
        (["play", "nothing"], "", 2),
        (["play"], "", 2),
        (["nothing"], "", 2),
        (["play", "even-steven", "--start", "x"], "", 2),
    ],
)
def test_exit_codes_are_as_documented(home: Path, args: list[str], typed: str, code: int) -> None:
    done = run(home, *args, typed=typed)
    assert done.returncode == code
    assert (done.stderr.count("Error: ") > 0) is (code > 0)


# One process for each command, besides `web`, which has tests of its own.
PROCESSES = {
    "play": ["even-steven"],
    "resume": [],
    "solve": ["even-steven"],
    "explain": ["even-steven"],
    "starts": ["even-steven"],
    "levels": ["even-steven"],
    "audit": ["even-steven"],
    "measure": ["medium", "even-steven"],
    "review": ["game.json"],
    "puzzle": ["--json"],
    "new": ["mine.py"],
    "check": ["mine.py"],
    "games": [],
    "rules": ["even-steven"],
    "history": [],
    "show": ["abcdefgh"],
    "stats": [],
    "export": ["abcdefgh"],
    "import": ["game.json"],
    "completion": ["bash"],
    "help": ["play", "even-steven"],
    "delete": ["abcdefgh", "--yes"],
}


# Each command loads its own part of Zerosum anew; only other libraries are loaded once for all.
FORK = """
import json, os, sys
import click, numpy, rich.console, sqlite3
for name, args in json.loads(sys.argv[1]).items():
    if not (child := os.fork()):
        os.dup2(os.open("typed", os.O_RDONLY), 0)
        os.dup2(os.open(f"{name}.out", os.O_CREAT | os.O_WRONLY), 1)
        sys.argv = ["zerosum", name, *args]
        from zerosum.__main__ import main
        main()
    assert os.waitpid(child, 0)[1] == 0, name
"""


def test_every_command_runs_as_a_process(home: Path) -> None:
    assert set(PROCESSES) == set(COMMANDS) - {"web"}
    match = Match.new(zerosum.game("even-steven", start=2)).play(1).play(1)
    (home / "game.json").write_text(dumps(to_record(match, id="abcdefgh")))
    (home / "typed").write_text("1\n")
    first = ("import", "new")
    ordered = {name: PROCESSES[name] for name in (*first, *PROCESSES)}
    done = subprocess.run(
        [sys.executable, "-c", FORK, json.dumps(ordered)],
        capture_output=True,
        text=True,
        env=helpers.clean_env(home),
        cwd=home,
    )
    assert done.returncode == 0, done.stderr
    assert not [name for name in ordered if not (home / f"{name}.out").stat().st_size]


def test_end_of_input_says_how_to_resume(home: Path) -> None:
    done = run(home, "play", "even-steven", typed="1\n")
    assert done.returncode == 0
    assert "resume" not in done.stdout
    assert done.stderr.endswith(f"zerosum resume {first_id(home)}\n")
    assert "Current Number: 14" in run(home, "resume", first_id(home)).stdout


def test_finished_game_prints_nothing_on_standard_error(home: Path) -> None:
    done = run(home, "play", "even-steven", "--start", "1", typed="1\n")
    assert (done.returncode, done.stderr) == (0, "")


def test_interrupt_in_a_pipe_exits_with_130(home: Path) -> None:
    with Piped(home, "play", "even-steven") as game:
        game.feed("1\n")
        game.until(text="Options: [1] Subtract 1, [2]")
        game.process.send_signal(signal.SIGINT)
        code, _, err = game.end()
    assert code == 130
    assert "Resume with: " in err
