"""What works without NumPy, and what is said where it is needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.support import run


@pytest.fixture
def bare(home: Path) -> dict[str, str]:
    """An environment in which NumPy is not installed."""
    hidden = home / "hidden"
    hidden.mkdir()
    (hidden / "numpy.py").write_text("raise ModuleNotFoundError(\"No module named 'numpy'\")\n")
    return {"PYTHONPATH": str(hidden)}


@pytest.mark.parametrize("game", ["even-steven", "divisor-duel", "dual-digits", "number-navigator"])
def test_a_game_with_a_law_needs_no_table(home: Path, bare: dict[str, str], game: str) -> None:
    assert "for the player to move" in run(home, "solve", game, **bare).stdout
    assert "How to win" in run(home, "explain", game, **bare).stdout
    assert "No coach" not in run(home, "play", game, typed="hint\n", **bare).stdout
    done = run(home, "play", game, "--watch", "easy", "perfect", "--seed", "1", **bare)
    assert done.returncode == 0, done.stderr
    assert run(home, "puzzle", game, typed="quit\n", **bare).returncode == 0


def test_a_table_says_how_to_get_numpy(home: Path, bare: dict[str, str]) -> None:
    for args in (("solve", "digit-battle"), ("levels", "even-steven"), ("puzzle", "digit-battle")):
        done = run(home, *args, **bare)
        assert done.returncode == 1
        assert "pip install 'zerosum[solve]'" in done.stderr
    done = run(home, "play", "digit-battle", "--vs", "easy", **bare)
    assert done.returncode == 1
    assert "pip install 'zerosum[solve]'" in done.stderr


def test_play_goes_on_without_a_coach(home: Path, bare: dict[str, str]) -> None:
    done = run(home, "play", "digit-battle", "--coach", typed="hint\n5\n", **bare)
    assert "No coach for this game" in done.stdout
    assert "Updated Number: 5" in done.stdout
    random = run(home, "play", "digit-battle", "--vs", "random", typed="5\n", **bare)
    assert "Computer (random)'s Turn:" in random.stdout


def test_puzzles_of_any_game_leave_out_those_that_cannot_be_had(
    home: Path, bare: dict[str, str]
) -> None:
    for seed in range(4):
        assert run(home, "puzzle", "--seed", str(seed), typed="quit\n", **bare).returncode == 0
