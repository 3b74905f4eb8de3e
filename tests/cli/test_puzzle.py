"""`zerosum puzzle`."""

from __future__ import annotations

from pathlib import Path

from tests.cli.support import document, run
from tests.helpers import Terminal


def test_puzzles_are_judged_and_progress_is_saved(home: Path) -> None:
    args = ("puzzle", "dual-digits", "--seed", "5")
    puzzle = document(home, *args, schema="puzzle")
    wrong = next(move for move in puzzle["moves"] if move != puzzle["answer"])
    done = run(home, *args, typed=f"x\n99\nhint\n{wrong}\n{puzzle['answer']}\nquit\n")
    assert "'x' is not a whole number. Type your move, or: " in done.stdout
    assert "Only these may be subtracted" in done.stdout
    assert f"No: {wrong} is a " in done.stdout
    assert "Right!\n" in done.stdout
    assert "Solved so far: 1 (" in done.stdout
    again = document(home, *args, schema="puzzle")
    assert again["id"] != puzzle["id"]
    for grade in ("easy", "medium", "hard"):
        assert document(home, "puzzle", "--grade", grade, schema="puzzle")["grade"] == grade


def test_every_word_works_in_a_puzzle(home: Path) -> None:
    args = ("puzzle", "dual-digits", "--seed", "5")
    answer = document(home, *args, schema="puzzle")["answer"]
    out = run(home, *args, typed="help\n?\nRULES\nmoves\nhint\nskip\nwhy\nexit\n").stdout
    assert out.count("Type your move, or: ") == 5  # three puzzles, 'help' and '?'
    assert "## Your turn" in out
    assert f"{answer}: Subtract {answer}, leaving " in out
    assert "You have a win in " in out
    assert "Solved so far: 0 (" in out


def test_puzzle_shows_its_number_once(home: Path) -> None:
    shown = run(home, "puzzle", "even-steven", typed="quit\n").stdout
    assert "Current Number: " in shown
    assert "Number: " not in shown.replace("Current Number: ", "")
    assert "Shared Number: " in run(home, "puzzle", "dual-digits", typed="quit\n").stdout


def test_puzzle_has_exactly_one_answer(home: Path) -> None:
    for seed in range(6):
        puzzle = document(home, "puzzle", "--seed", str(seed), schema="puzzle")
        assert puzzle["answer"] in puzzle["moves"]
        missed = puzzle["missed"]
        assert missed["random"] > missed["easy"] > missed["medium"] > 0


def test_puzzle_names_its_variant(home: Path) -> None:
    puzzle = document(home, "puzzle", "number-navigator", schema="puzzle")
    assert (puzzle["title"], puzzle["variant"]) == ("Number Navigator", "start 30")
    out = run(home, "puzzle", "number-navigator", typed="quit\n").stdout
    assert out.startswith("\nNumber Navigator (start 30), ")


def test_ctrl_c_in_a_puzzle_exits_with_130(home: Path) -> None:
    with Terminal(home, "puzzle", "even-steven") as terminal:
        terminal.expect("Enter your choice: ")
        terminal.press("\x03")
        assert terminal.wait() == 130
