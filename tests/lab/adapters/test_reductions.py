"""What the states of an environment leave out, and what they must not."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import zerosum
from tests.lab.adapters.test_adapters import Heap, names, refused
from zerosum.lab.adapters import trial
from zerosum.lab.adapters.source.attribute_flow import attribute_flow
from zerosum.states import walk


class Hands(Heap):
    """Take numbers in turn; whoever has three that add up to eight first wins."""

    def reset(self, **options: Any) -> Any:
        self.hands: dict[int, list[int]] = {1: [], 2: []}
        return super().reset(**options)

    def step(self, action: Any) -> Any:
        number = action + 1
        self.hands[self.current_player].append(number)
        won = self._has_three(self.hands[self.current_player])
        self.current_player = 3 - self.current_player
        return None, int(won), won or not self.valid_moves(), False, {}

    def _has_three(self, hand: Any) -> bool:
        for three in combinations(hand, 3):
            three = sorted(three)  # type: ignore[assignment]
            if three[0] + three[1] + three[2] == 8:
                return True
        return False

    def valid_moves(self) -> Any:
        return [n for n in range(5) if n + 1 not in self.hands[1] and n + 1 not in self.hands[2]]


class Sequences(Hands):
    """The same, but the first of the three to be taken counts twice."""

    def _has_three(self, hand: Any) -> bool:
        return any(sum(three) + three[0] == 8 for three in combinations(hand, 3))


class LastFound(Hands):
    """The same, but the last item of a loop is used after it."""

    def _has_three(self, hand: Any) -> bool:
        number = 0
        for number in hand:
            if number > 9:
                return True
        return number == 5


def with_everything(env: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the game of an environment whose states have all attributes, in order."""
    found = attribute_flow(env, env())
    full = found._replace(read=None, ordered=None, inner=None, tails={})
    with monkeypatch.context() as patch:
        patch.setattr(trial, "attribute_flow", lambda *_: full)
        game = zerosum.from_env(lambda: env())
        game.initial()
    return game


def test_the_order_inside_lists_counts_only_if_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "hands" not in (attribute_flow(Hands).inner or ())
    assert "hands" in (attribute_flow(Sequences).inner or ())
    assert "hands" in (attribute_flow(LastFound).inner or ())
    for env in (Hands, Sequences, LastFound):
        game, full = zerosum.from_env(env), with_everything(env, monkeypatch)
        fewer = len(list(walk(game))) < len(list(walk(full)))
        assert fewer == (env is Hands)
        assert zerosum.solve(game).value(game.initial()) == zerosum.solve(full).value(
            full.initial()
        )


def test_a_wrong_reduction_is_found_by_swapped_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = attribute_flow(Sequences)._replace(inner=frozenset())
    monkeypatch.setattr(trial, "attribute_flow", lambda *_: wrong)
    monkeypatch.setattr(trial, "_agrees", lambda *_: True)
    states = list(walk(zerosum.from_env(lambda: Sequences())))
    assert any(state.hands[0] != tuple(sorted(state.hands[0])) for state in states)


def test_a_number_in_a_history_does_not_make_the_history_count() -> None:
    class Noted(Heap):
        def reset(self, **options: Any) -> Any:
            self.history: list[Any] = []
            self.shown: list[Any] = []
            return super().reset(**options)

        def step(self, action: Any) -> Any:
            taken = action + 0
            self.history.append(taken)
            self.heap -= taken
            self.current_player = 3 - self.current_player
            return None, int(self.heap == 0), self.heap == 0, False, {}

    class Changed(Noted):
        def step(self, action: Any) -> Any:
            taken = [action]
            self.history.append(taken)
            self.history[0][0] = 1
            self.heap -= taken[0]
            self.current_player = 3 - self.current_player
            return None, int(self.heap == 0), self.heap == 0, False, {}

    assert names(Noted) == ("heap", "player", "end")
    assert "history" in names(Changed)


def test_only_the_end_of_a_list_counts_if_nothing_else_is_read() -> None:
    class Tower(Heap):
        def reset(self, **options: Any) -> Any:
            self.tower: list[int] = []
            return super().reset(**options)

        def step(self, action: Any) -> Any:
            self.tower.append(action)
            self.current_player = 3 - self.current_player
            return None, int(action == 4), action == 4, False, {}

        def valid_moves(self) -> Any:
            if not self.tower:
                return [0, 1]
            return [n for n in range(5) if n != self.tower[-1] and n <= self.tower[-1] + 2]

    class Short(Tower):
        def step(self, action: Any) -> Any:
            view = np.zeros(3, np.int8)
            self.tower.append(action)
            view[: len(self.tower)] = self.tower
            self.current_player = 3 - self.current_player
            return view, int(action == 4), action == 4, False, {}

    class Repeated(Tower):
        def valid_moves(self) -> Any:
            return [n for n in range(5) if n not in self.tower]

    states = list(walk(zerosum.from_env(Tower)))
    assert {state.tower for state in states} == {(), (0,), (1,), (2,), (3,), (4,)}
    assert "tower" in attribute_flow(Tower).tails
    assert "tower" not in attribute_flow(Repeated).tails
    assert "could not broadcast" in refused(Short, "crash")
