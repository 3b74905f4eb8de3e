"""PPO of Stable-Baselines3 learns a game against an opponent, and is measured exactly.

    pip install sb3-contrib
    python ppo.py                       Dual Digits, 15,000 steps, three seeds
    python ppo.py --numbers             the same, with each number as one plain number
    python ppo.py --game even-steven    another game

It plays against a level, and is then asked about every position of the game.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import torch
from sb3_contrib import MaskablePPO

import zerosum
from zerosum.bulk import Table, exploitability
from zerosum.envs import Encoding, sb3_env
from zerosum.lab.measure import measure_player
from zerosum.players import policy_of

GAMES = 8  # played at the same time
STEPS = 15_000


def player(model: Any, encoding: Encoding) -> Callable[[Any, Any], dict[zerosum.Move, float]]:
    """Return what the network would do as a function that `measure` and environments take."""

    def choose(game: Any, state: Any) -> dict[zerosum.Move, float]:
        seen = torch.as_tensor(encoding.vector(state)[None])
        with torch.no_grad():
            chosen = model.policy.get_distribution(seen, encoding.mask(state)[None])
        chances = chosen.distribution.logits[0].double().softmax(-1).tolist()
        return {move: chances[encoding.number_of(move)] for move in game.moves(state)}

    return choose


def main() -> None:
    """Learn with three seeds, and print how well each plays."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="dual-digits")
    parser.add_argument("--opponent", default="medium")
    parser.add_argument("--numbers", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(1)  # the network is small
    table = Table(zerosum.game(arguments.game))
    encoding = Encoding.of(table, one_hot=not arguments.numbers)
    for seed in range(3):
        envs = sb3_env(table, GAMES, arguments.opponent, encoding=encoding)
        model = MaskablePPO("MlpPolicy", envs, n_steps=2048 // GAMES, seed=seed, device="cpu")
        model.learn(STEPS)
        policy = policy_of(table, player(model, encoding))
        measured: Any = measure_player(table.game, policy)
        print(
            f"seed {seed}: right in {measured.good.value:.1%} of {measured.decisions} decisions"
            f" (random play {measured.random:.1%}), {measured.scores[0].overall:.3f} against"
            f" random play, exploitability {exploitability(table, policy):.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
