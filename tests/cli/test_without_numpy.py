"""Commands without NumPy."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests import helpers
from tests.cli.support import run

INSTALL = "pip install '.[solve]'"


@pytest.fixture(autouse=True)
def _no_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make NumPy look as if it were not installed."""
    monkeypatch.setitem(sys.modules, "numpy", None)


@pytest.mark.parametrize("game", ["even-steven", "divisor-duel", "dual-digits", "number-navigator"])
def test_game_with_a_theory_needs_no_table(home: Path, game: str) -> None:
    assert "for the player to move" in run(home, "solve", game).stdout
    assert "How to play" in run(home, "explain", game).stdout
    assert "no coach" not in run(home, "play", game, typed="hint\n").stdout
    done = run(home, "play", game, "--watch", "easy", "perfect", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert run(home, "puzzle", game, typed="quit\n").returncode == 0


def test_table_says_how_to_install_numpy(home: Path) -> None:
    for args in (
        ("solve", "digit-battle"),
        ("levels", "even-steven"),
        ("measure", "medium", "even-steven"),
        ("puzzle", "digit-battle"),
        ("play", "digit-battle", "--vs", "easy"),
    ):
        done = run(home, *args)
        assert done.returncode == 1
        assert INSTALL in done.stderr


def test_process_without_numpy(home: Path) -> None:
    (home / "hidden").mkdir()
    (home / "hidden" / "numpy.py").write_text("raise ModuleNotFoundError('no numpy')\n")
    done = helpers.run(home, "solve", "digit-battle", PYTHONPATH=str(home / "hidden"))
    assert done.returncode == 1
    assert INSTALL in done.stderr


def test_play_continues_without_a_coach(home: Path) -> None:
    done = run(home, "play", "digit-battle", "--coach", typed="hint\n5\n")
    assert "There is no coach for this game." in done.stdout
    assert "Updated Number: 5" in done.stdout
    random = run(home, "play", "digit-battle", "--vs", "random", typed="5\n")
    assert "\nComputer (random) " in random.stdout


def test_puzzles_skip_games_that_cannot_be_solved(home: Path) -> None:
    for seed in range(4):
        assert run(home, "puzzle", "--seed", str(seed), typed="quit\n").returncode == 0
