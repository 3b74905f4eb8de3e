"""Numbers of a thousand digits and more."""

from pathlib import Path

import pytest

from tests.cli.support import helpful, run
from tests.helpers import stored


def test_more_digits_than_python_prints_by_default(home: Path) -> None:
    start = "1" + "0" * 4998 + "4"
    done = run(home, "play", "even-steven", "--start", start, typed="1\n7\nmoves\n")
    assert f"New Number: {start[:-1]}3\n" in done.stdout
    exported = run(home, "export").stdout
    assert f'"start": {start}' in exported
    assert "is already here" in run(home, "import", "-", typed=exported).stdout
    assert f"New Number: {start[:-1]}3\n" in run(home, "show").stdout
    for command in ("history", "resume"):
        assert run(home, command).returncode == 0


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
