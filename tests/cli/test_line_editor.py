"""Line editing at a prompt, on a real terminal."""

from __future__ import annotations

import shlex
from pathlib import Path
from unittest.mock import patch

import pytest

from tests import helpers
from tests.helpers import Terminal

pytest.importorskip("readline")
PROMPT = "Enter your choice: "
UP, LEFT, BACKSPACE = "\x1b[A", "\x1b[D", "\x7f"


def test_lines_are_edited_recalled_and_completed(home: Path) -> None:
    with Terminal(home, "play", "even-steven", "--start", "14") as terminal:
        for keys, said in (
            ("hlp" + LEFT * 2 + "e\n", "help: this list"),
            ("sevenn" + BACKSPACE + "\n", "'seven' is not a whole number."),
            (UP * 2 + "\n", "help: this list"),
            ("un\t\n", "There is nothing to undo"),
        ):
            terminal.expect(PROMPT)
            terminal.press(keys)
            terminal.expect(said)
        terminal.expect(PROMPT)
        terminal.press("\t")
        assert {"1", "2", "help", "resign"} <= set(terminal.expect(PROMPT).split())
        terminal.press("1\n")
        terminal.expect("New Number: 13")
        terminal.expect(PROMPT)
        terminal.type("draw")
        terminal.expect("(yes or no): ")
        terminal.press("n\t\n")
        terminal.expect("declined the draw")
        assert "\x1b[?2004" not in terminal.seen  # bracketed paste would spoil a transcript


def test_prompt_is_drawn_again_after_ctrl_z(home: Path) -> None:
    shell = ["bash", "--norc", "-i"]
    play = shlex.join([*helpers.ZEROSUM, "play", "even-steven"])
    with patch.object(helpers, "ZEROSUM", shell), Terminal(home, PS1="$ ") as terminal:
        terminal.expect("$ ")
        terminal.type(play)
        terminal.expect(PROMPT)
        terminal.press("help")
        terminal.expect("help")
        terminal.press("\x1a")
        terminal.expect("Stopped")
        terminal.expect("$ ")
        terminal.type("stty -a | grep -o '.icanon'")
        terminal.expect("\r icanon")  # the shell has its terminal back
        terminal.expect("$ ")
        terminal.type("fg")
        terminal.expect(f"{PROMPT}help")
        terminal.type("")
        terminal.expect("help: this list")
        terminal.expect(PROMPT)
        terminal.press("\x03")
        terminal.expect("$ ")
        terminal.type("echo code $?")
        terminal.expect("code 130")


def test_play_goes_on_without_readline(home: Path) -> None:
    (home / "readline.py").write_text("raise ImportError")
    with Terminal(home, "play", "even-steven", "--start", "1", PYTHONPATH=str(home)) as terminal:
        terminal.expect(PROMPT)
        terminal.type("help")
        terminal.expect("help: this list")
        terminal.expect(PROMPT)
        terminal.type("1")
        terminal.expect("Player 1 wins the game!")
        terminal.expect("[quit]: ")
        terminal.type("")
        assert terminal.wait() == 0


def test_codes_in_a_coloured_prompt_take_no_columns(home: Path) -> None:
    game = Path(helpers.__file__).parent.parent / "docs" / "examples" / "last_stick.py"
    words = (
        "\n\nfrom zerosum import Words\n\n\nclass LastStickWords(Words[State]):\n"
        "    def prompt(self, state: State, names: tuple[str, str]) -> str:\n"
        "        return '\\x1b[1mSticks?\\x1b[0m '\n"
    )
    (home / "own.py").write_text(game.read_text() + words)
    with Terminal(home, "play", "./own.py", columns=30) as terminal:
        terminal.expect("\x1b[1mSticks?\x1b[0m ")
        terminal.press("x" * 18)  # would reach the edge if the codes counted as columns
        terminal.expect("x" * 18)
        assert "\x01" not in terminal.seen
