"""What the states of an environment hold, and that every type survives."""

from __future__ import annotations

from collections import Counter, deque
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zerosum
from tests.lab.adapters.test_adapters import Heap, names
from zerosum.lab.adapters.snapshots import Codec
from zerosum.lab.adapters.source.attribute_flow import attribute_flow
from zerosum.states import walk


def test_what_only_the_observation_reads_is_not_in_the_state() -> None:
    class Counting(Heap):
        def reset(self, **options: Any) -> Any:
            self.count, self.last = 0, None
            self.history: list[int] = []
            return super().reset(**options)

        def step(self, action: Any) -> Any:
            self.count += 1
            self.history.append(action)
            if self.last is not None:
                self.history.append(self.last)
            self.last = action
            answer = self._play(action)
            return [self.count, *self.history], answer[0], answer[1], False, {"last": self.last}

        def _play(self, action: Any) -> Any:
            self.heap -= action
            self.current_player = 3 - self.current_player
            return int(self.heap == 0), self.heap == 0

    assert names(Counting) == ("heap", "player", "end")


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

    assert names(Limited) == ("count", "player", "end")
    game = zerosum.from_env(Limited)
    assert zerosum.solve(game).value(game.initial()).result == "draw"


@pytest.mark.parametrize(
    "body",
    [
        "self.hidden += 1\n        if self.hidden > 2: self.heap = 0",
        "self.hidden += 1\n        for _ in range(self.hidden): self.heap = max(0, self.heap - 1)",
        "setattr(self, 'hidden', self.hidden + 1); self.heap -= self.hidden % 2",
        "self.hidden += 1; other = self.hidden; table = [0, 1]; self.heap -= table[other % 2]",
        "self.hidden += 1; self._deep(self.hidden)",
        "self.hidden += 1; box = [self.heap]; box[0] -= self.hidden; self.heap = max(0, box[0])",
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


def test_the_order_of_a_list_counts_only_if_it_is_read() -> None:
    class Used(Heap):
        def reset(self, **options: Any) -> Any:
            self.used: list[int] = []
            return super().reset(**options)

        def step(self, action: Any) -> Any:
            self.used.append(action)
            self.current_player = 3 - self.current_player
            return None, 0, len(self.used) > 3, False, {}

        def valid_moves(self) -> Any:
            return [number for number in range(5) if number not in self.used]

    class Ordered(Used):
        def step(self, action: Any) -> Any:
            self.used.append(action)
            self.current_player = 3 - self.current_player
            return None, 0, self.used[0] == 3, False, {}

    assert attribute_flow(Used).ordered is not None
    assert "used" not in (attribute_flow(Used).ordered or ())
    assert "used" in (attribute_flow(Ordered).ordered or ())
    assert len(list(walk(zerosum.from_env(Used)))) == 1 + 5 + 10 + 10 + 5


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


@pytest.mark.filterwarnings("ignore:overflow")
def test_numbers_overflow_as_in_the_environment() -> None:
    class Small(Heap):
        def reset(self, **options: Any) -> Any:
            answer = super().reset(**options)
            self.board = np.array([100, 0], np.int8)
            return answer

        def step(self, action: Any) -> Any:
            self.current_player = 3 - self.current_player
            self.board[0] += 20
            return None, 0, bool(self.board[0] < 0), False, {}

        def valid_moves(self) -> Any:
            return [0]

    states = list(walk(zerosum.from_env(Small)))
    assert [state.board[0] for state in states] == [100, 120, -116]
