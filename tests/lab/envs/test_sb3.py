"""Games as environments of Stable-Baselines3: its own checks, and masks and resets beside ours."""

from typing import Any

import numpy as np
import pytest

import zerosum
from tests.lab.envs.games import BUILT_IN, LIMIT, USER_GAMES
from zerosum.bulk import Table
from zerosum.envs import Encoding, gym_env, vector_env
from zerosum.players import level_policy
from zerosum.protocol import Game

pytest.importorskip(
    "stable_baselines3",
    reason="Stable-Baselines3 is not installed; `make learners` has an environment with it",
)

GAMES: list[Game[Any]] = [*BUILT_IN, *USER_GAMES]


@pytest.mark.filterwarnings("ignore:Your observation .* has an unconventional shape")
@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_checks_of_stable_baselines_pass(game: Game[Any]) -> None:
    from stable_baselines3.common.env_checker import check_env

    encoding = Encoding.of(game, limit=LIMIT)
    check_env(gym_env(game, "random", encoding=encoding))
    check_env(gym_env(game, "random", encoding=encoding, mask_in_observation=True))


def test_games_start_again_in_the_step_that_ends_them() -> None:
    from zerosum.envs import sb3_env

    arguments: Any = {"opponent": "perfect", "seat": 0, "max_plies": 4}
    ours: Any = vector_env("dual-digits", 50, **arguments)
    envs = sb3_env("dual-digits", 50, **arguments)
    first, _ = ours.reset()
    assert np.array_equal(envs.reset(), first)
    rng, ended = np.random.default_rng(1), 0
    for _ in range(20):
        assert np.array_equal(np.stack(envs.env_method("action_masks")), ours.action_masks())
        actions = rng.integers(4, size=50)
        expected, rewards, terminated, truncated, _ = ours.step(actions)
        observations, theirs, dones, rows = envs.step(actions)
        over = terminated | truncated
        assert np.array_equal(theirs, rewards)
        assert np.array_equal(dones, over)
        assert np.array_equal(observations[~over], expected[~over])
        assert np.array_equal(observations[over], first[over])
        for number in np.flatnonzero(over).tolist():
            assert np.array_equal(rows[number]["terminal_observation"], expected[number])
            assert rows[number]["TimeLimit.truncated"] == truncated[number]
            assert rows[number]["end"]
        if over.any():
            ours.reset(options={"reset_mask": over})
        ended += int(over.sum())
    assert ended > 50


def test_seeds_and_states_are_for_the_next_reset() -> None:
    from zerosum.envs import sb3_env

    envs: Any = sb3_env(zerosum.game("digit-battle", lives=2), 8, "easy")
    seen = []
    for _ in range(2):
        envs.seed(3)
        seen.append([envs.reset().tolist(), envs.step(np.zeros(8, int))[0].tolist()])
    assert seen[0] == seen[1]
    envs = sb3_env("dual-digits", 3, "perfect", seat=0)
    envs.set_options([{}, {"state": (7, 2, 0)}, {}])
    for number in (7, 25):
        envs.reset()
        positions = [envs.envs.table.state(state) for state in envs.envs.states]
        assert [position.number for position in positions] == [25, number, 25]


def test_masked_learner_makes_legal_moves() -> None:
    from sb3_contrib import MaskablePPO

    from zerosum.envs import sb3_env

    table = Table(zerosum.game("dual-digits"))

    def first_legal(game: Game[Any], state: Any) -> Any:
        return game.moves(state)[0]

    for opponent in ("medium", level_policy(table, "easy"), first_legal):
        envs: Any = sb3_env(table, 4, opponent)
        model = MaskablePPO("MlpPolicy", envs, n_steps=16, batch_size=64, device="cpu", seed=1)
        model.learn(64)
        observations = envs.reset()
        masks = np.stack(envs.env_method("action_masks"))
        actions, _ = model.predict(observations, action_masks=masks)
        assert masks[np.arange(4), actions].all()
