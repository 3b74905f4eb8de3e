"""Chance, and what an environment keeps where no state can hold it."""

import random
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import zerosum
from tests.lab.adapters.test_adapters import Heap, refused
from zerosum.solver import solved_table


class Dice(Heap):
    """Take what a die says."""

    def taken(self) -> int:
        return random.randint(1, 3)

    def step(self, action: Any) -> Any:
        self.heap = max(0, self.heap - self.taken())
        self.current_player = 3 - self.current_player
        return None, 0, self.heap == 0, False, {}


class OwnDice(Dice):
    """Take what the environment's own generator says."""

    def taken(self) -> int:
        return int(self.np_random.integers(1, 4))


@pytest.mark.parametrize("env", [Dice, OwnDice])
def test_a_game_of_chance_has_no_value(env: Any) -> None:
    assert "chance" in refused(env, "not-deterministic")


@pytest.mark.parametrize("most", [4, 40])
def test_a_random_start_depends_on_the_seed_alone(most: int) -> None:
    class Shuffled(Heap):
        def reset(self, **options: Any) -> Any:
            answer = super().reset(**options)
            self.heap = random.randint(3, most)
            return answer

    kind: Any = type(zerosum.from_env(Shuffled))
    games = [kind(seed) for seed in range(3)]
    assert len({game.initial().heap for game in games}) > 1
    assert kind().initial() == type(zerosum.from_env(lambda: Shuffled()))().initial()
    assert all("random-start" in game.notices for game in games)


def test_the_global_generators_are_left_alone() -> None:
    random.seed(5)
    expected = random.random()
    random.seed(5)
    game = zerosum.from_env(Heap)
    game.play(game.initial(), 1)
    assert random.random() == expected


HIDDEN = {
    "a global name": ("global TOTAL; TOTAL = TOTAL + a", "TOTAL % 3"),
    "a global list": ("LIST[0] = a", "LIST[0]"),
    "an attribute of the class": ("type(self).last = a", "self.last"),
    "a list of the class": ("self.shared[0] = a", "self.shared[0]"),
    "an attribute of a function": ("put.last = a", "getattr(put, 'last', 0)"),
    "a default argument": ("self.remember(a)", "self.remember()"),
    "a hash": ("a = 1 + hash(str(self.heap)) % 2", "0"),
    "a clock": ("a = 1 + int(time.time()) % 2", "0"),
}


@pytest.mark.parametrize(("change", "read"), HIDDEN.values(), ids=HIDDEN)
def test_state_outside_the_object_is_refused(change: str, read: str, tmp_path: Path) -> None:
    file = tmp_path / "hidden.py"
    file.write_text(f"""
import time
TOTAL, LIST = 0, [0]
def put(target, value):
    target[0] = value
class Hidden:
    last, shared = 0, [0]
    def reset(self, seed=None):
        self.heap, self.player = 9, 0
    def remember(self, value=None, seen=[0]):
        if value is not None:
            seen[0] = value
        return seen[0]
    def valid_moves(self):
        return [1, 2] if {read} else [1, 3]
    def step(self, a):
        {change}
        self.player, self.heap = 1 - self.player, max(0, self.heap - a)
        return None, int(self.heap == 0), self.heap == 0, False, {{}}
""")
    game = zerosum.game(str(file))
    with pytest.raises(zerosum.errors.GameError) as caught:
        zerosum.solve(game)
    assert list(game.notices) == ["hidden-state"]  # type: ignore[attr-defined]
    assert "chance" not in str(caught.value)


def test_constants_outside_the_object_may_be_read(tmp_path: Path) -> None:
    file = tmp_path / "constants.py"
    file.write_text("""
LINES = [[0, 1], [1, 2]]
class Constants:
    sizes = [1, 2]
    def reset(self, seed=None):
        self.heap, self.player, self.used = 4, 0, list(self.sizes)
    def valid_moves(self):
        return [n for line in LINES for n in line if n in self.sizes and n <= self.heap]
    def step(self, a):
        lines = [list(line) for line in LINES]
        lines[0].append(a)
        self.used.append(a)
        self.player, self.heap = 1 - self.player, self.heap - a
        return None, int(self.heap == 0), self.heap == 0, False, {}
""")
    game = zerosum.game(str(file))
    assert zerosum.solve(game).value(game.initial()).result == "win"


@pytest.mark.parametrize("played", [0, 3])
def test_what_nothing_shows_is_found_by_playing_again(played: int) -> None:
    steps, most = count(), [10**6]

    class Late(Heap):
        size = 30

        def step(self, action: Any) -> Any:
            return super().step(action if next(steps) < most[0] else 1)

    game: Any = zerosum.from_env(Late)
    root = game.initial()
    for _ in range(played):
        root = game.play(root, 2)
    most[0] = next(steps) + 30
    with pytest.raises(zerosum.errors.GameError, match="replayed, it differs"):
        solved_table(game, root=root)
    assert "hidden-state" in game.notices
