"""`zerosum starts --fair` and `--handicap`: the fairest variants, and those that make up levels."""

import csv
import io
import shutil
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import zerosum
from tests.cli.support import document, helpful, run
from tests.games import GAMES_FILE, Nim, Sticks
from tests.naive import Naive
from zerosum import Game
from zerosum.cli.commands.starts import fair_rows, variants
from zerosum.options import option_values
from zerosum.players import strengths
from zerosum.players.levels import LEVELS
from zerosum.solver import solve_table

FAIR = ("starts", "even-steven", "--fair", "--from", "2", "--to", "6")
HANDICAP = ("starts", "even-steven", "--handicap", "easy", "hard", "--from", "2", "--to", "6")


def test_fair_starts_as_table_csv_and_json(home: Path) -> None:
    title, *printed = run(home, *FAIR).stdout.splitlines()
    assert title.startswith("What the first player scores between equals: fairest variants")
    assert " ".join(printed[0].split()) == (
        "Start Subtract two Random Easy Medium Hard Perfect Bias"
    )
    assert len(printed) == 12
    assert printed[-1] == "Bias: how far the score is from 0.5, on average over the levels."
    rows = list(csv.reader(io.StringIO(run(home, *FAIR, "--csv").stdout)))
    assert rows[0] == ["start", "subtract_two", *LEVELS, "bias"]
    made = document(home, *FAIR, schema="starts")
    assert made["kind"] == "fair"
    biases = [row["bias"] for row in made["starts"]]
    assert printed[1].split()[-1] == f"{biases[0]:.3f}"
    assert biases == pytest.approx(sorted(biases), abs=1e-12)
    for row, listed in zip(rows[1:], made["starts"], strict=True):
        assert listed["options"]["start"] == int(row[0])
        assert listed["bias"] == float(row[-1])
        exact = strengths(zerosum.solve(zerosum.game("even-steven", **listed["options"])))
        equals = [exact.chances[level, level] for level in LEVELS]
        assert [float(score) for score in row[2:-1]] == [ends.score for ends in equals]
        wins = [listed["levels"][level]["first_wins"] for level in LEVELS]
        assert wins == [ends.first for ends in equals]


def test_handicap_as_table_csv_and_json(home: Path) -> None:
    made = document(home, *HANDICAP, schema="starts")
    assert (made["kind"], made["weaker"], made["stronger"]) == ("handicap", "easy", "hard")
    rows = list(csv.reader(io.StringIO(run(home, *HANDICAP, "--csv").stdout)))
    assert rows[0] == ["start", "subtract_two", "first", "score", "bias"]
    assert len(rows) == 21
    best = made["starts"][0]
    solution = solve_table(zerosum.game("even-steven", **best["options"]))
    way = next(w for w in fair_rows(solution, ("easy", "hard")) if w.first == best["first"])
    assert (best["score"], best["first_wins"]) == (way.score, way.first_wins)
    assert [row["bias"] for row in made["starts"]] == [float(row[-1]) for row in rows[1:]]
    assert f"  {best['first']}  " in run(home, *HANDICAP).stdout.splitlines()[2]


def test_option_that_was_set_stays_as_it_is(home: Path) -> None:
    made = document(home, *FAIR, "--no-subtract-two", schema="starts")
    assert len(made["starts"]) == 5
    assert "Subtract" not in run(home, *FAIR, "--no-subtract-two").stdout


def test_game_without_starts_is_compared_by_its_options(home: Path) -> None:
    shutil.copy(GAMES_FILE, home / "toys.py")
    made = document(home, "starts", "./toys.py:WildRow", "--fair", schema="starts")
    assert {row["options"]["goal"] for row in made["starts"]} == {"win", "lose"}
    made = document(home, "starts", "./toys.py:Hotseat", "--fair", schema="starts")
    assert [row["bias"] for row in made["starts"]] == [0.5]


def test_variants_without_a_row_are_named(home: Path) -> None:
    limited = ("starts", "even-steven", "--fair", "--to", "30", "--positions", "20")
    done = run(home, *limited, "--no-subtract-two")
    assert done.returncode == 0
    assert "Left out: 20 to 30 (Even-Steven has more than 20 positions" in done.stderr
    done = run(home, "starts", f"{GAMES_FILE}:Sticks", "--to", "30", "--positions", "20")
    assert done.stdout.splitlines()[-1].split() == ["10", "first", "7"]
    assert "Left out: 11 to 30 (Sticks has more than 20 positions" in done.stderr
    helpful(run(home, *limited, "--from", "29"), 1, "Even-Steven has more than 20 positions")
    helpful(run(home, "starts", "divisor-duel", "--fair", "--to", "1"), 1, "none of these starts")


def test_flags_that_contradict_each_other_are_refused(home: Path) -> None:
    helpful(run(home, *FAIR, "--handicap", "easy", "hard"), 2, "cannot be combined")
    helpful(run(home, *FAIR, "--csv", "--json"), 2, "cannot be combined")
    wrong = ("starts", "even-steven", "--handicap")
    helpful(run(home, *wrong, "hard", "easy"), 1, "hard is not weaker than easy")
    helpful(run(home, *wrong, "hrad", "easy"), 2)


def test_interrupt_prints_what_was_found(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("zerosum.cli.commands.starts")
    calls, chain_of = iter([False, False, True]), module.chain_of

    def interrupted(solution: Any) -> Any:
        if next(calls):
            raise KeyboardInterrupt
        return chain_of(solution)

    monkeypatch.setattr(module, "chain_of", interrupted)
    done = run(home, *FAIR)
    assert done.returncode == 130
    assert len(done.stdout.splitlines()) == 5


def score(game: Game[Any], first: str, second: str) -> float:
    """The exact score of the first player."""
    won, _, draw, endless = Naive(game).chances((first, second))
    return float(won + (draw + endless) / 2)


@pytest.mark.parametrize(
    "game", [zerosum.game("divisor-duel", start=9), Sticks(5), Nim((1, 2))], ids=repr
)
def test_chances_and_bias_equal_exact_fractions(game: Game[Any]) -> None:
    solution = solve_table(game)
    (found,) = fair_rows(solution, None)
    exact = {level: score(game, level, level) for level in LEVELS}
    assert isinstance(found.levels, dict)
    assert {level: ends.score for level, ends in found.levels.items()} == pytest.approx(exact)
    assert found.bias == pytest.approx(sum(abs(s - 0.5) for s in exact.values()) / len(LEVELS))
    begins, follows = fair_rows(solution, ("easy", "perfect"))
    assert (begins.first, follows.first) == ("easy", "perfect")
    assert begins.score == pytest.approx(score(game, "easy", "perfect"))
    assert follows.score == pytest.approx(1 - score(game, "perfect", "easy"))


def test_variants_combine_starts_with_switches_and_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    def listed(name: str, *arguments: Any) -> list[Any]:
        return [option_values(game) for game in variants(zerosum.game(name), *arguments)]

    assert [tuple(row.values()) for row in listed("even-steven", (3, 4))] == [
        (3, False),
        (3, True),
        (4, False),
        (4, True),
    ]
    (alone,) = listed("even-steven", (3,), ["subtract_two"])
    assert alone == {"start": 3, "subtract_two": False}
    assert [row["goal"] for row in listed(f"{GAMES_FILE}:WildRow", range(5))] == ["win", "lose"]
    # A start that the game does not have is skipped.
    assert [row["start"] for row in listed("divisor-duel", range(4))] == [2, 3]
    monkeypatch.setattr("zerosum.cli.commands.starts.MOST_COMBINATIONS", 1)
    assert [row["start"] for row in listed("even-steven", (3, 4))] == [3, 4]
