"""Colour and decoration, and output without them."""

import os
import pty
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.support import on_screen, run
from tests.helpers import PATIENCE, ZEROSUM, clean_env

ESC = "\x1b"


SAID = "seven\n0\nhelp\nundo\nsave\n1\nhint\nquit\n"


EVERY = [
    *(["games"], ["rules", "digit-battle"], ["history"], ["stats"], ["show"], ["export"]),
    *(["resume"], ["--help"], ["play", "dual-digits", "--help"], ["completion", "bash"]),
    *(["nonsense"], ["play", "evensteven"], ["solve", "even-steven"]),
]


def test_pipe_has_no_escape_codes(home: Path) -> None:
    game = run(home, "play", "even-steven", "--games", "2", "--first", "random", typed=SAID)
    assert "is not a whole number" in game.stdout
    assert "\r" not in game.stdout
    for done in (game, *(run(home, *args) for args in EVERY)):
        assert ESC not in done.stdout + done.stderr
        assert not re.search("[╭│╰┃━┏]", done.stdout)


def asides(text: str) -> str:
    """Return what is printed in colour."""
    return "".join(re.findall(r"\x1b\[[1-9]\d*m(.*?)\x1b\[0m", text, re.DOTALL))


def test_force_color_colours_remarks_but_never_rule_book_lines(home: Path) -> None:
    (home / "a").mkdir()
    plain = run(home / "a", "play", "dual-digits", typed="seven\n1\n").stdout
    coloured = run(home, "play", "dual-digits", typed="seven\n1\n", FORCE_COLOR="1").stdout
    assert re.sub(r"\x1b\[\d+m", "", coloured) == plain
    assert asides(coloured).startswith("'seven' is not a whole number.")
    assert ESC not in re.sub(r"\x1b\[[1-9]\d*m'seven' .*?\x1b\[0m", "", coloured)


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


@pytest.mark.parametrize("args", [["games"], ["rules", "even-steven"], ["stats"]])
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
