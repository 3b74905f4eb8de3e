"""Colour and decoration, and output without them."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.support import GAMES, first_id, on_screen, run
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


def test_terminal_has_colour(home: Path) -> None:
    with Terminal(home, "play", "even-steven", columns=200) as screen:
        screen.expect("choice: ")
        screen.type("seven")
        screen.expect("is not a whole number")
        screen.expect("choice: ")
        screen.type("quit")
        assert screen.wait() == 0
    assert "'seven' is not a whole number." in asides(screen.seen)
    assert "Player 1's Turn" not in asides(screen.seen)
    assert f"{ESC}[" not in screen.seen.partition("choice: ")[0]


PLAY = ("play", "even-steven")
COLOUR: list[tuple[list[str], dict[str, str]]] = [
    ([*PLAY], {}),
    ([*PLAY], {"NO_COLOR": ""}),
    ([*PLAY], {"FORCE_COLOR": "1"}),
    ([*PLAY], {"FORCE_COLOR": "1", "TERM": "dumb"}),
]
NO_COLOUR: list[tuple[list[str], dict[str, str]]] = [
    ([*PLAY], {"NO_COLOR": "1"}),
    ([*PLAY], {"NO_COLOR": "0"}),
    ([*PLAY], {"TERM": "dumb"}),
    (["--no-color", *PLAY], {}),
    ([*PLAY, "--no-color"], {}),
    (["--plain", *PLAY], {}),
    ([*PLAY], {"ZEROSUM_PLAIN": "1"}),
    (["--no-color", *PLAY], {"FORCE_COLOR": "1"}),
    ([*PLAY], {"FORCE_COLOR": "1", "NO_COLOR": "1"}),
    ([*PLAY], {"FORCE_COLOR": "", "TERM": "dumb"}),
]


def test_colour_is_chosen_by_flags_and_environment(home: Path) -> None:
    for args, env in COLOUR:
        done = on_screen(home, *args, typed="seven\n1\n", **env)
        assert "'seven' is not a whole number." in asides(done.stdout), env
    for args, env in NO_COLOUR:
        done = on_screen(home, *args, typed="seven\n1\n", **env)
        assert "'seven' is not a whole number." in done.stdout
        assert ESC not in done.stdout + done.stderr, (args, env)


@pytest.mark.parametrize("args", [["games"], ["rules", "even-steven"], ["history"], ["stats"]])
def test_tables_and_pages_without_colour_or_decoration(home: Path, args: list[str]) -> None:
    run(home, "play", "even-steven", "--start", "1", typed="1\n")
    for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"ZEROSUM_PLAIN": "1"}):
        seen = on_screen(home, "--no-pager", *args, COLUMNS="100", **env).stdout
        assert "even-steven" in seen.casefold()
        assert ESC not in seen
        if "ZEROSUM_PLAIN" in env:
            assert not re.search("[│─╭┃━•#`]", seen)


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
