"""`zerosum levels`: exact strengths, and estimates where a game is too large for them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.support import document, on_screen, run, validator
from tests.game_files import STICK
from zerosum.limits import Limits
from zerosum.players.autoplay import Tournament
from zerosum.players.levels import LEVELS, SEARCHING

ARGS = ("levels", STICK, "--positions", "10", "--games", "2")


@pytest.fixture
def small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the levels know the values of no more than ten positions."""
    monkeypatch.setattr("zerosum.players.levels.LEVELS_KNOW", Limits(10, 1.0))


def test_exact_strengths_are_called_exact(home: Path) -> None:
    exact = document(home, "levels", STICK, schema="levels")
    assert exact["exact"] is True
    assert exact["levels"] == list(LEVELS)
    assert len(exact["scores"]) == 25
    assert all(score["low"] == score["score"] == score["high"] for score in exact["scores"])
    assert all(figure["games"] is None for figure in exact["scores"] + exact["pairs"])
    short = run(home, "levels", STICK).stdout
    assert "estimate" not in short
    scores = {(score["level"], score["other"]): score["score"] for score in exact["scores"]}
    steps = [scores[step] for step in zip(LEVELS[1:], LEVELS, strict=False)]
    said = f"Each level scores {min(steps):.3f} to {max(steps):.3f} against the next weaker one."
    assert said in short
    assert "Moves first" not in short
    endless = run(home, "levels", "digit-battle", "--lives", "1", "--all").stdout
    assert "0.000 (1.000 endless)" in endless
    plain = run(home, "levels", STICK, "--plain", "--all").stdout
    assert re.search(r"^Easy moves first: wins \S+ against random, \S+ against easy, ", plain, re.M)


@pytest.mark.usefixtures("small_tables")
def test_larger_games_have_an_estimate_with_its_interval(home: Path) -> None:
    done = run(home, *ARGS)
    assert done.returncode == 0
    assert done.stdout.startswith("Last Stick: an estimate from 12 games\n")
    assert "perfect" not in done.stdout
    assert re.search(r"hard +1\.00 \(0\.16 to 1\.00\)", done.stdout)
    told = "easy: looks one move ahead, and tries its moves in random games"
    assert told not in done.stdout
    assert told in run(home, *ARGS, "--all").stdout
    assert done.stderr == (
        "Last Stick has more than 10 positions; until few are left, every level except "
        "perfect searches for its moves. The levels play each other for an estimate.\n"
    )
    assert run(home, *ARGS).stdout == done.stdout
    estimate = document(home, *ARGS, "--seed", "5", schema="levels")
    assert (estimate["exact"], estimate["seed"]) == (False, 5)
    assert estimate["levels"] == list(SEARCHING)
    assert [pair["games"] for pair in estimate["pairs"]] == [1] * 12
    assert all(score["low"] < score["high"] for score in estimate["scores"])
    assert all(score["games"] == 2 for score in estimate["scores"])


@pytest.mark.usefixtures("small_tables")
def test_ctrl_c_keeps_what_was_played(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play = Tournament.play

    def interrupted(self: Tournament, games: int) -> Iterator[int]:
        for played in play(self, games):
            yield played
            if played == 7:
                raise KeyboardInterrupt

    monkeypatch.setattr(Tournament, "play", interrupted)
    done = on_screen(home, *ARGS, TERM="xterm")
    assert done.returncode == 130
    assert "Last Stick: an estimate from 7 games" in done.stdout
    assert "7 of 12 games … (Ctrl-C stops)" in done.stderr
    assert done.stderr.endswith("Stopped after 7 of 12 games.\n")
    stopped = run(home, *ARGS, "--json")
    assert stopped.returncode == 130
    found: Any = json.loads(stopped.stdout)
    validator("levels").validate(found)
    assert sum(pair["games"] for pair in found["pairs"]) == 7


@pytest.mark.usefixtures("small_tables")
def test_perfect_plays_where_only_it_knows_the_values(home: Path) -> None:
    done = run(home, "levels", STICK, "--games", "2", "--all")
    assert "perfect: never gives a result away" in done.stdout
    assert "hard: looks as far ahead as it can" in done.stdout


def test_a_solved_game_whose_strengths_cannot_be_computed_has_an_estimate_too(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zerosum.bulk.cycles.CYCLE_POSITIONS", 10)
    args = ("levels", "digit-battle", "--lives", "1", "--games", "2")
    estimate = document(home, *args, schema="levels")
    assert (estimate["exact"], estimate["levels"]) == (False, list(LEVELS))
    done = run(home, *args, "--all")
    assert "has a cycle of" in done.stderr
    assert "hard: plays a best move 90% of the time, any move otherwise" in done.stdout
