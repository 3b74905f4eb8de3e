"""The menu that opens without a command."""

from __future__ import annotations

from pathlib import Path

from tests.cli.support import configure, run
from tests.helpers import Terminal

GAME, WHO, OPTION = "Which game?", "Who plays?", "Enter to play"
NEXT = "Review, again, menu or quit? [again]: "


def start(terminal: Terminal, *answers: str) -> None:
    """Answer the three questions that start a game; Enter where there is no answer."""
    for question, answer in zip((GAME, WHO, OPTION), (*answers, "", "", ""), strict=False):
        terminal.expect(question)
        terminal.expect(": ")
        terminal.type(answer)


def test_pressing_enter_three_times_starts_a_game_that_can_be_won(home: Path) -> None:
    with Terminal(home) as terminal:
        start(terminal)
        terminal.expect("From this start, whoever moves second can win, so the computer begins.")
        terminal.expect("=== Even-Steven Game Start ===")
        terminal.expect("Computer (medium) subtracts 1, leaving 14.")
        terminal.expect("Enter your choice: ")
        terminal.type("resign")
        terminal.expect("(yes/no): ")
        terminal.type("resign")  # the same once more is a yes
        terminal.expect("Computer (medium) wins the game!")
        terminal.expect(NEXT)
        terminal.type("")
        terminal.expect("so the computer begins.")  # again
        terminal.expect("Enter your choice: ")
        terminal.type("1")
        terminal.expect("Enter your choice: ")
        terminal.type("resign")
        terminal.expect("(yes/no): ")
        terminal.type("yes")
        for answer, said in (
            ("maybe", "Type review, again, menu or quit."),
            ("review", "Even-Steven: "),
            ("menu", "v  Review the latest match: Even-Steven, Player 1 against Computer"),
        ):
            terminal.expect(NEXT)
            terminal.type(answer)
            terminal.expect(said)
        terminal.expect(GAME)
        terminal.type("v")
        terminal.expect("Even-Steven: ")
        terminal.expect(GAME)
        terminal.type("quit")
        assert terminal.wait() == 0


def test_first_move_is_the_players_where_the_start_is_not_lost(home: Path) -> None:
    with Terminal(home) as terminal:
        start(terminal, "", "Ada, hard", "start 14")
        terminal.expect("'): ")
        terminal.type("")
        terminal.expect("Have fun!")
        assert "begins" not in terminal.expect("Ada's Turn:\r\nCurrent Number: 14")


def test_wrong_answers_are_asked_again(home: Path) -> None:
    with Terminal(home, PAGER="cat") as terminal:
        for wrong, answer in (
            ("9", "Choose a number from 1 to 5."),
            ("help", "Enter for the default in brackets"),
            ("dul-digits", "did you mean dual-digits?"),
            ("./nothing.py", "There is no file"),
            ("undo", "No game has begun yet. Choose a game first."),
            ("review", "There is no such match yet."),
            ("back", "This is the first question"),
        ):
            terminal.expect("[1]: ")
            terminal.type(wrong)
            terminal.expect(answer)
        terminal.expect("[1]: ")
        terminal.type("Dual Digits")
        for wrong, answer in (
            ("Ada", "or a level: random, easy, medium, hard or perfect."),
            ("Ada, ada", "different names"),
            ("rules", "Your turn"),
            ("hint", "No game has begun yet."),
        ):
            terminal.expect("[Player 1, medium]: ")
            terminal.type(wrong)
            terminal.expect(answer)
        terminal.expect("[Player 1, medium]: ")
        terminal.type("Ada, Bob")
        for typed, answer in (
            ("colour red", "dual-digits has no such option; its options are start, numbers"),
            ("start zero", "'zero' is not a whole number. Nothing was changed."),
            ("start 0", "must be a whole number of at least 1"),
            ("clock -3", "must be a number of seconds above 0"),
            ("games 0", "must be a whole number from 1 to 1000000"),
            ("first 3", "must be auto, 1, 2 or random"),
            ("numbers 1 3", "numbers 1,3"),
            ("--start=9", "start 9"),
            ("games 2", "games 2"),
            ("clock 60", "clock 60"),
            ("coach", "coach on"),
            ("first bob", "first 2"),
        ):
            terminal.expect("'): ")
            terminal.type(typed)
            terminal.expect(answer)
        terminal.expect("'): ")
        terminal.type("")
        terminal.expect("Game 1 of 2: Bob moves first.")
        terminal.expect("Starting Shared Number: 9")
        terminal.expect("Allowed Numbers to Subtract: 1, 3")
        terminal.expect("Coach: ")
        terminal.expect("Time left: 60 seconds.")


def test_back_returns_to_the_question_before(home: Path) -> None:
    with Terminal(home) as terminal:
        start(terminal, "2", "easy", "back")
        terminal.expect("[Player 1, easy]: ")
        terminal.type("back")
        terminal.expect("[1]: ")
        terminal.type("")
        terminal.expect("[Player 1, medium]: ")


def test_menu_is_reached_from_a_game_that_is_saved(home: Path) -> None:
    with Terminal(home) as terminal:
        start(terminal)
        for typed in ("1", "menu"):
            terminal.expect("Enter your choice: ")
            terminal.type(typed)
        terminal.expect("Saved. Resume with: ")
        terminal.expect("r  Resume Even-Steven")
        terminal.expect(GAME)
        terminal.type("menu")
        terminal.expect("This is the menu.")
        terminal.type("quit")
        assert terminal.wait() == 0


def test_puzzles_lead_back_to_the_menu(home: Path) -> None:
    with Terminal(home) as terminal:
        terminal.expect("p  Puzzles")
        terminal.expect("[1]: ")
        terminal.type("p")
        terminal.expect(": ")
        terminal.expect("skip, quit.")
        terminal.expect(": ")
        terminal.type("quit")
        terminal.expect("Solved so far: 0")
        terminal.expect(GAME)


def test_quit_end_of_input_and_ctrl_c_leave_the_menu(home: Path) -> None:
    for keys, code in (("quit\n", 0), ("\x04", 0), ("\x03", 130)):
        with Terminal(home) as terminal:
            terminal.expect("[1]: ")
            terminal.press(keys)
            assert terminal.wait() == code


def test_unfinished_match_is_offered(home: Path) -> None:
    with Terminal(home) as terminal:
        start(terminal, "3", "Ada Bob")
        for answer in ("4", "quit"):
            terminal.expect("subtract: ")
            terminal.type(answer)
        assert terminal.wait() == 0  # quitting a match quits the menu too
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
        for shown in ("start 21", "first 2", "clock 50", "coach on"):
            terminal.expect(shown)
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
        terminal.expect("Starting Number: 4")
        terminal.expect("Enter your choice: ")
        terminal.type("1")
        terminal.expect("Computer (perfect) ")
        terminal.expect("Player 1's Turn:")


def test_wrong_setting_is_named_before_the_first_question(home: Path) -> None:
    for setting, said in (
        ("[play]\nclock = -5\n", "must be a number of seconds above 0"),
        ("[play]\nvs = 'hardd'\n", "did you mean hard?"),
        ("[digit-battle]\nlives = 0\n", "must be a whole number of at least 1"),
    ):
        configure(home, setting)
        with Terminal(home) as terminal:
            terminal.expect(said)
            terminal.expect("config.toml")
            assert terminal.wait() == 2
            assert GAME not in terminal.seen


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
