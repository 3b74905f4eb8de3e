"""`zerosum new` and `zerosum check`, and the words that no game may take."""

from __future__ import annotations

from pathlib import Path

import pytest

import zerosum
from tests.cli.support import ONE, helpful, run
from zerosum.cli import answers, check, puzzling
from zerosum.wording import RESERVED


def test_new_writes_a_game_that_conforms_and_can_be_played(home: Path) -> None:
    done = run(home, "new", "knights_duel.py")
    assert done.returncode == 0
    assert done.stdout.startswith("Wrote knights_duel.py. ")
    assert "zerosum check ./knights_duel.py\n" in done.stdout
    assert "zerosum play ./knights_duel.py\n" in done.stdout
    text = (home / "knights_duel.py").read_text()
    assert "class KnightsDuel(Game[State]):" in text
    assert "NewGame" not in text
    checked = run(home, "check", "./knights_duel.py", "--start", "5")
    assert checked.returncode == 0, checked.stderr
    assert checked.stdout.splitlines() == [
        "Knights Duel conforms (22 positions checked). Solved, with 22 positions. "
        "The start is a win in 6 for whoever moves first.",
        "Knights Duel (start 5) conforms (10 positions checked). Solved, with 10 positions. "
        "The start is a loss in 3 for whoever moves first.",
    ]
    assert "Sticks: 10" in run(home, "play", "knights_duel.py", typed="1\n").stdout


def test_new_overwrites_nothing(home: Path) -> None:
    (home / "mine.py").write_text("mine")
    helpful(run(home, "new", "mine.py"), 1, "mine.py already exists; not overwritten.")
    assert (home / "mine.py").read_text() == "mine"


@pytest.mark.parametrize("name", ["mine", "my-game.py", "1.py", "class.py", ".py", "a b.py", ""])
def test_new_refuses_what_is_not_a_python_file_name(home: Path, name: str) -> None:
    helpful(run(home, "new", name), 2, "is not the name of a Python file, such as my_game.py")
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("name", ["game.py", "state.py", "none.py", "_.py", "_1.py"])
def test_new_gives_the_class_a_name_of_its_own(home: Path, name: str) -> None:
    assert run(home, "new", name).returncode == 0
    assert run(home, "check", name).returncode == 0


def test_new_says_why_a_file_cannot_be_written(home: Path) -> None:
    helpful(run(home, "new", "nowhere/mine.py"), 1, "nowhere/mine.py cannot be written")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("return (1,) if state.number", "return [1] if state.number", "moves() must give a tuple"),
        ("State(3, 0)", "State(3, 1)", "must have player 0"),
        ("return (1,) if state.number", "return ('undo',) if state.number", "a word of the prompt"),
        ("Outcome(1 - state.player", "Outcome(2", "the winner must be 0 or 1, or None for a draw"),
        ("State(state.number - 1", "State(state.number / 1", "integers, texts, None and tuples"),
        ("return State(state.number - 1", "return 1 // 0, (state.number", "ZeroDivisionError"),
    ],
)
def test_check_names_the_fault_of_a_game(home: Path, old: str, new: str, says: str) -> None:
    assert old in ONE
    (home / "mine.py").write_text(ONE.replace(old, new))
    helpful(run(home, "check", "mine.py"), 1, "One: ", says)


def test_check_says_what_it_could_not_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    told = check.report(zerosum.game("digit-battle", lives=2))
    assert told.endswith("positions, equal ones counted once. The start is a draw (endless).")
    monkeypatch.setattr(check, "QUICKLY", 100)
    told = check.report(zerosum.game("digit-battle", lives=2))
    assert "It was not solved: Digit Battle has more than 100 positions" in told
    told = check.report(zerosum.game("divisor-duel", start=999_999))
    assert told.endswith(
        "but with no table. The start is a loss (length unknown) for whoever moves first."
    )


def test_check_refuses_what_is_not_there(home: Path) -> None:
    helpful(run(home, "check", "nothing.py"), 2, "There is no file nothing.py.")
    helpful(run(home, "check", "even-steven", "--start", "0"), 2, "--start", "from 1 up")
    helpful(run(home, "check"), 2, "FILE")


def test_no_game_can_take_a_word_of_a_prompt() -> None:
    assert {*answers.COMMANDS, *puzzling.COMMANDS} <= RESERVED
