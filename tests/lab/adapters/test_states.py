"""What the states of an environment hold, and that every type survives."""

import sys
from collections import Counter, deque
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import zerosum
from tests.lab.adapters.test_adapters import Heap, names
from zerosum.lab.adapters import trial
from zerosum.lab.adapters.attributes_read import Reads
from zerosum.lab.adapters.snapshots import Codec

NOTED = """
class Noted:
    def reset(self, seed=None):
        self.heap, self.player = 20, 0
        self.count, self.limit, self.last, self.seen, self.history = 0, 99, None, [0] * 3, []
    def valid_moves(self):
        return [1, 2]
    def step(self, action):
        self.count += 1
        self.last = action
        self.seen[action] = 1
        self.history.append(action)
        print("move", self.count)
        self.take(action)
        observation = self.observe()
        over = self.heap == 0
        return observation, int(over), over, self.heap > self.limit, {"last": self.last}
    def observe(self):
        return [self.count, *self.history, *self.seen]
    def take(self, action):
        self.heap = max(0, self.heap - action)
        self.player = 1 - self.player
"""
# The same, but whoever begins with two goes on with ones.
ORDERED = NOTED.replace("[1, 2]", "[1] if self.history and self.history[0] == 2 else [1, 2]")


def game_of(source: str, folder: Path) -> Any:
    file = folder / "noted.py"
    file.write_text(source)
    return zerosum.game(str(file))


def test_what_no_rule_reads_or_changes_is_not_in_the_state(tmp_path: Path) -> None:
    assert game_of(NOTED, tmp_path).initial()._fields == ("heap", "player", "end")


def test_a_wrong_reduction_is_found_by_replaying(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "reads_of", lambda _: Reads(frozenset({"heap"}), chance=False))
    assert "history" in game_of(ORDERED, tmp_path).initial()._fields


def test_games_are_played_again_with_two_moves_swapped() -> None:
    games = trial._sample_games(Heap, 0, {})
    lines = [[ply.move for ply in game] for game in games]
    assert any(a != b and a[:3] == [b[2], b[1], b[0]] for a, b in pairwise(lines))


RARELY = """
class Rarely:
    def reset(self, seed=None):
        self.heap, self.player, self.prizes = 60, 0, [1]
    def valid_moves(self):
        return [1, 2]
    def step(self, action):
        prizes = self.prizes
        if self.heap == 3 and action == 2:
            prizes[0] = 0
        self.heap, self.player = max(0, self.heap - action), 1 - self.player
        return None, prizes[0], self.heap == 0, False, {}
"""


def test_an_attribute_that_only_seems_fixed_is_found_after_the_table(tmp_path: Path) -> None:
    game = game_of(RARELY, tmp_path)
    assert game.initial()._fields == ("heap", "player", "end")
    with pytest.raises(zerosum.errors.GameError, match="change prizes"):
        zerosum.solve(game)
    assert "hidden-state" in game.notices


@pytest.mark.parametrize("module", ["typed_in", "gone"])
def test_without_source_every_attribute_is_in_the_state(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = {"__name__": module}
    if module == "typed_in":
        monkeypatch.setitem(sys.modules, module, ModuleType(module))
    exec(NOTED, home)
    game = zerosum.from_env(home["Noted"])
    assert {"count", "history", "heap"} < set(game.initial()._fields)


def test_a_counter_that_ends_the_game_is_in_the_state() -> None:
    class Limited(Heap):
        def reset(self, **options: Any) -> Any:
            self.count = 0
            return super().reset(**options)

        def step(self, action: Any) -> Any:
            self.count += 1
            self.current_player = 3 - self.current_player
            late = self.count
            return 0, 0, False, late > 3, {}

    assert "count" in names(Limited)
    game = zerosum.from_env(Limited)
    assert zerosum.solve(game).value(game.initial()).result == "draw"


@pytest.mark.parametrize(
    "body",
    [
        "self.hidden += 1\n        if self.hidden > 2: self.heap = 0",
        "setattr(self, 'hidden', self.hidden + 1); self.heap -= self.hidden % 2",
        "self.hidden += 1; self._deep(self.hidden)",
    ],
)
def test_what_the_rules_read_in_a_roundabout_way_is_in_the_state(body: str, tmp_path: Path) -> None:
    file = tmp_path / "roundabout.py"
    file.write_text(f"""
class Roundabout:
    def reset(self, seed=None):
        self.hidden, self.heap, self.player = 0, 7, 0
    def step(self, action):
        self.player = 1 - self.player
        {body}
        self.heap -= min(self.heap, action)
        return None, int(self.heap == 0), self.heap == 0, False, {{}}
    def _deep(self, amount):
        while amount > 1:
            amount -= 1
            self.heap = max(0, self.heap - 1)
    def valid_moves(self):
        return [1, 2]
""")
    game = zerosum.game(str(file))
    assert "hidden" in game.initial()._fields
    assert zerosum.check_game(game)


VALUES: list[Any] = [
    *(7, True, None, "text", "~", "long" * 30, 0.5, -0.0, float("inf"), np.int8(-3), np.bool_(1)),
    *(np.float32(0.1), [1, None], [[1], [2, 3]], [True], [], (1, (2,)), [(1, 2)], {3, 1}, set()),
    *({"a": [1]}, {1: True, 2: False}, {(1, 2): 3}, deque([1, 2], 3), Counter("aab"), range(3)),
    *(np.zeros(3, np.int8), np.ones((2, 2), bool), np.array([0.5, -0.0]), np.array([["X", ""]])),
    *(np.zeros((0, 2)), np.array(4), frozenset({(1, 2)}), [{"a": 1}], [np.int64(3)], {1: {2: []}}),
]


@pytest.mark.parametrize("usual", VALUES, ids=repr)
def test_every_type_survives(usual: Any) -> None:
    codec = Codec(usual)
    for value in VALUES:
        again = codec.decode(codec.encode(value))
        assert type(again) is type(value)
        assert repr(again) == repr(value)
        assert getattr(again, "dtype", None) == getattr(value, "dtype", None)
