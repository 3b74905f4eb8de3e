"""Numbers of a thousand digits and more."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.support import first_id, helpful, run
from tests.helpers import stored

THOUSAND = "1" + "0" * 998 + "4"


@pytest.mark.parametrize(
    ("name", "options", "moves", "says"),
    [
        ("even-steven", ["--start", THOUSAND], [1, 1], "New Number: 1" + "0" * 998 + "2\n"),
        ("divisor-duel", ["--start", THOUSAND], [2, 1], "New N is 1" + "0" * 998 + "1.\n"),
        (
            "digit-battle",
            ["--lives", THOUSAND, "--limit", THOUSAND, "--target", THOUSAND, "--start", THOUSAND],
            [1, 9],
            "Player 1 Life Points: 1" + "0" * 998 + "2\n",
        ),
    ],
)
def test_thousand_digits_play_like_few(
    home: Path, name: str, options: list[str], moves: list[int], says: str
) -> None:
    typed = "".join(f"{move}\n" for move in (0, *moves))
    done = run(home, "play", name, *options, typed=typed)
    assert done.returncode == 0
    assert says in done.stdout
    assert list(stored(home).round.moves) == moves
    id_ = first_id(home)
    exported = run(home, "export", id_)
    assert json.loads(exported.stdout)["rounds"][0]["moves"] == moves
    for command in (["show", id_], ["resume"], ["history"], ["import", "-"]):
        assert run(home, *command, typed=exported.stdout).returncode == 0
    assert says.strip("\n.") in run(home, "show", id_).stdout


def test_more_digits_than_python_prints_by_default(home: Path) -> None:
    start = "1" + "0" * 4998 + "4"
    done = run(home, "play", "even-steven", "--start", start, typed="1\n7\nmoves\n")
    assert f"New Number: {start[:-1]}3\n" in done.stdout
    exported = run(home, "export").stdout
    assert f'"start": {start}' in exported
    assert "is already here" in run(home, "import", "-", typed=exported).stdout


@pytest.mark.parametrize("start", ["-" + "9" * 1000, "0" * 1000, "9" * 300_000 + "x"])
def test_long_wrong_start_is_refused_briefly(home: Path, start: str) -> None:
    if len(start) > 100_000:  # longer than one argument may be
        done = run(home, "play", "even-steven", ZEROSUM_EVEN_STEVEN_START=start[-100_000:])
    else:
        done = run(home, "play", "even-steven", "--start", start)
    helpful(done, 2, "start")


def test_unlisted_large_divisor_is_accepted(home: Path) -> None:
    divisor, other = 10**499 + 153, 10**500 + 961
    number = divisor * other
    typed = f"moves\n{divisor + 1}\n{divisor}\n"
    done = run(home, "play", "divisor-duel", "--start", str(number), typed=typed)
    assert done.returncode == 0
    turn, _, rest = done.stdout.partition("to subtract: ")
    assert "There may be more" in turn
    assert "Not every legal move can be listed" in rest
    assert "digits does not divide a number of about 1000 digits." in rest
    assert "and more." in rest
    assert f"New N is {number - divisor}.\n" in rest
    assert stored(home).round.moves == (divisor,)
    assert f"Current N: {number - divisor}\n" in run(home, "resume").stdout
