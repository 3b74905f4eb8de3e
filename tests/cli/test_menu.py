"""The menu that opens without a command."""

from pathlib import Path

import pytest

from tests.cli.support import configure, in_menu
from tests.game_files import STEPS
from tests.helpers import Terminal

GAME = "Which game?"
NEXT = "Review, again, menu or quit? [again]: "


def test_pressing_enter_three_times_starts_a_game_that_can_be_won(home: Path) -> None:
    with Terminal(home) as terminal:
        for question in (GAME, "Who plays?", "Enter to play"):
            terminal.expect(question)
            terminal.answer((": ", ""))
        terminal.expect(
            "From this start, whoever moves second can win, so the computer begins.",
            "=== Even-Steven Game Start ===",
            "Computer (medium) subtracts 1, leaving 14.",
        )
        terminal.answer(("Enter your choice: ", "resign"), ("(yes or no): ", "YES"))
        terminal.expect("Computer (medium) wins the game!")
        terminal.answer((NEXT, ""))
        terminal.expect("so the computer begins.")  # again
        terminal.answer(
            ("Enter your choice: ", "1"),
            ("Enter your choice: ", "resign"),
            ("(yes or no): ", "yes"),
        )
        for answer, said in (
            ("maybe", "Type review, again, menu or quit."),
            ("review", "Even-Steven: "),
            ("menu", "v  Review the latest match: Even-Steven, you against Computer"),
        ):
            terminal.answer((NEXT, answer))
            terminal.expect(said)
        terminal.answer((GAME, "v"))
        terminal.expect("Even-Steven: ")
        terminal.answer((GAME, "quit"))
        assert terminal.wait() == 0


def test_first_move_is_the_players_unless_the_start_is_lost(home: Path) -> None:
    out = in_menu(home, "", "Ada, hard", "start 14", "").stdout
    assert "Ada's Turn:\nCurrent Number: 14" in out.partition("Have fun!")[2]
    assert "begins" not in out


WRONG = {
    "[1]: ": {
        "9": "Choose a number from 1 to 5.",
        "help": "Enter for the default in brackets",
        "dul-digits": "did you mean dual-digits?",
        "./nothing.py": "There is no file",
        "h": "Enter for the default in brackets",
        "bcak": "Did you mean back?",
        "undo": "No game has begun yet. Choose a game first.",
        "review": "There is no such match yet.",
        "back": "This is the first question",
        "Dual Digits": "random: plays any legal move",
    },
    "[You, medium]: ": {
        "Ada": "or a level: random, easy, medium, hard or perfect.",
        "Ada, ada": "different names",
        "rules": "Your turn",
        "hint": "No game has begun yet.",
        "Ada, Bob": "who moves first: 1, 2 or random",
    },
    "'): ": {
        "colour red": "dual-digits has no such option; its options are start, numbers",
        "start zero": "'zero' is not a whole number. Nothing was changed.",
        "start 0": "must be a whole number of at least 1",
        "clock -3": "must be a number of seconds above 0",
        "first 3": "must be auto, 1, 2 or random",
        "numbers 1 3": "numbers 1,3",
        "--start=9": "start 9",
        "games 2": "games 2",
        "clock 60": "clock 60",
        "coach": "coach on",
        "first bob": "first 2",
        "": "Game 1 of 2: Bob moves first.",
    },
}


def test_wrong_answers_are_asked_again(home: Path) -> None:
    typed = [answer for answers in WRONG.values() for answer in answers]
    out = in_menu(home, *typed, ZEROSUM_PAGER="0", COLUMNS="200").stdout
    for question, answers in WRONG.items():
        for answer, said in answers.items():
            _, asked, out = out.partition(f"{question}{answer}\n")
            assert asked, answer
            assert said in out[:2_000], answer
    for said in ("Starting Shared Number: 9", "Allowed Numbers to Subtract: 1, 3", "Coach: "):
        assert said in out


def test_menu_takes_choices_in_any_case(home: Path) -> None:
    (home / "steps.py").write_text(STEPS)
    out = in_menu(home, "./steps.py", "", "side up", "side RIGHT").stdout
    assert "must be Left or Right, not 'up'. Nothing was changed." in out
    assert "side Right  (where to go: Left or Right)" in out


def test_back_returns_to_the_question_before(home: Path) -> None:
    out = in_menu(home, "2", "easy", "back", "back", "").stdout
    asked = [line.partition(" [")[2].partition("]: ")[0] for line in out.splitlines()]
    assert [default for default in asked if default] == [
        *("1", "You, medium", "You, easy", "1", "You, medium")
    ]


def test_unfinished_match_is_saved_offered_and_resumed(home: Path) -> None:
    with Terminal(home, columns=200) as terminal:
        for question, answer in (
            *(("[1]: ", "3"), ("medium]: ", "Ada Bob"), ("'): ", "")),
            *(("subtract: ", "4"), ("subtract: ", "menu")),
        ):
            terminal.expect(question)
            terminal.type(answer)
        terminal.expect(
            "Saved. Resume with: ",
            "r  Resume Dual Digits, Ada against Bob, after 1 move. Shared Number: 21.",
        )
        terminal.answer(("[1]: ", "r"))
        terminal.expect("Bob's Turn:")
        terminal.answer(("subtract: ", "quit"))
        assert terminal.wait() == 0  # quitting a match quits the menu too


def test_lessons_are_in_the_menu(home: Path) -> None:
    out = in_menu(home, "l", "back", "l", "2", "q", "quit").stdout
    assert "This is the first question" not in out
    assert "l  Learn a game, step by step." in out
    assert "Divisor Duel, step 1 of " in out


def test_puzzles_lead_back_to_the_menu(home: Path) -> None:
    out = in_menu(home, "p", "quit").stdout
    assert out.partition("Solved so far: 0")[2].count(GAME) == 1


@pytest.mark.parametrize(("keys", "code"), [("q\n", 0), ("\x04", 0), ("\x03", 130)])
def test_quit_end_of_input_and_ctrl_c_leave_the_menu(home: Path, keys: str, code: int) -> None:
    with Terminal(home) as terminal:
        terminal.expect("[1]: ")
        terminal.press(keys)
        assert terminal.wait() == code


def test_menu_uses_the_configuration_and_the_environment(home: Path) -> None:
    configure(home, "[play]\nnames = ['Ada', 'Bob']\nclock = 50\nfirst = '2'\ncoach = true\n")
    out = in_menu(home, "", "", "", ZEROSUM_EVEN_STEVEN_START="21").stdout
    for shown in ("[Ada, Bob]: ", "start 21", "first 2", "clock 50", "coach on", "Coach: "):
        assert shown in out
    assert "Bob's Turn:\nCurrent Number: 21" in out
    configure(home, "[play]\nvs = 'perfect'\n")
    assert "[You, perfect]: " in in_menu(home, "").stdout


def test_wrong_setting_is_named_before_the_first_question(home: Path) -> None:
    for setting, said in (
        ("[play]\nclock = -5\n", "must be a number of seconds above 0"),
        ("[play]\nvs = 'hardd'\n", "did you mean hard?"),
        ("[digit-battle]\nlives = 0\n", "must be a whole number of at least 1"),
    ):
        configure(home, setting)
        done = in_menu(home)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr
        assert "config.toml" in done.stderr


def test_lines_wrap_on_a_narrow_terminal(home: Path) -> None:
    listed = in_menu(home, COLUMNS="40").stdout.splitlines()
    assert max(len(line) for line in listed if line.startswith("  ")) < 40
