"""Exit codes."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.support import database, first_id, stored
from tests.helpers import PATIENCE, ZEROSUM, Terminal, clean_env, run


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
def test_exit_codes_are_the_documented_ones(
    home: Path, args: list[str], typed: str, code: int
) -> None:
    done = run(home, *args, typed=typed)
    assert done.returncode == code
    assert (done.stderr.count("Error: ") > 0) is (code > 0)


def test_the_end_of_the_input_says_how_to_go_on(home: Path) -> None:
    done = run(home, "play", "even-steven", typed="1\n")
    assert done.returncode == 0
    assert "resume" not in done.stdout
    assert done.stderr.endswith(f"zerosum resume {first_id(home)}\n")
    assert "Current Number: 14" in run(home, "resume", first_id(home)).stdout


def test_a_game_that_is_played_out_says_nothing_on_standard_error(home: Path) -> None:
    done = run(home, "play", "even-steven", "--start", "1", typed="1\n")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("moves", [0, 2])
def test_ctrl_c_says_how_to_go_on_and_ends_with_130(home: Path, moves: int) -> None:
    with Terminal(home, "play", "even-steven") as screen:
        for _ in range(moves):
            screen.expect("choice: ")
            screen.type("1")
        screen.expect(f"Current Number: {15 - moves}\r\n")
        screen.expect("choice: ")
        screen.press("\x03")
        screen.expect("Resume with: ")
        assert screen.wait() == 130
    assert stored(database(home)).ply == moves


def test_an_interrupt_of_a_pipe_ends_with_130_too(home: Path) -> None:
    with subprocess.Popen(
        [*ZEROSUM, "play", "even-steven"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_env(home),
        cwd=home,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(b"1\n")
        process.stdin.flush()
        while b"Options: [1] Subtract 1, [2]" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert b"Resume with: " in process.stderr.read()


@pytest.mark.parametrize("typed", ["\x04", "quit\n"])
def test_ctrl_d_means_quit_and_keep(home: Path, typed: str) -> None:
    with Terminal(home, "play", "even-steven") as screen:
        screen.expect("choice: ")
        screen.type("1")
        screen.expect("choice: ")
        screen.press(typed)
        screen.expect("Resume with: ")
        assert screen.wait() == 0
    assert stored(database(home)).ply == 1
