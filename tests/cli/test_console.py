"""Colour and decoration, and output without them."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.support import GAMES, first_id, run
from tests.helpers import PATIENCE, ZEROSUM, Terminal, clean_env

ESC = "\x1b"


SAID = "seven\n0\nhelp\nundo\nsave\n1\nhint\nquit\n"


EVERY = [
    ["games"],
    ["rules", "digit-battle"],
    ["history"],
    ["stats"],
    ["show", "{id}"],
    ["export", "{id}"],
    ["resume", "{id}"],
    ["--help"],
    ["play", "--help"],
    ["play", "dual-digits", "--help"],
    ["completion", "bash"],
    ["nonsense"],
    ["play", "evensteven"],
]


@pytest.mark.parametrize("name", GAMES)
def test_game_in_a_pipe_has_no_escape_codes(home: Path, name: str) -> None:
    done = run(home, "play", name, "--games", "2", "--first", "random", typed=SAID)
    assert "is not a whole number" in done.stdout
    assert ESC not in done.stdout + done.stderr
    assert "\r" not in done.stdout


@pytest.mark.parametrize("args", EVERY, ids=" ".join)
def test_command_in_a_pipe_has_no_escape_codes(home: Path, args: list[str]) -> None:
    run(home, "play", "even-steven", "--start", "1", typed="resign\n")
    run(home, "play", "even-steven", typed="1\n")
    id_ = first_id(home)
    done = run(home, *(arg.format(id=id_) for arg in args))
    assert ESC not in done.stdout + done.stderr
    assert not re.search("[╭│╰┃━┏]", done.stdout)


def asides(text: str) -> str:
    """Return what is printed in colour."""
    return "".join(re.findall(r"\x1b\[[1-9]\d*m(.*?)\x1b\[0m", text, re.DOTALL))


def test_force_color_colours_remarks_but_never_rule_book_lines(home: Path) -> None:
    (home / "a").mkdir()
    (home / "b").mkdir()
    for name in GAMES:
        plain = run(home / "a", "play", name, typed=SAID)
        coloured = run(home / "b", "play", name, typed=SAID, FORCE_COLOR="1")
        # Each of the two has an id of its own.
        assert (
            re.sub(r"\x1b\[\d+m", "", coloured.stdout).splitlines()[:6]
            == (plain.stdout.splitlines()[:6])
        )
        said = asides(coloured.stdout)
        assert "'seven' is not a whole number." in said
        assert "undo: take back the last move" in said
        book = re.sub(r"\x1b\[[1-9]\d*m.*?\x1b\[0m", "", coloured.stdout, flags=re.DOTALL)
        assert ESC not in book
        quiet = run(home / "a", "play", name, typed="1\n").stdout
        for line in filter(None, quiet.splitlines()):
            assert line in coloured.stdout
            assert line not in said


def on_a_terminal(home: Path, *flags: str, **env: str) -> str:
    with Terminal(home, *flags, "play", "even-steven", columns=200, **env) as screen:
        screen.expect("choice: ")
        screen.type("seven")
        screen.expect("is not a whole number")
        screen.expect("choice: ")
        screen.type("1")
        screen.expect("choice: ")
        screen.type("quit")
        assert screen.wait() == 0
        return screen.seen


@pytest.mark.parametrize(
    "env", [{}, {"NO_COLOR": ""}, {"FORCE_COLOR": "1"}, {"FORCE_COLOR": "1", "TERM": "xterm"}]
)
def test_terminal_has_colour(home: Path, env: dict[str, str]) -> None:
    seen = on_a_terminal(home, **env)
    assert "'seven' is not a whole number." in asides(seen)
    assert "Player 1's Turn" not in asides(seen)
    assert f"{ESC}[" not in seen.partition("choice: ")[0]


@pytest.mark.parametrize(
    ("flags", "env"),
    [
        ([], {"NO_COLOR": "1"}),
        ([], {"NO_COLOR": "0"}),
        ([], {"TERM": "dumb"}),
        (["--no-color"], {}),
        (["--plain"], {}),
        ([], {"ZEROSUM_PLAIN": "1"}),
        (["--no-color"], {"FORCE_COLOR": "1"}),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}),
        ([], {"FORCE_COLOR": "", "TERM": "dumb"}),
    ],
)
def test_no_colour_means_no_escape_codes(home: Path, flags: list[str], env: dict[str, str]) -> None:
    assert ESC not in on_a_terminal(home, *flags, **env)


def test_flag_works_after_the_command(home: Path) -> None:
    with Terminal(home, "play", "even-steven", "--no-color") as screen:
        screen.expect("choice: ")
        screen.type("x")
        screen.expect("Legal now")
        screen.expect("choice: ")
        assert ESC not in screen.seen


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
@pytest.mark.parametrize("args", [["games"], ["rules", "even-steven"], ["history"], ["stats"]])
def test_tables_and_pages_without_colour(home: Path, args: list[str], env: dict[str, str]) -> None:
    run(home, "play", "even-steven", "--start", "1", typed="1\n")
    with Terminal(home, "--no-pager", *args, columns=100, **env) as screen:
        assert screen.wait() == 0
        assert "even-steven" in screen.seen.casefold()
        assert ESC not in screen.seen


@pytest.mark.parametrize("args", [["games"], ["rules", "even-steven"], ["history"]])
def test_plain_page_has_no_decoration(home: Path, args: list[str]) -> None:
    run(home, "play", "even-steven", typed="1\n")
    with Terminal(home, "--plain", *args) as screen:
        assert screen.wait() == 0
        assert "even-steven" in screen.seen.casefold()
        assert not re.search("[\x1b│─╭┃━•#`]", screen.seen)


def test_redirected_output_has_no_colour(home: Path) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, b"seven\n1\nquit\n")
    done = subprocess.run(
        [*ZEROSUM, "play", "even-steven"],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=clean_env(home),
        cwd=home,
        timeout=PATIENCE,
    )
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 0
    assert b"'seven' is not a whole number." in done.stdout
    assert ESC.encode() not in done.stdout
