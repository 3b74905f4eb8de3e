"""Every built-in game, in several variants, and every example passes the kit."""

from typing import Any

import pytest

import zerosum
from tests.game_files import EXAMPLES
from zerosum import testing
from zerosum.testing import move_order

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("even-steven", {}),
    ("even-steven", {"start": 1}),
    ("even-steven", {"start": 64, "subtract_two": True}),
    ("even-steven", {"start": 10**1000 + 1}),
    ("divisor-duel", {}),
    ("divisor-duel", {"start": 2}),
    ("divisor-duel", {"start": 720}),
    ("divisor-duel", {"start": (2**61 - 1) * (2**89 - 1) * 12}),
    ("dual-digits", {}),
    ("dual-digits", {"start": 1, "numbers": (1,)}),
    ("dual-digits", {"start": 40, "numbers": (3, 1, 7)}),
    ("dual-digits", {"start": 10**30, "numbers": (10**29, 5)}),
    ("number-navigator", {}),
    ("number-navigator", {"start": 1}),
    ("number-navigator", {"start": 10**40}),
    ("digit-battle", {}),
    ("digit-battle", {"lives": 1}),
    ("digit-battle", {"start": -3, "lives": 3, "target": 7, "limit": 9, "limit_reset": -4}),
    ("digit-battle", {"negative_penalty": 0, "limit_penalty": 0, "target_reset": 15}),
]

# With a board of many cells, every position takes longer to check.
LARGE = {"noughts_and_crosses", "connect_four", "territory", "dots_and_boxes"}


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_a_built_in_game_conforms(
    name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    huge = any(isinstance(value, int) and value > 10**12 for value in options.values())
    monkeypatch.setattr(testing, "CHECKED_STATES", 30 if huge else 200)
    monkeypatch.setattr(testing, "RANDOM_GAMES", 2 if huge else 3)
    monkeypatch.setattr(testing, "LONGEST_GAME", 20 if huge else 200)
    assert testing.check_game(zerosum.game(name, **options)) > 1


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("last_stick", {}),
        ("noughts_and_crosses", {}),
        ("nim_with_a_pass", {}),
        ("nim_with_a_pass", {"heaps": (1, 0, 2), "passes": 0}),
        ("connect_four", {}),
        ("territory", {}),
        ("dots_and_boxes", {}),
    ],
)
def test_an_example_conforms(
    name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = zerosum.game(str(EXAMPLES / f"{name}.py"), **options)
    monkeypatch.setattr(move_order, "HASH_SEEDS", ("0",))
    if name in LARGE:
        monkeypatch.setattr(testing, "CHECKED_STATES", 200)
        monkeypatch.setattr(testing, "SYMMETRIC_STATES", 600)
        monkeypatch.setattr(testing, "RANDOM_GAMES", 2)
    assert testing.check_game(game) > 1
