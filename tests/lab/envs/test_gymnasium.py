"""Games as Gymnasium environments: its own checks, and the plain rules beside it, step by step."""

import copy
import pickle
import sys
from functools import partial
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.game_files import EXAMPLES, NOUGHTS, PASS
from tests.games import Pile, Sticks
from tests.graphs import graph, graphs
from tests.lab.envs.games import LIMIT, USER_GAMES
from tests.naive import RANK, Naive
from zerosum.bulk import Table
from zerosum.envs import Encoding, aec_env, gym_env, vector_env
from zerosum.errors import (
    IllegalMove,
    MatchError,
    OptionError,
    PolicyError,
    TooLarge,
    UnknownLevel,
    UnreadableMove,
    ZerosumError,
)
from zerosum.lab.envs import episode
from zerosum.lab.envs.gymnasium_env import GameEnv, opponents_move
from zerosum.limits import Limits
from zerosum.players.level_policies import level_policy
from zerosum.players.levels import LEVELS, policy
from zerosum.protocol import Game

BUILT_IN = ("EvenSteven", "DivisorDuel", "DualDigits", "NumberNavigator", "DigitBattle")
REWARDS = {"won": 1.0, "lost": -1.0, "drawn": 0.0}


def kind(game: Game[Any]) -> str:
    return type(game).__name__


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_games_pass_the_checks_of_gymnasium(name: str) -> None:
    check_env(gymnasium.make(f"zerosum/{name}-v0", values=True).unwrapped)
    check_env(gymnasium.make(f"zerosum/{name}-v0", mask_in_observation=True).unwrapped)


@pytest.mark.parametrize("game", USER_GAMES, ids=kind)
def test_games_of_users_pass_the_checks_of_gymnasium(game: Game[Any]) -> None:
    for mask_in_observation in (False, True):
        encoding = Encoding.of(game, limit=LIMIT)
        env = gym_env(game, "random", mask_in_observation=mask_in_observation, encoding=encoding)
        check_env(env, skip_render_check=True)


class Recorder:
    """An opponent that plays at random, and writes down what it was asked and answered."""

    def __init__(self, game: Game[Any], seed: int) -> None:
        self.game, self.rng = game, Random(seed)
        self.asked: list[tuple[Any, Any]] = []

    def move(self, state: Any) -> Any:
        move = self.rng.choice(self.game.moves(state))
        self.asked.append((state, move))
        return move


@given(graphs(), st.sampled_from((0, 1, "random")), st.integers(0, 1000), st.integers(1, 12))
def test_environments_agree_with_the_rules(
    game: Game[Any], seat: Any, seed: int, max_plies: int
) -> None:
    opponent, encoding, exact = Recorder(game, seed), Encoding.of(game), Naive(game).values
    env = gym_env(game, opponent, seat, values=True, max_plies=max_plies)
    observation, info = env.reset(seed=seed)
    learner, state, plies = info["seat"], game.initial(), 0
    assert seat in (learner, "random")
    reward, terminated, truncated, rng = 0.0, False, False, Random(seed)
    while True:
        while not game.outcome(state) and state.player != learner and plies < max_plies:
            asked, move = opponent.asked.pop(0)
            assert asked == state
            state, plies = game.play(state, move), plies + 1
        outcome = game.outcome(state)
        end = None if plies < max_plies else "endless"
        if outcome:
            end = "won" if outcome.winner == learner else "lost"
            end = "drawn" if outcome.winner is None else end
        assert info.get("end") == end
        assert ("cut off after" in info.get("reason", "")) == (end == "endless")
        assert not opponent.asked
        assert env.position == state
        assert observation.tolist() == encoding.vector(state).tolist()
        legal = () if end else game.moves(state)
        assert {encoding.actions[n] for n in np.flatnonzero(info["action_mask"])} == set(legal)
        value = RANK[exact[state].result] - 1
        assert info["value"] == (value if state.player == learner else -value)
        assert info["plies"] == (-1 if exact[state].plies is None else exact[state].plies)
        if terminated or truncated:
            assert (terminated, truncated) == (end != "endless", end == "endless")
            assert reward == REWARDS.get(str(end), 0.0)
            break
        assert reward == 0.0
        number = rng.randrange(len(encoding.actions))
        observation, reward, terminated, truncated, info = env.step(number)
        if end:  # the opponent has won before the learner could move
            continue
        move, before = encoding.actions[number], RANK[exact[state].result]
        if move not in legal:
            assert (reward, terminated, info["end"]) == (-1.0, True, "illegal")
            assert (info["value"], info["plies"], info["regret"]) == (-1, 0, before)
            assert "is not a legal move. Legal now: " in info["reason"]
            break
        after = game.play(state, move)
        rank = RANK[exact[after].result]
        assert info["regret"] == before - (rank if after.player == state.player else 2 - rank)
        state, plies = after, plies + 1
    with pytest.raises(ResetNeeded, match="The episode is over"):
        env.step(0)


def play_on(env: GameEnv, mask: Any, rng: Random) -> list[Any]:
    """Play legal moves to the end of an episode, and return everything that was seen."""
    seen: list[Any] = []
    ended = False
    while not ended:
        legal = np.flatnonzero(mask).tolist() or [0]
        observation, reward, terminated, truncated, info = env.step(rng.choice(legal))
        mask, ended = info.pop("action_mask"), terminated or truncated
        seen.append((observation.tolist(), mask.tolist(), reward, terminated, truncated, info))
    return seen


COUNTDOWN = str(EXAMPLES / "countdown_env.py")  # which is an environment itself


@pytest.mark.parametrize("name", ["digit-battle", COUNTDOWN, NOUGHTS, PASS, "Claims"])
def test_seeds_copies_and_pickles_continue_alike(name: str) -> None:
    # Only a class that was loaded last can be pickled, and tests load files anew.
    game = USER_GAMES[2] if name == "Claims" else zerosum.game(name)
    env = gym_env(game, "random", encoding=Encoding.of(game, limit=LIMIT))

    def episode(seed: int) -> list[Any]:
        return play_on(env, env.reset(seed=seed)[1]["action_mask"], Random(1))

    first = episode(5)
    assert episode(5) == first
    assert any(episode(seed) != first for seed in range(6, 10))
    mask = env.reset(seed=5)[1]["action_mask"]
    copies = copy.deepcopy(env), pickle.loads(pickle.dumps(env))
    assert [play_on(each, mask, Random(1)) for each in (env, *copies)] == [first] * 3


@pytest.mark.parametrize("level", LEVELS)
def test_levels_move_by_their_exact_chances(level: str) -> None:
    game = zerosum.game("dual-digits")
    state = game.play(game.initial(), 1)
    now, rng = episode.look(Encoding.of(game), state), Random(1)
    drawn = {opponents_move(game, level, now, rng) for _ in range(100)}
    chances = policy(zerosum.solve(game), level, state)
    assert now.chances[level] == chances
    assert drawn == {move for move, chance in chances.items() if chance}


def test_opponents_may_be_functions() -> None:
    game = Sticks(3)
    env = gym_env(game, lambda game, state: {1: 0.0, 2: 1.0}, seat=1)
    env.reset(seed=1)
    assert env.position == Pile(1, 1)
    for answer, error, words in (
        (7, IllegalMove, "7 is not a legal move"),
        ({1: 0.5}, UnreadableMove, "add up to 0.5, not to 1"),
    ):
        env = gym_env(game, lambda game, state, answer=answer: answer, seat=1)  # type: ignore[misc]
        with pytest.raises(error, match=words):
            env.reset()


def test_opponents_may_be_policies_of_a_table() -> None:
    table = Table(zerosum.game("dual-digits"))
    perfect = level_policy(table, "perfect")
    env, same = gym_env(table, perfect, seat=1), gym_env(table.game, "perfect", seat=1)
    seen = [each.reset(seed=1)[0].tolist() for each in (env, same)]
    assert seen[0] == seen[1]
    copied = copy.deepcopy(env)
    assert copied.step(3)[0].tolist() == same.step(3)[0].tolist()
    with pytest.raises(ZerosumError, match="opponent: pass the table that the policy is for"):
        gym_env(table.game, perfect)
    with pytest.raises(PolicyError, match="one for each edge, not 3"):
        gym_env(table, perfect[:3])


@pytest.mark.parametrize("given", [(7, 2, 0), [7, 2, 0], {"player": 0, "previous": 2, "number": 7}])
def test_episode_starts_in_a_state(given: Any) -> None:
    game = zerosum.game("dual-digits")
    env: Any = gymnasium.make("zerosum/DualDigits-v0", seat=0)
    _, info = env.reset(options={"state": given})
    assert (env.unwrapped.position, info["action_mask"].tolist()) == ((7, 2, 0), [1, 0, 1, 1])
    assert env.get_wrapper_attr("action_masks")().tolist() == [True, False, True, True]
    env.reset()
    assert env.unwrapped.position == game.initial()
    pair = aec_env(game)
    pair.reset(options={"state": given})
    assert pair.unwrapped.position == (7, 2, 0)
    many: Any = vector_env(game, 2, seat=0)
    many.reset(options={"state": given})
    assert many.table.state(many.states[0]) == (7, 2, 0)
    assert many.action_masks().tolist() == [[True, False, True, True]] * 2


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"number": 7}, "has the fields number, previous, player."),
        (7, "has the fields number, previous, player."),
        ((7, 2), "has the fields number, previous, player."),
        ((99, 2, 0), "has no vector"),
        ((7, 2, 2), "has no vector"),
        ((0, 2, 0), "over in that state"),
    ],
)
def test_no_episode_starts_in_what_is_no_position(wrong: Any, words: str) -> None:
    game = zerosum.game("dual-digits")
    for env in (gym_env(game), aec_env(game), vector_env(game, 2)):
        with pytest.raises(ZerosumError, match=words):
            env.reset(options={"state": wrong})


def test_only_one_says_what_is_observed() -> None:
    game = zerosum.game("even-steven")
    encoding = Encoding.of(game, one_hot=False)
    assert gym_env(game, encoding=encoding).reset()[0].shape == (2,)
    assert gym_env(game, one_hot=False).reset()[0].shape == (2,)
    with pytest.raises(ZerosumError, match=r"one_hot and planes to Encoding\.of"):
        gym_env(game, encoding=encoding, one_hot=False)


def test_opponent_that_fails_ends_the_episode() -> None:
    def choose(game: Any, state: Any) -> Any:
        if failing:
            raise RuntimeError("no idea")
        return 1

    env, failing = gym_env(Sticks(9), choose, seat=0, max_plies=3), True
    env.reset()
    with pytest.raises(RuntimeError, match="no idea"):
        env.step(0)
    with pytest.raises(ResetNeeded):
        env.step(0)
    failing = False
    env.reset()
    assert env.step(0)[2:4] == (False, False)
    assert env.position == Pile(7, 0)


def test_game_that_is_over_at_its_start_is_refused() -> None:
    for make in (gym_env, aec_env, partial(vector_env, num_envs=2)):
        with pytest.raises(MatchError, match="over at its start"):
            make(graph([0], [()]))


def test_positions_are_rendered_in_the_words_of_the_game() -> None:
    env = gymnasium.make("zerosum/EvenSteven-v0", seat=0, start=6, render_mode="ansi").unwrapped
    with pytest.raises(ResetNeeded, match=r"call reset\(\) before render\(\)"):
        env.render()
    env.reset()
    game = zerosum.game("even-steven", start=6)
    assert env.render() == zerosum.describe(game, game.initial())
    assert gym_env(Sticks()).render() is None


def test_games_too_large_for_a_table_say_what_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(episode, "LIMITS", Limits(100))
    large, said = USER_GAMES[2], "Claims has more than 100 positions.* {} needs its exact values"
    encoding = Encoding.of(large, limit=LIMIT)
    with pytest.raises(TooLarge, match=said.format("opponent='medium'")):
        gym_env(large, encoding=encoding)
    with pytest.raises(TooLarge, match=said.format("values=True")):
        gym_env(large, "random", values=True, encoding=encoding)
    env = gym_env(large, "random", seat=0, encoding=encoding)
    assert play_on(env, env.reset(seed=1)[1]["action_mask"], Random(1))


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"seat": 2}, ZerosumError, "seat: must be 0, 1 or 'random', not 2."),
        ({"seat": 1.0}, ZerosumError, "seat: must be 0, 1 or 'random', not 1.0."),
        ({"opponent": "medum"}, UnknownLevel, "did you mean medium"),
        ({"opponent": 3}, ZerosumError, "pass a level, a Bot or a function, not 3."),
        ({"render_mode": "human"}, OptionError, "render_mode: must be 'ansi' or None, not human."),
        ({"max_plies": 0}, OptionError, "max_plies: must be a whole number of at least 1"),
    ],
)
def test_wrong_arguments_are_refused(arguments: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        gym_env(Sticks(), **arguments)


def test_built_in_games_have_their_options() -> None:
    made = gymnasium.make("zerosum.envs:zerosum/DualDigits-v0", opponent="easy", seat=0, start=9)
    assert made.unwrapped.game == zerosum.game("dual-digits", start=9)  # type: ignore[attr-defined]
    with pytest.raises(OptionError, match="did you mean start"):
        gymnasium.make("zerosum/DualDigits-v0", strat=9)


@pytest.mark.parametrize("action", [2, -1, 0.5, "1", None])
def test_actions_outside_the_space_are_refused(action: Any) -> None:
    env = gym_env(Sticks())
    env.reset()
    with pytest.raises(UnreadableMove, match="An action is a number from 0 to 1, not "):
        env.step(action)


@pytest.mark.parametrize(
    ("name", "home", "library", "package"),
    [
        ("gym_env", "gymnasium_env", "gymnasium", r".*\[rl\]"),
        ("aec_env", "pettingzoo_env", "pettingzoo", r".*\[rl\]"),
        ("openspiel_game", "openspiel_game", "pyspiel", r".*\[rl\]"),
        ("sb3_env", "sb3_env", "stable_baselines3", "sb3-contrib$"),
    ],
)
def test_missing_library_is_explained(
    name: str, home: str, library: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, f"zerosum.lab.envs.{home}", raising=False)
    monkeypatch.setitem(sys.modules, library, None)
    said = rf"zerosum.envs.{name} needs .* -m pip install {package}"
    with pytest.raises(ZerosumError, match=said):
        zerosum.envs.__getattr__(name)
