from __future__ import annotations

from pathlib import Path

from tests.helpers import Terminal, run

GAME, WHO, OPTION = "Which game?", "Who plays?", "Enter to play"


def test_three_times_enter_and_the_game_begins(home: Path) -> None:
    with Terminal(home) as terminal:
        for question in (GAME, WHO, OPTION):
            terminal.expect(question)
            terminal.expect(": ")
            terminal.type("")
        terminal.expect("=== Even-Steven Game Start ===")
        terminal.expect("Enter your choice: ")
        terminal.type("resign")
        terminal.expect("Player 2 wins the game!")
        terminal.expect("Another game? (yes or no) [yes]: ")
        terminal.type("no")
        assert terminal.wait() == 0


def test_wrong_answers_are_asked_again(home: Path) -> None:
    with Terminal(home) as terminal:
        for wrong, answer in (
            ("9", "The games have the numbers 1 to 5."),
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
        terminal.expect("Two names are needed")
        terminal.expect("[Player 1, Player 2]: ")
        terminal.type("Ada, ada")
        terminal.expect("different names")
        terminal.expect("[Player 1, Player 2]: ")
        terminal.type("Ada, Bob")
        for typed, answer in (
            ("colour red", "dual-digits has no such option; it has start, numbers"),
            ("start zero", "'zero' is not a whole number. Nothing was changed."),
            ("start 0", "must be a whole number from 1 up"),
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


def test_the_menu_is_left_by_quit_end_of_input_and_ctrl_c(home: Path) -> None:
    for keys, code in (("quit\n", 0), ("\x04", 0), ("\x03", 130)):
        with Terminal(home) as terminal:
            terminal.expect("[1]: ")
            terminal.press(keys)
            assert terminal.wait() == code


def test_a_match_that_was_left_is_offered_again(home: Path) -> None:
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


def test_the_menu_reads_the_configuration(home: Path) -> None:
    (home / "c.toml").write_text(
        "[play]\nnames = ['Ada', 'Bob']\nclock = 50\n[even-steven]\nstart = 21\n"
    )
    with Terminal(home, ZEROSUM_CONFIG="c.toml") as terminal:
        terminal.expect("[1]: ")
        terminal.type("")
        terminal.expect("[Ada, Bob]: ")
        terminal.type("")
        terminal.expect("start 21")
        terminal.expect("'): ")
        terminal.type("")
        terminal.expect("Ada's Turn:\r\nCurrent Number: 21")
        terminal.expect("50 seconds")


def test_against_the_computer(home: Path) -> None:
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


def test_lines_are_broken_between_words_on_a_narrow_terminal(home: Path) -> None:
    with Terminal(home, columns=40) as terminal:
        terminal.expect("[1]: ")
        listed = [line for line in terminal.lines() if line.startswith("  ")]
        assert max(map(len, listed)) < 40


def test_without_a_terminal_it_tells_what_can_be_done(home: Path) -> None:
    done = run(home)
    assert done.returncode == 0
    assert "Commands:" in done.stdout
    assert "zerosum play even-steven" in done.stdout
