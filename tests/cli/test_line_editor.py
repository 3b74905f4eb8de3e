"""Line editing at a prompt, on a real terminal."""

import json
import shlex
from pathlib import Path
from unittest.mock import patch

import pytest

from tests import helpers
from tests.cli.support import run
from tests.game_files import STICK
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
        terminal.answer((PROMPT, "draw"))
        terminal.expect("(yes or no): ")
        terminal.press("n\t\n")
        terminal.expect("declined the draw")
        assert "\x1b[?2004" not in terminal.seen  # bracketed paste would spoil a transcript


@pytest.mark.parametrize(  # in one process, and in two
    ("game", "prompt"), [("even-steven", PROMPT), (STICK, "Your move: ")]
)
def test_prompt_is_drawn_again_after_ctrl_z(home: Path, game: str, prompt: str) -> None:
    shell = ["bash", "--norc", "-i"]
    play = shlex.join([*helpers.ZEROSUM, "play", game])
    with patch.object(helpers, "ZEROSUM", shell), Terminal(home, PS1="$ ") as terminal:
        terminal.answer(("$ ", play))
        terminal.expect(prompt)
        terminal.press("help")
        terminal.expect("help")
        terminal.press("\x1a")
        terminal.expect("Stopped")
        terminal.answer(("$ ", "stty -a | grep -o '.icanon'"))
        terminal.expect("\r icanon")  # the shell has its terminal back
        terminal.answer(("$ ", "fg"), (f"{prompt}help", ""))
        terminal.expect("help: this list", prompt)
        terminal.press("\x03")
        terminal.answer(("$ ", "echo code $?"))
        terminal.expect("code 130")


# Python calls this hook after it has seen that a key was pressed, and before readline reads it.
WAIT_FOR_CTRL_C = """
import ctypes, select, time

def wait():
    if select.select([0], [], [], 0)[0]:
        hook.value = None
        print("Press Ctrl-C.", flush=True)
        try:
            time.sleep(60)
        except KeyboardInterrupt:
            pass
    return 0

wait = ctypes.CFUNCTYPE(ctypes.c_int)(wait)
hook = ctypes.c_void_p.in_dll(ctypes.pythonapi, "PyOS_InputHook")
hook.value = ctypes.cast(wait, ctypes.c_void_p).value
"""


def test_ctrl_c_just_before_a_key_is_read_is_not_lost(home: Path) -> None:
    (home / "sitecustomize.py").write_text(WAIT_FOR_CTRL_C)
    with Terminal(home, "play", "even-steven", PYTHONPATH=str(home)) as terminal:
        terminal.expect(PROMPT)
        terminal.press("2")
        terminal.expect("Press Ctrl-C.")
        terminal.press("\x03")
        assert terminal.wait() == 130
    assert "There is nothing to save: this match has no move yet." in terminal.seen
    assert json.loads(run(home, "history", "--json").stdout)["matches"] == []


def test_play_goes_on_without_readline(home: Path) -> None:
    (home / "readline.py").write_text("raise ImportError")
    with Terminal(home, "play", "even-steven", "--start", "1", PYTHONPATH=str(home)) as terminal:
        terminal.answer((PROMPT, "help"))
        terminal.expect("help: this list")
        terminal.answer((PROMPT, "1"))
        terminal.expect("Player 1 wins the game!")
        terminal.answer(("[quit]: ", ""))
        assert terminal.wait() == 0
