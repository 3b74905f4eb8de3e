"""Games as PettingZoo environments: its own checks, and the plain rules beside it, step by step."""

import sys
import warnings
from functools import partial
from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.games import Lights
from tests.graphs import graphs
from tests.lab.envs.games import BUILT_IN, LIMIT, USER_GAMES
from tests.naive import RANK, Naive
from zerosum.envs import Encoding, aec_env
from zerosum.errors import OptionError
from zerosum.protocol import Game

pettingzoo_test = pytest.importorskip(
    "pettingzoo.test", reason="PettingZoo is not installed: pip install '.[rl]'"
)

GAMES: list[Game[Any]] = [*BUILT_IN, *USER_GAMES]
# PettingZoo 1.27 says these about every environment with a mask, except for its own.
SAID_OF_MASKS = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box",
)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_checks_of_pettingzoo_pass(game: Game[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    # The benchmark lasts five seconds, by this clock.
    module = sys.modules["pettingzoo.test.performance_benchmark"]
    monkeypatch.setattr(module, "time", SimpleNamespace(time=count(step=0.5).__next__))
    for mask_in_observation in (True, False):
        make = partial(
            aec_env,
            game,
            mask_in_observation=mask_in_observation,
            encoding=Encoding.of(game, limit=LIMIT),
        )
        env = make()
        for agent in env.possible_agents:
            env.action_space(agent).seed(1)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            pettingzoo_test.api_test(env, num_cycles=20)
        said = SAID_OF_MASKS if mask_in_observation else ()
        assert all(str(warning.message).startswith(said) for warning in caught)
        pettingzoo_test.seed_test(make, num_cycles=20)
    pettingzoo_test.performance_benchmark(make())


@given(graphs(), st.data())
def test_environment_and_rules_agree_step_by_step(game: Game[Any], data: st.DataObject) -> None:
    env = aec_env(game, values=True, max_plies=6)
    naive, encoding, state = Naive(game), env.encoding, game.initial()
    env.reset(seed=data.draw(st.integers(0, 9)))
    regret = {"player_0": 0, "player_1": 0}
    for plies in count():
        assert env.position == state
        outcome, agent = game.outcome(state), f"player_{state.player}"
        assert env.agent_selection == agent
        over, cut = outcome is not None, outcome is None and plies == 6
        assert env.terminations == dict.fromkeys(regret, over)
        assert env.truncations == dict.fromkeys(regret, cut)
        for seat, name in enumerate(regret):
            winner = outcome.winner if outcome else None
            assert env.rewards[name] == (winner == seat) - (winner == 1 - seat)
            seen = env.observe(name)
            assert env.observation_space(name).contains(seen)
            assert np.array_equal(seen["observation"], encoding.vector(state))
            legal = game.moves(state) if name == agent and not cut else ()
            numbers = sorted(map(encoding.number_of, legal))
            assert np.flatnonzero(seen["action_mask"]).tolist() == numbers
            result = RANK[naive.values[state].result] - 1
            assert env.infos[name]["value"] == (result if name == agent else -result)
            assert env.infos[name]["regret"] == regret[name]
        if over or cut:
            break
        move = data.draw(st.sampled_from(game.moves(state)))
        best, made = naive.values[state], naive.moves(state)[move]
        regret[agent] = RANK[best.result] - RANK[made.result]
        state = game.play(state, move)
        env.step(encoding.number_of(move))
    for _ in regret:
        env.step(None)
    assert not env.agents


def test_illegal_action_ends_the_game_with_a_loss() -> None:
    env = aec_env(zerosum.game("even-steven", start=3), values=True, mask_in_observation=False)
    env.reset()
    value = env.infos["player_0"]["value"]
    env.step(1)  # 3 is odd and cannot be halved
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.truncations == {"player_0": False, "player_1": False}
    assert env.rewards == {"player_0": -1, "player_1": 0}
    first, second = (dict(env.infos[agent]) for agent in env.possible_agents)
    assert not (first.pop("action_mask") | second.pop("action_mask")).any()
    reason = "Only an even number can be divided by 2. Legal now: 1."
    assert first == {"reason": reason, "value": -1, "plies": 0, "regret": value + 1}
    assert second == {"value": 0, "plies": 0, "regret": 0}
    env.reset()
    with pytest.raises(AssertionError):
        env.step(2)  # there are two actions


def test_position_is_rendered_in_the_words_of_the_game() -> None:
    env = aec_env(zerosum.game("even-steven", start=1), render_mode="ansi")
    env.reset()
    assert "Number: 1" in env.render()
    env.step(0)
    assert "First player won" in env.render()


def test_arguments_are_checked() -> None:
    with pytest.raises(OptionError, match="max_plies"):
        aec_env(Lights(), max_plies=0)
    with pytest.raises(OptionError, match="render_mode"):
        aec_env(Lights(), render_mode="human")
