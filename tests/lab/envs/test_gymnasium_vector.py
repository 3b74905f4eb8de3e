"""Many games at once, beside as many single environments, step by step."""

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from hypothesis import given
from hypothesis import strategies as st

from tests.games import Sticks
from tests.graphs import graphs
from tests.lab.envs.games import LIMIT, USER_GAMES
from zerosum.bulk import Table
from zerosum.envs import Encoding, gym_env, vector_env
from zerosum.errors import OptionError, UnreadableMove, ZerosumError
from zerosum.lab.envs import gymnasium_vector as vector
from zerosum.lab.envs.gymnasium_vector import TableVectorEnv
from zerosum.limits import Limits
from zerosum.players.level_policies import level_policy
from zerosum.protocol import Game

ENVS = 7


def assert_same(infos: dict[str, Any], expected: dict[str, Any]) -> None:
    """Compare what all environments are told; reasons are words, which only single ones have."""
    for name in {*infos, *expected} - {"reason", "_reason"}:
        if name.startswith("_"):
            assert (infos[name] == expected.get(name, False)).all(), name
        elif name in expected:
            there = expected[f"_{name}"]
            assert (infos[name][there] == expected[name][there]).all(), name


@given(graphs(), st.integers(0, 1), st.integers(0, 1000), st.integers(1, 8), st.booleans())
def test_vector_environments_agree_with_single_ones(
    game: Game[Any], seat: Any, seed: int, max_plies: int, with_mask: bool
) -> None:
    arguments: Any = {"values": True, "max_plies": max_plies, "mask_in_observation": with_mask}
    # The perfect level never draws lots.
    fast = vector_env(game, ENVS, "perfect", seat, **arguments)
    slow = SyncVectorEnv([lambda: gym_env(game, "perfect", seat, **arguments)] * ENVS)
    assert isinstance(fast, TableVectorEnv)
    assert fast.metadata["autoreset_mode"] is slow.metadata["autoreset_mode"]
    assert fast.observation_space == slow.observation_space
    assert fast.action_space == slow.action_space
    results: list[Any] = [fast.reset(), slow.reset()]
    rng = np.random.default_rng(seed)
    for _ in range(10):
        (observations, *parts, infos), (expected, *others, their_infos) = results
        assert observations in fast.observation_space
        if with_mask:
            assert (observations["action_mask"] == expected["action_mask"]).all()
            observations, expected = observations["observation"], expected["observation"]
        assert (observations == expected).all()
        assert all((part == other).all() for part, other in zip(parts, others, strict=True))
        assert_same(infos, their_infos)
        actions = rng.integers(len(Encoding.of(game).actions), size=ENVS)
        results = [fast.step(actions), slow.step(actions)]


@given(graphs(), st.integers(0, 1000))
def test_opponents_move_by_their_chances(game: Game[Any], seed: int) -> None:
    table, rng = Table(game), np.random.default_rng(seed)
    weights = rng.integers(3, size=len(table.moves)) + 0.0
    sums = np.bincount(table.sources, weights, len(table))[table.sources]
    policy = np.where(sums > 0, weights / np.maximum(sums, 1), level_policy(table, "perfect"))
    envs = vector_env(table, 2001, policy, seat=1 - game.initial().player, max_plies=1)
    envs.np_random = Points(np.linspace(0, np.nextafter(1, 0), 2001))  # type: ignore[assignment]
    envs.reset()
    edges = np.arange(*table.offsets[table.start : table.start + 2])
    shares = np.bincount(envs.states, minlength=len(table)) / 2001  # type: ignore[attr-defined]
    expected = np.bincount(table.targets[edges], policy[edges], len(table))
    assert np.allclose(shares, expected, atol=0.002)
    assert not shares[expected == 0].any()


class Points:
    """Given points, in the place of a random generator."""

    def __init__(self, points: Any) -> None:
        self.points = points

    def random(self, size: tuple[int, int], kind: Any) -> Any:
        return self.points.reshape(size).astype(kind)


def test_seeds_repeat_games_in_random_seats() -> None:
    envs = gymnasium.make_vec("zerosum/DigitBattle-v0", num_envs=200, lives=2)
    assert isinstance(envs.unwrapped, TableVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP

    def play() -> list[Any]:
        seen: list[Any] = [envs.reset(seed=3), *(envs.step(np.full(200, n % 9)) for n in range(12))]
        return [*(step[0].tolist() for step in seen), *(step[1].tolist() for step in seen[1:])]

    first = play()
    assert play() == first
    envs.reset(seed=3)
    assert copy.deepcopy(envs).step(np.zeros(200, int))[0].tolist() == first[1]
    seats = envs.reset(seed=4)[1]["seat"]
    assert 60 < seats.sum() < 140
    rewards = np.array(first[13:])
    assert {*rewards.ravel().tolist()} == {-1.0, 0.0, 1.0}


def test_opponents_may_be_policies_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(Sticks(3))
    forced = np.diff(table.offsets)[table.sources] == 1
    always_two = forced | (table.moves == table.actions.index(2))
    envs = vector_env(table, 2, always_two.astype(float), seat=1, one_hot=False)
    assert envs.reset()[0].tolist() == [[1, 2], [1, 2]]
    monkeypatch.setattr(vector, "PERSON", Limits(100))
    with pytest.raises(ZerosumError, match="pass the table"):
        vector_env(USER_GAMES[2], 2, always_two.astype(float))


def test_games_without_a_table_step_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector, "PERSON", Limits(100))
    large = USER_GAMES[2]
    for game, opponent in ((large, "random"), (Sticks(), lambda game, state: 1)):
        envs = vector_env(game, 3, opponent, encoding=Encoding.of(game, limit=LIMIT))
        assert isinstance(envs, SyncVectorEnv)
        envs.reset(seed=1)
        assert envs.step(envs.action_space.sample())[1].shape == (3,)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(OptionError, match="num_envs: must be a whole number of at least 1"):
        vector_env(Sticks(), 0)
    envs = vector_env(Sticks(9), 2)
    envs.reset()
    for actions in ([0, 2], [0], [0.0, 1.0], [-1, 0], [[0], [0, 1]]):
        with pytest.raises(UnreadableMove, match="Actions are 2 numbers from 0 to 1, not "):
            envs.step(actions)
    assert envs.step(np.array([0, 1], np.uint64))[1].tolist() == [0.0, 0.0]


def test_resets_are_those_of_gymnasium() -> None:
    envs: Any = vector_env(Sticks(9), 3, "perfect", seat=0)
    with pytest.raises(ResetNeeded, match=r"call reset\(\) before step"):
        envs.step(np.zeros(3, int))
    first = envs.reset(seed=[1, 2, 3])[0].tolist()
    played = envs.step(np.zeros(3, int))[0].tolist()
    marked = np.array([False, True, False])
    assert envs.reset(options={"reset_mask": marked})[0].tolist() == [
        played[0],
        first[1],
        played[2],
    ]
    for wrong in ({"seed": [1, 2]}, {"seed": [1, 2, None]}, {"options": {"reset_mask": [1, 0, 1]}}):
        with pytest.raises(ZerosumError, match=r"seed: pass|reset_mask: pass"):
            envs.reset(**wrong)
