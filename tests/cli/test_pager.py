"""Long pages on a terminal, and `zerosum help`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.support import helpful, run
from tests.helpers import Terminal
from zerosum.cli.app import COMMANDS

LONG = ("rules", "digit-battle")
PAGER = "sed s/^/PAGED:/"


@pytest.mark.parametrize("args", [LONG, ["games"], ["play", "digit-battle", "--help"]])
def test_long_page_goes_through_the_pager(home: Path, args: list[str]) -> None:
    with Terminal(home, *args, columns=50, PAGER=PAGER) as terminal:
        assert terminal.wait() == 0
        assert "PAGED:" in terminal.seen
        assert "digit" in terminal.seen.casefold()


@pytest.mark.parametrize(
    ("args", "env"),
    [
        (["help", "completion"], {}),  # fits on the screen
        (["--no-pager", *LONG], {}),
        (["play", "--help", "--no-pager"], {}),
        ([*LONG, "--plain"], {}),
        (LONG, {"ZEROSUM_PAGER": "0"}),
        (LONG, {"PAGER": "./no-such-pager"}),
    ],
)
def test_page_is_printed_as_it_is(home: Path, args: list[str], env: dict[str, str]) -> None:
    with Terminal(home, *args, columns=100, **{"PAGER": PAGER, **env}) as terminal:
        assert terminal.wait() == 0
        assert "PAGED:" not in terminal.seen
        assert "turn" in terminal.seen or "shell" in terminal.seen.casefold()


def test_pipe_is_never_paged(home: Path) -> None:
    out = run(home, *LONG, PAGER=PAGER).stdout
    assert "Digit Battle" in out
    assert "PAGED:" not in out


def test_pager_has_ctrl_c_to_itself_and_can_be_left_early(home: Path) -> None:
    waiting = "until read answer </dev/tty; do :; done"
    pager = f"""sh -c "trap 'echo interrupted' INT; head -n 1; echo ready; {waiting}" """
    with Terminal(home, *LONG, PAGER=pager) as terminal:
        terminal.expect("ready")
        terminal.press("\x03")
        terminal.expect("interrupted")
        terminal.press("\r")
        assert terminal.wait() == 0


def test_help_of_a_command(home: Path) -> None:
    for name in COMMANDS:
        assert run(home, "help", name).stdout == run(home, name, "--help").stdout
    assert run(home, "help").stdout == run(home, "--help").stdout
    of_game = run(home, "help", "play", "even-steven").stdout
    assert "Options of even-steven:" in of_game
    helpful(run(home, "help", "plya"), 2, "did you mean play?")
    helpful(run(home, "help", "even-steven"), 2, "is a game, not a command")
