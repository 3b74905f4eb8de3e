"""`zerosum puzzle`."""

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import zerosum
from tests.cli.support import document, run
from tests.helpers import Terminal, database
from zerosum.coach.puzzles import puzzle_at, respond
from zerosum.protocol import Move
from zerosum.states import read_state
from zerosum.store import open_store


def solving(document: Any) -> list[Move]:
    """List the moves that solve a puzzle."""
    game = zerosum.game(document["game"], **document["options"])
    solution, state = zerosum.solve(game), read_state(game, document["state"])
    puzzle: Any = puzzle_at(solution, state)
    moves, done = [], False
    while not done:
        moves.append(solution.best(state)[0])
        _, _, _, state, done = respond(solution, puzzle, state, moves[-1])
    return moves


@pytest.fixture
def another_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerosum.coach.puzzles.today", lambda: date(2026, 11, 16))


@pytest.mark.usefixtures("another_day")
def test_daily_puzzle_has_a_result_to_share(home: Path) -> None:
    puzzle = document(home, "puzzle", "--daily", schema="puzzle")
    assert (puzzle["date"], puzzle["game"]) == ("2026-11-16", "divisor-duel")
    assert puzzle["grade"] == "easy"
    wrong = next(move for move in puzzle["moves"] if move != puzzle["answer"])
    for leave, tried in (("quit", ""), ("skip", f"{wrong}\n")):
        left = run(home, "puzzle", "--daily", typed=f"{tried}{leave}\n").stdout
        assert left.startswith("Daily puzzle, 2026-11-16\n")
        assert left.endswith("You can come back to it until midnight UTC.\n")
    line = "".join(f"{move}\n" for move in solving(puzzle))
    shared = "\nZerosum 2026-11-16 · Divisor Duel, easy ✓ in 2 tries\n"
    following = "zerosum puzzle --daily --grade medium\n"
    done = run(home, "puzzle", "--daily", typed=line).stdout
    assert f"{shared}Today's medium puzzle: " in done
    assert done.endswith(following)
    again = run(home, "puzzle", "--daily", "--grade", "easy").stdout
    assert again.startswith("You have solved today's easy puzzle.")
    assert shared in again
    assert again.endswith(following)
    for grade in ("medium", "hard"):
        asked = document(home, "puzzle", "--daily", schema="puzzle")
        assert asked["grade"] == grade
        solved = "".join(f"{move}\n" for move in solving(asked))
        assert f", {grade} ✓ in 1 try\n" in run(home, "puzzle", "--daily", typed=solved).stdout
    everything = run(home, "puzzle", "--daily").stdout
    assert everything.startswith("You have solved all of today's puzzles.")
    practised = run(home, "puzzle", typed="quit\n").stdout
    assert "Solved so far: 3 (" in practised  # not counted twice


@pytest.mark.usefixtures("another_day")
def test_daily_puzzle_can_be_given_up_and_days_in_a_row_are_counted(home: Path) -> None:
    given_up = run(home, "puzzle", "--daily", typed="why\n").stdout
    assert "\nZerosum 2026-11-16 · Divisor Duel, easy ✗\n" in given_up
    assert "zerosum puzzle --daily --grade medium\n" in given_up
    store = open_store(str(database(home)))
    store.try_puzzle("daily-2026-11-15", "even-steven", "easy", solved=True)
    store.close()
    line = "".join(f"{m}\n" for m in solving(document(home, "puzzle", "--daily", schema="puzzle")))
    out = run(home, "puzzle", "--daily", typed=line).stdout
    assert " ✓ in 2 tries\nSolved 2 days in a row.\n" in out


def test_puzzles_are_judged_and_progress_is_saved(home: Path) -> None:
    args = ("puzzle", "dual-digits", "--seed", "5")
    puzzle = document(home, *args, schema="puzzle")
    wrong = next(move for move in puzzle["moves"] if move != puzzle["answer"])
    line = "".join(f"{move}\n" for move in solving(puzzle))
    done = run(home, *args, typed=f"x\n99\nhint\n{wrong}\nhint\n{line}quit\n")
    first, second = re.findall(r"You have a win in \d+\. (.+)", done.stdout)
    assert first == f"It is not {wrong} (−{wrong} → {puzzle['state'][0] - wrong})."
    assert second != first  # another move, or that there is none
    assert "'x' is not a whole number. Type your move, or: " in done.stdout
    assert "Only these may be subtracted" in done.stdout
    assert f"No: −{wrong} → " in done.stdout
    assert "Right!\n" in done.stdout
    assert "Your opponent plays " in done.stdout
    assert "\nSolved!\n" in done.stdout
    assert "Solved so far: 1 (" in done.stdout
    again = document(home, *args, schema="puzzle")
    assert again["id"] != puzzle["id"]
    for grade in ("easy", "medium", "hard"):
        assert document(home, "puzzle", "--grade", grade, schema="puzzle")["grade"] == grade


def test_every_word_works_in_a_puzzle(home: Path) -> None:
    args = ("puzzle", "dual-digits", "--seed", "5")
    answer = document(home, *args, schema="puzzle")["answer"]
    typed = "help\n?\nRULES\nm\nhint\nhnit\nundo\nskip\nwhy\nq\n"
    out = run(home, *args, typed=typed).stdout
    # Three puzzles, 'help', '?', and two words that are no commands here.
    assert out.count("Type your move, or: ") == 7
    assert "Did you mean hint? Type your move, or: " in out
    assert "'undo' is for a match. Type your move, or: " in out
    assert "## Your turn" in out
    assert f"{answer}: Subtract {answer}, leaving " in out
    assert "You have a win in " in out
    assert "Solved so far: 0 (" in out


def test_puzzle_shows_its_number_once(home: Path) -> None:
    shown = run(home, "puzzle", "even-steven", typed="quit\n").stdout
    assert shown.count("Number: ") == 1
    assert "Number: " in run(home, "puzzle", "dual-digits", typed="quit\n").stdout


def test_ctrl_c_in_a_puzzle_exits_with_130(home: Path) -> None:
    with Terminal(home, "puzzle", "even-steven") as terminal:
        terminal.expect("Enter your choice: ")
        terminal.press("\x03")
        assert terminal.wait() == 130
