"""Steps a second of the environments, beside the plain rules and Gymnasium's own overhead.

    make bench

Every digit is always legal in Digit Battle, so the same random actions suit all of them. A step
against an opponent has two moves, but for the first and the last of an episode. PettingZoo and
OpenSpiel play noughts and crosses, which they have too; that of PettingZoo needs pygame.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import SyncVectorEnv

import zerosum
from zerosum.books.digit_battle.rules import DigitBattle
from zerosum.envs import aec_env, gym_env, openspiel_game, vector_env

SECONDS = 0.2
RUNS = 10
ENVS = (64, 1024, 16384)
GAME = zerosum.game("digit-battle")
NOUGHTS = zerosum.game(
    str(Path(__file__).parents[1] / "docs" / "examples" / "noughts_and_crosses.py")
)
DIGITS = [Random(1).randrange(9) for _ in range(1 << 16)]


class DigitBattleEnv(gymnasium.Env[Any, Any]):
    """The same rules in the style of gg-bench: one object that each step changes."""

    def __init__(self) -> None:
        """Describe the actions and observations."""
        self.action_space = gymnasium.spaces.Discrete(9)
        self.observation_space = gymnasium.spaces.Box(-200, 20, (4,), np.float32)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Start a game."""
        super().reset(seed=seed)
        self.number, self.lives, self.player = 0, [10, 10], 0
        return self._observation(), {}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Make a move of the player whose turn it is."""
        if action not in self.valid_moves():
            return self._observation(), -10.0, True, False, {}
        digit, player = action + 1, self.player
        self.number += -digit if self.number % 2 else digit
        if self.number < 0:
            self.lives[player] -= 1
        elif self.number == 15:
            self.lives[1 - player] -= 3
            self.number = 0
        elif self.number > 20:
            self.lives[player] -= 2
            self.number = 10
        self.player = 1 - player
        won, lost = self.lives[1 - player] <= 0, self.lives[player] <= 0
        return self._observation(), float(won) - float(lost), won or lost, False, {}

    def valid_moves(self) -> list[int]:
        """List the legal actions."""
        return list(range(9))

    def _observation(self) -> Any:
        return np.array([self.number, *self.lives, self.player], np.float32)


class BareEnv(gymnasium.Env[Any, Any]):
    """Nothing but what Gymnasium asks for: an observation that never changes."""

    def __init__(self) -> None:
        """Describe the actions and observations."""
        self.action_space = gymnasium.spaces.Discrete(9)
        self.observation_space = gymnasium.spaces.Box(0, 1, (4,), np.float32)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Start again."""
        super().reset(seed=seed)
        return np.zeros(4, np.float32), {}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Do nothing; end about as often as a game does."""
        return np.zeros(4, np.float32), 0.0, action == 8, False, {}


def rate(work: Callable[[], int]) -> float:
    """Return the steps a second; the work returns how many it did."""
    steps, began = 0, time.perf_counter()
    while (took := time.perf_counter() - began) < SECONDS:
        steps += work()
    return steps / took


def rules() -> int:
    """Play random moves by the plain rules, and return how many."""
    game = DigitBattle()
    state = game.initial()
    for digit in DIGITS[:5000]:
        state = game.play(state, digit + 1)
        if game.outcome(state) is not None:
            state = game.initial()
    return 5000


def single(env: Any) -> Callable[[], int]:
    """Return the work of random steps in one environment."""
    env.reset(seed=1)

    def work() -> int:
        for digit in DIGITS[:5000]:
            _, _, terminated, truncated, _ = env.step(digit)
            if terminated or truncated:
                env.reset()
        return 5000

    return work


def many(envs: Any) -> Callable[[], int]:
    """Return the work of random steps in many environments."""
    envs.reset(seed=1)
    count = int(envs.num_envs)
    actions = [np.roll(np.resize(DIGITS, count), shift) for shift in range(20)]

    def work() -> int:
        for each in actions:
            envs.step(each)
        return 20 * count

    return work


def noughts() -> Callable[[], int]:
    """Return the work of a random game of noughts and crosses by the plain rules."""
    rng = Random(1)

    def work() -> int:
        state, moves = NOUGHTS.initial(), 0
        while NOUGHTS.outcome(state) is None:
            state, moves = NOUGHTS.play(state, rng.choice(NOUGHTS.moves(state))), moves + 1
        return moves

    return work


def agents(env: Any) -> Callable[[], int]:
    """Return the work of a random game in an environment of PettingZoo."""
    rng = Random(1)

    def work() -> int:
        moves = 0
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
                moves += 1
        return moves

    return work


def states(game: Any) -> Callable[[], int]:
    """Return the work of a random game in OpenSpiel."""
    rng = Random(1)

    def work() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
        return moves

    return work


def boards() -> dict[str, Callable[[], int]]:
    """Return the works of noughts and crosses in the libraries that have it too."""
    import pyspiel

    works = {
        "plain rules": noughts(),
        "openspiel_game": states(openspiel_game(NOUGHTS)),
        "OpenSpiel's own, in C++": states(pyspiel.load_game("tic_tac_toe")),
        "aec_env": agents(aec_env(NOUGHTS)),
    }
    try:
        from pettingzoo.classic import tictactoe_v3
    except ModuleNotFoundError as error:
        print(f"PettingZoo's own game was not measured: pip install {error.name}")
    else:
        works["PettingZoo's own"] = agents(tictactoe_v3.env())
    return works


def best_rates(works: dict[str, Callable[[], int]]) -> dict[str, float]:
    """Measure all in turn, several times, and return the best of each."""
    rates = dict.fromkeys(works, 0.0)
    for _ in range(RUNS):
        for name, work in works.items():
            rates[name] = max(rates[name], rate(work))
    return rates


def main() -> None:
    """Measure all, and print moves and steps a second."""
    made = gymnasium.make("zerosum/DigitBattle-v0", opponent="random")
    # The work, and about how many moves a step has.
    works: dict[str, tuple[Callable[[], int], int]] = {
        "plain rules": (rules, 1),
        "gg-bench style": (single(DigitBattleEnv()), 1),
        "bare Gymnasium": (single(BareEnv()), 0),
        "gym_env, random": (single(gym_env(GAME, "random")), 2),
        "gym_env, medium": (single(gym_env(GAME, "medium")), 2),
        "gym_env, medium, values": (single(gym_env(GAME, "medium", values=True)), 2),
        "gymnasium.make, random": (single(made), 2),
        "SyncVectorEnv, 64": (many(SyncVectorEnv([lambda: gym_env(GAME, "random")] * 64)), 2),
    }
    for count in ENVS:
        for level in ("random", "medium"):
            envs = vector_env(GAME, count, level)
            works[f"vector_env, {level}, {count}"] = many(envs), 2
    rates = best_rates({name: work for name, (work, _) in works.items()})
    print(f"{'Digit Battle':<28}{'steps/s':>14}{'moves, about':>14}{'x the rules':>13}")
    for name, (_, moves) in works.items():
        ratio = f"{rates[name] * moves / rates['plain rules']:13.2f}" if moves else ""
        print(f"{name:<28}{rates[name]:14,.0f}{rates[name] * moves:14,.0f}{ratio}")
    print(f"\n{'Noughts and crosses':<28}{'moves/s':>14}")
    for name, number in best_rates(boards()).items():
        print(f"{name:<28}{number:14,.0f}")


if __name__ == "__main__":
    main()
