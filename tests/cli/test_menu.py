"""The menu that opens without a command."""

from __future__ import annotations

from pathlib import Path

from tests.cli.support import run
from tests.helpers import Terminal

GAME, WHO, OPTION = "Which game?", "Who plays?", "Enter to play"


def test_three_times_enter_starts_a_game(home: Path) -> None:
    with Terminal(home) as terminal:
        for question in (GAME, WHO, OPTION):
            terminal.expect(question)
            terminal.expect(": ")
            terminal.type("")
        terminal.expect("=== Even-Steven Game Start ===")
        terminal.expect("Enter your choice: ")
        terminal.type("resign")
        terminal.expect("Player 2 wins the game!")
        for answer in ("maybe", "no"):
            terminal.expect("Another game? (yes or no) [yes]: ")
            terminal.type(answer)
        assert terminal.wait() == 0


def test_wrong_answers_are_asked_again(home: Path) -> None:
    with Terminal(home) as terminal:
        for wrong, answer in (
            ("9", "Choose a number from 1 to 5."),
            ("help", "Enter for the default in brackets"),
            ("dul-digits", "did you mean dual-digits?"),
            ("./nothing.py", "There is no file"),
        ):
            terminal.expect("[1]: ")
            terminal.type(wrong)
            terminal.expect(answer)
        terminal.expect("[1]: ")
        terminal.type("Dual Digits")
        terminal.expect("[Player 1, Player 2]: ")
        terminal.type("Ada")
        terminal.expect("or a level: random, easy, medium, hard or perfect.")
        terminal.expect("[Player 1, Player 2]: ")
        terminal.type("Ada, ada")
        terminal.expect("different names")
        terminal.expect("[Player 1, Player 2]: ")
        terminal.type("Ada, Bob")
        for typed, answer in (
            ("colour red", "dual-digits has no such option; its options are start, numbers"),
            ("start zero", "'zero' is not a whole number. Nothing was changed."),
            ("start 0", "must be a whole number of at least 1"),
            ("numbers 1 3", "numbers 1,3"),
            ("--start=9", "start 9"),
        ):
            terminal.expect("'): ")
            terminal.type(typed)
            terminal.expect(answer)
        terminal.expect("'): ")
        terminal.type("")
        terminal.expect("Starting Shared Number: 9")
        terminal.expect("Ada's Turn:")
        terminal.expect("Allowed Numbers to Subtract: 1, 3")


def test_quit_end_of_input_and_ctrl_c_leave_the_menu(home: Path) -> None:
    for keys, code in (("quit\n", 0), ("\x04", 0), ("\x03", 130)):
        with Terminal(home) as terminal:
            terminal.expect("[1]: ")
            terminal.press(keys)
            assert terminal.wait() == code


def test_unfinished_match_is_offered(home: Path) -> None:
    with Terminal(home) as terminal:
        for answer in ("3", "Ada Bob", "", "4", "quit"):
            terminal.expect(": ")
            terminal.type(answer)
            terminal.expect("\r\n")
        assert terminal.wait() == 0  # who leaves a match leaves the menu too
    with Terminal(home) as terminal:
        terminal.expect("r  Resume Dual Digits, Ada against Bob, after 1 move.")
        terminal.expect("[1]: ")
        terminal.type("r")
        terminal.expect("Shared Number: 21.")
        terminal.expect("Bob's Turn:")


def test_menu_uses_the_configuration(home: Path) -> None:
    (home / "c.toml").write_text(
        "[play]\nnames = ['Ada', 'Bob']\nclock = 50\nfirst = '2'\ncoach = true\n"
        "[even-steven]\nstart = 21\n"
    )
    with Terminal(home, ZEROSUM_CONFIG="c.toml") as terminal:
        terminal.expect("[1]: ")
        terminal.type("")
        terminal.expect("[Ada, Bob]: ")
        terminal.type("")
        terminal.expect("start 21")
        terminal.expect("'): ")
        terminal.type("")
        terminal.expect("Bob's Turn:\r\nCurrent Number: 21")
        terminal.expect("Coach: ")
        terminal.expect("50 seconds")


def test_menu_uses_a_configured_opponent_and_the_environment(home: Path) -> None:
    (home / "c.toml").write_text("[play]\nvs = 'perfect'\n")
    with Terminal(home, ZEROSUM_CONFIG="c.toml", ZEROSUM_EVEN_STEVEN_START="4") as terminal:
        for answer in ("[1]: ", "[Player 1, perfect]: ", "(such as 'start 5'): "):
            terminal.expect(answer)
            terminal.type("")
        terminal.expect("Current Number: 4")
        terminal.expect("Enter your choice: ")
        terminal.type("1")
        terminal.expect("Computer (perfect)'s Turn:")


def test_play_against_the_computer(home: Path) -> None:
    with Terminal(home) as terminal:
        terminal.expect("[1]: ")
        terminal.type("")
        terminal.expect("[Player 1, Player 2]: ")
        terminal.type("perfect")
        terminal.expect("'): ")
        terminal.type("")
        terminal.expect("Enter your choice: ")
        terminal.type("1")
        terminal.expect("Computer (perfect)'s Turn:")
        terminal.expect("Player 1's Turn:")


def test_lines_wrap_on_a_narrow_terminal(home: Path) -> None:
    with Terminal(home, columns=40) as terminal:
        terminal.expect("[1]: ")
        listed = [line for line in terminal.lines() if line.startswith("  ")]
        assert max(map(len, listed)) < 40


def test_without_a_terminal_help_is_shown(home: Path) -> None:
    done = run(home)
    assert done.returncode == 0
    assert "Commands:" in done.stdout
    assert "zerosum play even-steven" in done.stdout
