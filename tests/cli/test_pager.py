"""Long pages on a terminal, and `zerosum help`."""

import shlex
import sys
from pathlib import Path

import pytest

from tests.cli.support import helpful, on_screen, run
from tests.helpers import Terminal
from zerosum.cli.commands import COMMANDS

LONG = ("rules", "digit-battle")
PAGER = "sed s/^/PAGED:/"
# Ctrl-C is waited for, so that it cannot come too early; then Enter.
WAITING = """
import signal
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
print("ready", flush=True)
signal.sigwait({signal.SIGINT})
print("interrupted", flush=True)
open("/dev/tty").readline()
"""


def test_long_page_goes_through_the_pager(home: Path) -> None:
    with Terminal(home, *LONG, columns=50, PAGER=PAGER) as terminal:
        assert terminal.wait() == 0
        assert "PAGED:" in terminal.seen


@pytest.mark.parametrize(
    ("args", "env"),
    [
        (["help", "completion"], {}),  # fits on the screen
        (["--no-pager", *LONG], {}),
        ([*LONG, "--plain"], {}),
        (LONG, {"ZEROSUM_PAGER": "0"}),
        (LONG, {"PAGER": "./no-such-pager"}),
        (LONG, {"PAGER": ""}),
    ],
)
def test_page_is_printed_as_it_is(home: Path, args: list[str], env: dict[str, str]) -> None:
    size = {"COLUMNS": "100", "LINES": "40"}
    done = on_screen(home, *args, **{"PAGER": PAGER, **size, **env})
    # What goes through a pager is not seen here.
    assert "turn" in done.stdout or "shell" in done.stdout.casefold()


def test_pager_has_ctrl_c_to_itself_and_can_be_left_early(home: Path) -> None:
    pager = shlex.join([sys.executable, "-c", WAITING])
    with Terminal(home, *LONG, PAGER=pager) as terminal:
        terminal.expect("ready")
        terminal.press("\x03")
        terminal.expect("interrupted")
        terminal.press("\r")
        assert terminal.wait() == 0


def test_help_of_a_command(home: Path) -> None:
    for name in COMMANDS:
        assert run(home, "help", name).stdout == run(home, name, "--help").stdout
    whole = run(home, "--help").stdout
    assert "zerosum play even-steven" in whole
    assert whole == run(home, "help").stdout == run(home).stdout  # there is no terminal for a menu
    of_game = run(home, "help", "play", "even-steven").stdout
    assert "--subtract-two" in of_game
    helpful(run(home, "help", "plya"), 2, "did you mean play?")
    helpful(run(home, "help", "even-steven"), 2, "is a game, not a command")
