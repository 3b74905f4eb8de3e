"""`zerosum starts --fair` and `--handicap`: the fairest variants, and those that make up levels."""

from __future__ import annotations

import csv
import io
import shutil
from importlib import import_module
from pathlib import Path

import pytest

import zerosum
from tests.cli.support import document, helpful, run
from tests.games import GAMES_FILE
from zerosum.bulk.chain import Chain
from zerosum.lab.audit.fairness import Fairness, fairness, handicaps, variants
from zerosum.options import option_values
from zerosum.players.level_policies import chain_of
from zerosum.players.levels import LEVELS
from zerosum.solver import solve

FAIR = ("starts", "even-steven", "--fair", "--from", "2", "--to", "6")
HANDICAP = ("starts", "even-steven", "--handicap", "easy", "hard", "--from", "2", "--to", "6")


def test_fair_starts_as_table_csv_and_json(home: Path) -> None:
    games = variants(zerosum.game("even-steven"), range(2, 7))
    judged = [(fairness(chain_of(solve(game))), option_values(game)) for game in games]
    expected = sorted(judged, key=lambda found: round(found[0].bias, 12))
    title, *printed = run(home, *FAIR).stdout.splitlines()
    assert title.startswith("What the first player scores between equals: fairest variants")
    assert " ".join(printed[0].split()) == (
        "Start Subtract two Random Easy Medium Hard Perfect Bias"
    )
    assert printed[1].split()[-1] == f"{expected[0][0].bias:.3f}"
    assert len(printed) == 11
    rows = list(csv.reader(io.StringIO(run(home, *FAIR, "--csv").stdout)))
    assert rows[0] == ["start", "subtract_two", *LEVELS, "bias"]
    made = document(home, *FAIR, schema="starts")
    assert made["kind"] == "fair"
    for row, listed, (exact, options) in zip(rows[1:], made["starts"], expected, strict=True):
        assert listed["options"] == options
        assert options["start"] == int(row[0])
        assert listed["bias"] == float(row[-1]) == exact.bias
        scores = [exact.chances[level].score for level in LEVELS]
        assert [float(score) for score in row[2:-1]] == scores
        wins = [listed["levels"][level]["first_wins"] for level in LEVELS]
        assert wins == [exact.chances[level].first for level in LEVELS]


def test_handicap_as_table_csv_and_json(home: Path) -> None:
    made = document(home, *HANDICAP, schema="starts")
    assert (made["kind"], made["weaker"], made["stronger"]) == ("handicap", "easy", "hard")
    rows = list(csv.reader(io.StringIO(run(home, *HANDICAP, "--csv").stdout)))
    assert rows[0] == ["start", "subtract_two", "first", "score", "bias"]
    assert len(rows) == 21
    best = made["starts"][0]
    chain = chain_of(solve(zerosum.game("even-steven", **best["options"])))
    way = next(w for w in handicaps(chain, "easy", "hard") if w.first == best["first"])
    assert (best["score"], best["first_wins"]) == (way.score, way.chances.first)
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
    done = run(home, "starts", "divisor-duel", "--fair", "--to", "3")
    assert done.stderr == "Left out: 1 (Divisor Duel has no such start).\n"
    limited = ("starts", "even-steven", "--fair", "--to", "30", "--positions", "20")
    done = run(home, *limited, "--no-subtract-two")
    assert done.returncode == 0
    assert "Left out: 20 to 30 (Even-Steven has more than 20 positions" in done.stderr
    helpful(run(home, *limited, "--from", "29"), 1, "Even-Steven has more than 20 positions")
    helpful(run(home, "starts", "divisor-duel", "--fair", "--to", "1"), 1, "none of these starts")


def test_flags_that_contradict_each_other_are_refused(home: Path) -> None:
    helpful(run(home, *FAIR, "--handicap", "easy", "hard"), 2, "cannot be combined")
    helpful(run(home, *FAIR, "--csv", "--json"), 2, "cannot be combined")
    wrong = ("starts", "even-steven", "--handicap")
    helpful(run(home, *wrong, "hard", "easy"), 1, "hard is not weaker than easy")
    helpful(run(home, *wrong, "hrad", "easy"), 2)


def test_interrupt_prints_what_was_found(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = iter([False, False, True])

    def interrupted(chain: Chain) -> Fairness:
        if next(calls):
            raise KeyboardInterrupt
        return fairness(chain)

    module = import_module("zerosum.cli.commands.starts")
    monkeypatch.setattr(module, "fairness", interrupted)
    done = run(home, *FAIR)
    assert done.returncode == 130
    assert len(done.stdout.splitlines()) == 4


def test_starts_that_are_too_large_leave_the_others(home: Path) -> None:
    done = run(home, "starts", f"{GAMES_FILE}:Sticks", "--to", "30", "--positions", "20")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].split() == ["10", "first", "7"]
    assert "Left out: 11 to 30 (Sticks has more than 20 positions" in done.stderr
