"""solve, explain, starts, levels, review, puzzle; bots and the coach at the table."""

from __future__ import annotations

import csv
import io
import json
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from tests.helpers import Terminal, run
from zerosum.cli.play import LEVELS as NAMED
from zerosum.players.levels import LEVELS

SAMPLES = {
    "even-steven": "1,2,1,2,1,2,1",
    "divisor-duel": "8,4,2,1",
    "dual-digits": "3,2,4,3,2,4,3,1,2,1",
    "number-navigator": "3,2,3,3,4,2,2,2,3,4,2,2,2",
}


def document(home: Path, *args: str, schema: str, typed: str = "") -> Any:
    done = run(home, *args, "--json", typed=typed)
    assert done.returncode == 0, done.stderr
    loaded = json.loads(done.stdout)
    jsonschema.validate(
        loaded, json.loads((files("zerosum") / "schemas" / f"{schema}.json").read_text())
    )
    return loaded


def test_solve_tells_the_value_the_moves_a_line_and_the_law(home: Path) -> None:
    done = run(home, "solve", "even-steven", "--moves", "1")
    assert "Even-Steven after 1: win in 7 for the player to move." in done.stdout
    assert "+ win in 7  fastest win" in done.stdout
    assert "The fastest win: 2, 1, 1, 1, 2, 1, 1\n" in done.stdout
    assert "The theory: " in done.stdout
    found = document(home, "solve", "even-steven", "--moves", "1", schema="solution")
    assert found["value"] == {"result": "win", "plies": 7, "endless": False}
    worth = {"result": "win", "endless": False, "verdict": "forced"}
    assert found["moves"] == [
        {"move": 1, "plies": 9, "word": "wins later", **worth},
        {"move": 2, "plies": 7, "word": "fastest win", **worth},
    ]
    over = document(home, "solve", "divisor-duel", "--moves", "8,4,2,1", schema="solution")
    assert over["value"] == {"result": "loss", "plies": 0, "endless": False}
    assert over["moves"] == []
    told = run(home, "solve", "divisor-duel", "--moves", "8,4,2,1").stdout
    assert told.endswith("The game is over: the player to move has lost.\n")


def test_solve_claims_no_more_than_is_known(home: Path) -> None:
    lost = run(home, "solve", "divisor-duel", "--start", "999999").stdout
    assert lost.startswith("Divisor Duel (start 999999): loss")
    won = run(home, "solve", "divisor-duel", "--start", "1000000").stdout
    assert "One line: " in lost
    assert "A winning line: " in won
    for told in (lost, won):
        assert "best" not in told.partition("The theory")[0].lower()
        assert "longest" not in told.lower()
    assert "The longest defence: 1, 2, 1" in run(home, "solve", "even-steven").stdout
    assert "A drawing line: " in run(home, "solve", "digit-battle", "--lives", "2").stdout


def test_solve_refuses_what_makes_no_sense(home: Path) -> None:
    for args, message in (
        (
            ("--moves", "2"),
            "--moves, ply 1: Only an even number can be divided by 2. Legal now: 1.",
        ),
        (("--moves", "1,x"), "--moves, ply 2: 'x' is not a whole number."),
        (("--start", "0"), "--start: must be a whole number from 1 up"),
    ):
        done = run(home, "solve", "even-steven", *args)
        assert done.returncode == 2
        assert message in done.stderr
    done = run(home, "solve", "digit-battle", "--positions", "100")
    assert done.returncode == 1
    assert "Digit Battle has more than 100 positions" in done.stderr
    assert "--positions N" in done.stderr


def test_a_solution_is_kept_in_the_cache(home: Path) -> None:
    first = document(home, "solve", "digit-battle", schema="solution")
    kept = list((home / ".cache" / "zerosum").iterdir())
    assert len(kept) == 1
    kept[0].write_bytes(kept[0].read_bytes()[:1000])  # cut short: made anew
    assert document(home, "solve", "digit-battle", schema="solution") == first
    assert first["value"]["result"] == "draw"


def test_a_thousand_digits(home: Path) -> None:
    start = str(10**999 + 1)
    for name in ("even-steven", "divisor-duel", "dual-digits", "number-navigator"):
        found = document(home, "solve", name, "--start", start, schema="solution")
        assert found["value"]["result"] in ("win", "loss")
        said = run(home, "play", name, "--start", start, typed="hint\nwhy\n").stdout
        assert "digits)" in said or "this number" in said.lower()


def test_explain_gives_the_law_and_a_map(home: Path) -> None:
    done = run(home, "explain", "dual-digits")
    assert "How to win Dual Digits" in done.stdout
    assert "The multiples of 5 are lost" in done.stdout
    told = document(home, "explain", "dual-digits", schema="explanation")
    assert told["theory"]
    plain = run(home, "explain", "even-steven", "--plain").stdout
    assert not set(plain) & set("│─●○")
    done = run(home, "explain", "even-steven", "--svg", "map.svg")
    assert ElementTree.parse(home / "map.svg").getroot().tag.endswith("svg")
    again = run(home, "explain", "even-steven", "--svg", "map.svg")
    assert again.returncode == 1
    assert "map.svg already exists; not overwritten." in again.stderr


def test_starts_as_a_table_as_csv_and_as_json(home: Path) -> None:
    args = ("starts", "even-steven", "--from", "1", "--to", "5")
    expected = [(1, "win", 1), (2, "loss", 2), (3, "win", 3), (4, "win", 3), (5, "loss", 4)]
    rows = list(csv.reader(io.StringIO(run(home, *args, "--csv").stdout)))
    assert rows[0] == ["start", "result", "plies", "endless"]
    assert [(int(s), r, int(p)) for s, r, p, _ in rows[1:]] == expected
    listed = document(home, *args, schema="starts")["starts"]
    assert [(row["start"], row["result"], row["plies"]) for row in listed] == expected
    assert "second" in run(home, *args).stdout
    assert (
        len(document(home, "starts", "divisor-duel", "--to", "4", schema="starts")["starts"]) == 3
    )
    for wrong in (("--csv", "--json"), ("--from", "9", "--to", "2"), ("--to", "999999999")):
        assert run(home, *args, *wrong).returncode == 2


def test_levels(home: Path) -> None:
    pairs = document(home, "levels", "dual-digits", schema="levels")["pairs"]
    assert len(pairs) == 25
    for pair in pairs:
        ends = ("first_wins", "second_wins", "draw", "endless")
        assert sum(pair[end] for end in ends) == pytest.approx(1)
    assert "perfect" in run(home, "levels", "dual-digits").stdout


@pytest.mark.parametrize("name", SAMPLES)
def test_the_review_of_a_sample(home: Path, name: str) -> None:
    typed = "".join(f"{move}\n" for move in SAMPLES[name].split(","))
    match = json.loads(run(home, "play", name, "--json", typed=typed).stdout)
    found = document(home, "review", match["id"], schema="review")["games"][0]
    assert [judged["move"] for judged in found["moves"]] == match["rounds"][0]["moves"]
    kept = ("best", "good", "only", "forced")
    for judged in found["moves"]:
        fall = ("loss", "draw", "win").index(judged["before"]["result"])
        fall -= ("loss", "draw", "win").index(judged["value"]["result"])
        assert judged["verdict"] in {0: kept, 1: ("mistake",), 2: ("blunder",)}[fall]
        assert judged["decision"] == (judged["verdict"] not in ("only", "forced"))
        # A move is counted like the position that it is made in.
        assert (judged["value"] == judged["before"]) == (judged["move"] in judged["best"])
    bad = [judged["ply"] for judged in found["moves"] if judged["verdict"] not in kept]
    assert found["turning_point"] == (bad[-1] if bad else None)
    told = run(home, "review", match["id"]).stdout
    assert ("Turning point: move" in told) == bool(bad)
    (home / "record.json").write_text(json.dumps(match))
    assert run(home, "review", "record.json").stdout == told
    assert run(home, "review", "-", typed=json.dumps(match)).stdout == told
    assert run(home, "review", match["id"], "--svg", "c.svg").returncode == 0
    assert ElementTree.parse(home / "c.svg").getroot().tag.endswith("svg")


def test_a_review_of_a_record_of_another_version_is_refused(home: Path) -> None:
    match = json.loads(run(home, "play", "even-steven", "--json", typed="1\n").stdout)
    done = run(home, "review", "-", typed=json.dumps({**match, "version": 9}))
    assert done.returncode == 1
    assert "version 9, made by a newer Zerosum" in done.stderr
    empty = json.loads(run(home, "play", "even-steven", "--json").stdout)
    done = run(home, "review", "-", typed=json.dumps(empty))
    assert done.returncode == 1
    assert "nothing to review" in done.stderr
    assert run(home, "review", match["id"], "--number", "7").returncode == 2


def test_the_help_names_the_levels_that_there_are() -> None:
    assert f"{', '.join(LEVELS[:-1])} or {LEVELS[-1]}" == NAMED


def test_against_a_bot(home: Path) -> None:
    args = ("play", "even-steven", "--start", "4", "--vs", "perfect", "--seed", "1")
    done = run(home, *args, typed="1\nundo\n1\n1\n1\n")
    assert "Computer (perfect)'s Turn:" in done.stdout
    assert "Took back your 1 and the computer's reply. Number: 4." in done.stdout, done.stdout
    assert done.stdout.endswith("Computer (perfect) wins the game!\n")
    record = json.loads(run(home, *args, "--json", typed="1\n").stdout)
    assert record["bots"] == [None, "perfect"]
    assert record["seed"] == 1


def test_the_same_seed_gives_the_same_game_also_after_a_break(home: Path) -> None:
    args = ("play", "digit-battle", "--lives", "3", "--vs", "easy", "--seed", "11")
    typed = [f"{move}\n" for move in (7, 2, 4, 9, 1, 8, 3, 5, 6, 2, 2, 1, 1, 9)]
    whole = json.loads(run(home, *args, "--json", typed="".join(typed)).stdout)
    run(home, *args, typed="".join(typed[:3]))
    rest = json.loads(run(home, "resume", "--json", typed="".join(typed[3:])).stdout)
    assert rest["games"] == whole["games"]


def test_there_is_nothing_to_undo_before_ones_own_first_move(home: Path) -> None:
    args = ("play", "even-steven", "--vs", "perfect", "--first", "2", "--seed", "1")
    done = run(home, *args, typed="undo\n1\n")
    assert "There is nothing to undo: you have made no move" in done.stdout
    assert done.stdout.count("Computer (perfect)'s Turn:") == 2


def test_long_lists_are_cut(home: Path) -> None:
    start = str(10**999)
    said = run(home, "solve", "divisor-duel", "--start", start).stdout
    assert len(said) < 40_000
    said = run(home, "play", "divisor-duel", "--start", start, "--coach").stdout
    assert "more" in said
    assert len(said) < 60_000


def test_two_bots_are_watched(home: Path) -> None:
    args = ("play", "dual-digits", "--watch", "easy", "hard", "--seed", "3", "--games", "2")
    done = run(home, *args)
    assert done.returncode == 0
    assert done.stdout == run(home, *args).stdout
    assert "Score after game 2 of 2: Easy" in done.stdout
    endless = run(home, "play", "digit-battle", "--watch", "perfect", "perfect")
    assert endless.stdout.endswith("Draw: endless play.\n")


def test_levels_that_are_none_and_flags_that_contradict_each_other(home: Path) -> None:
    done = run(home, "play", "even-steven", "--vs", "hardd")
    assert done.returncode == 2
    assert "hard" in done.stderr
    done = run(home, "play", "even-steven", "--vs", "easy", "--watch", "easy", "hard")
    assert done.returncode == 2
    assert "contradict" in done.stderr


def test_a_bot_takes_a_draw_only_when_it_is_not_winning(home: Path) -> None:
    lost = run(home, "play", "even-steven", "--vs", "perfect", typed="draw\n")
    assert "Computer (perfect) declined the draw." in lost.stdout
    even = run(home, "play", "digit-battle", "--vs", "perfect", typed="draw\n")
    assert "Draw: both players agreed." in even.stdout


def test_the_coach_says_the_truth_and_the_sample_stays_as_it_is(home: Path) -> None:
    typed = "1\n2\n1\n2\n1\n2\n1\n"
    plain = run(home, "play", "even-steven", typed=typed).stdout
    coached = run(home, "play", "even-steven", "--coach", typed=typed).stdout
    assert "Coach: You lose in 8 moves if your opponent plays well." in coached
    assert "  + 2: win in 7, fastest win" in coached
    kept = [line for line in coached.splitlines() if not line.startswith(("Coach:", "  "))]
    assert kept == plain.splitlines()


def test_hint_and_why_at_a_prompt(home: Path) -> None:
    done = run(home, "play", "even-steven", "--start", "14", typed="hint\nwhy\n")
    assert "Every move wins. The fastest is 2: Divide by 2, leaving 7." in done.stdout
    assert "You can force a win in 7 moves." in done.stdout
    assert "For example: you play 2: Divide by 2, leaving 7; they play 1" in done.stdout
    done = run(home, "play", "digit-battle", typed="5\nwhy\n")
    assert "Neither side can force a win" in done.stdout
    huge = run(home, "play", "digit-battle", "--lives", "9" * 2000, typed="hint\n3\n")
    assert "No coach for this game: Digit Battle has too many positions to solve" in huge.stdout
    assert "Updated Number: 3" in huge.stdout


def test_puzzles_are_asked_judged_and_kept(home: Path) -> None:
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


def test_a_puzzle_has_exactly_one_answer(home: Path) -> None:
    for seed in range(6):
        puzzle = document(home, "puzzle", "--seed", str(seed), schema="puzzle")
        assert puzzle["answer"] in puzzle["moves"]
        missed = puzzle["missed"]
        assert missed["random"] > missed["easy"] > missed["medium"] > 0


def test_a_puzzle_names_its_variant(home: Path) -> None:
    puzzle = document(home, "puzzle", "number-navigator", schema="puzzle")
    assert (puzzle["title"], puzzle["variant"]) == ("Number Navigator", "start 30")
    told = run(home, "puzzle", "number-navigator", typed="quit\n").stdout
    assert told.startswith("\nNumber Navigator (start 30), ")


def test_ctrl_c_in_a_puzzle(home: Path) -> None:
    with Terminal(home, "puzzle", "even-steven") as terminal:
        terminal.expect("Enter your choice: ")
        terminal.press("\x03")
        assert terminal.wait() == 130
