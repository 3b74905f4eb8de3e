"""`zerosum learn`: from the first step to the match, and back to where one was."""

import re
from pathlib import Path
from typing import Any

import zerosum
from tests.cli.support import helpful, run
from tests.game_files import PASS
from tests.helpers import Terminal
from zerosum.coach.advice import Coach
from zerosum.coach.lesson import LessonStep, lesson


def steps_of(game: Any) -> tuple[LessonStep[Any], ...]:
    return lesson(Coach(zerosum.solve(game)), lambda other: Coach(zerosum.solve(other)))


def test_lesson_leads_to_a_match_at_a_terminal(home: Path) -> None:
    steps = steps_of(zerosum.game("dual-digits"))
    asks = "Enter the number you wish to subtract: "
    with Terminal(home, "learn", "dual-digits", columns=80) as terminal:
        for number, step in enumerate(steps, 1):
            terminal.expect(f"Dual Digits, step {number} of {len(steps) + 1}")
            terminal.expect(step.title[:40])
            wrong = next(m for m in step.coach.game.moves(step.state) if m not in step.right)
            terminal.answer((asks, str(wrong)))
            terminal.expect("Try again.")
            terminal.answer((asks, str(step.right[0])))
            terminal.expect("Right!")
        terminal.expect("The level to try is easy.")
        asks_to_play = "Play it now (yes or no)? [yes]: "
        terminal.answer((asks_to_play, "help"))
        terminal.expect("Type yes or no.")
        terminal.answer((asks_to_play, "qiut"))
        terminal.expect("Did you mean quit?")
        terminal.answer((asks_to_play, "y"))
        terminal.expect("=== Dual Digits ===", "Computer (easy) subtract")
        terminal.answer((asks, "resign"), ("(yes or no): ", "yes"))


def test_lesson_goes_on_where_it_was_left(home: Path) -> None:
    first, second, *_ = steps_of(zerosum.game(PASS, heaps=(2, 3, 4)))
    args = ("learn", PASS, "--heaps", "2 3 4")
    (wrong, *_) = [m for m in second.coach.game.moves(second.state) if m not in second.right]
    typed = f"{first.right[0]}\nhint\nHELP\n{wrong}\nundo\nq\n"
    out = run(home, *args, typed=typed).stdout
    assert second.said(wrong) in re.sub(r"\s+", " ", out)
    assert re.search(r"It is not (\w+)\.", out)
    assert "'undo' is for a match." in out
    again = re.search(r"Your progress is saved\. Resume with: (.+)", out)
    assert again
    assert again[1].endswith("--heaps 2,3,4")
    assert ", step 2 of " in run(home, *args, typed="why\nq\n").stdout
    assert ", step 2 of " in run(home, *args, typed="q\n").stdout  # it was given away
    skipped = run(home, *args, typed="skip\nq\n").stdout
    assert ", step 3 of " in skipped
    assert "Solved so far: 0 (" in run(home, "puzzle", "even-steven", typed="quit\n").stdout


def test_whoever_stops_a_lesson_is_told_how_to_resume_it(home: Path) -> None:
    told = "Your progress is saved. Resume with: python -m zerosum learn even-steven"
    for typed in ("no\n", "q\n", ""):
        assert told in run(home, "learn", "even-steven", "--step", "8", typed=typed).stdout
    for step, asks in (("1", "Enter your choice: "), ("8", "[yes]: ")):
        with Terminal(home, "learn", "even-steven", "--step", step, columns=100) as terminal:
            terminal.expect(asks)
            terminal.press("\x03")
            terminal.expect(told)
            assert terminal.wait() == 130


def test_lesson_lists_the_legal_moves_alone(home: Path) -> None:
    step = steps_of(zerosum.game("dual-digits"))[0]
    assert (step.state.number, step.state.previous) == (3, 1)
    shown = run(home, "learn", "dual-digits", typed="1\nquit\n").stdout
    assert "\nNumber: 3\nJust subtracted: 1\n2: Subtract 2, leaving 1\n3: Subtract 3, leav" in shown
    assert "Legal now: 2, 3." in shown
    assert "4" not in shown[shown.index("Number: 3") :]


def test_games_without_a_lesson_say_so(home: Path) -> None:
    told = "has no lesson. No choice in it changes who wins, or its numbers are very large."
    for args in (("even-steven", "--start", "2"), ("divisor-duel", "--start", str(10**30))):
        helpful(run(home, "learn", *args), 1, told)
    helpful(run(home, "learn", "even-steven", "--step", "99"), 2, "can be at most 8.")
