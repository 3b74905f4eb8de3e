"""A game as an environment of Gymnasium: the learner moves, and the opponent replies."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.envs.registration import register, registry
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray

from zerosum.bulk.table import Floats, Table
from zerosum.errors import OptionError, UnreadableMove, ZerosumError
from zerosum.lab.envs.encoding import MAX_PLIES, Encoding, encoding_of
from zerosum.lab.envs.episode import EncodedState, Episode, check_solvable, solution_of
from zerosum.options import option_values
from zerosum.players.asked import answer_of
from zerosum.players.level_policies import PolicyPlayer
from zerosum.players.levels import Bot, check_level, policy, sample, uniform
from zerosum.protocol import Game, Move
from zerosum.registry import BUILT_IN, entry_of
from zerosum.registry import game as built_in
from zerosum.text import brief
from zerosum.wording.texts import describe

AnyOpponent = str | Bot | Callable[[Game[Any], Any], Move | Mapping[Move, float]] | Floats
LearnerSeat = Literal[0, 1, "random"]


def gym_env(
    game: Game[Any] | Table[Any] | str,
    opponent: AnyOpponent = "medium",
    seat: LearnerSeat = "random",
    *,
    values: bool = False,
    mask_in_observation: bool = False,
    max_plies: int = MAX_PLIES,
    encoding: Encoding | None = None,
    one_hot: bool = True,
    planes: bool | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> GameEnv:
    """Make a Gymnasium environment of any game: the learner has a seat, the opponent the other.

    `opponent` is a level, a Bot, a function `choose(game, state)` that returns a move or a dict of
    moves and their chances, or a policy of the table that is passed as the game. `values` adds the
    exact value of every position to `info`, and the regret of every move. A game can be given by
    its name, with its options.

    >>> import zerosum
    >>> env = gym_env(zerosum.game("dual-digits", start=7), "perfect", seat=0, values=True)
    >>> observation, info = env.reset(seed=1)
    >>> observation[:8], info["action_mask"], info["value"]
    (array([0., 0., 0., 0., 0., 0., 0., 1.], dtype=float32), array([1, 1, 1, 1], dtype=int8), 1)
    >>> observation, reward, terminated, truncated, info = env.step(0)
    >>> env.position, reward, terminated, info["value"], info["regret"]
    (State(number=3, previous=3, player=0), 0.0, False, -1, 2)
    """
    check_learner_seat(seat)
    check_render_mode(render_mode)
    rules = variant_of(game, options)
    if hasattr(opponent, "__array__"):
        opponent = PolicyPlayer(table_for(game), opponent)
    check_opponent(rules, opponent)
    seen = encoding_of(game if isinstance(game, Table) else rules, encoding, one_hot, planes)
    episode = Episode(seen, max_plies, values)
    return GameEnv(episode, opponent, seat, mask_in_observation, render_mode)


class GameEnv(gymnasium.Env[Any, Any]):
    """One learner in one seat; see `gym_env`."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        episode: Episode,
        opponent: AnyOpponent,
        seat: LearnerSeat,
        with_mask: bool,
        render_mode: str | None,
    ) -> None:
        """Take a game that has not begun, and what gym_env has checked."""
        self.encoding = episode.encoding
        self.game = episode.encoding.game
        self.opponent = opponent
        self.seat = seat
        self.render_mode = render_mode
        self.action_space = Discrete(len(self.encoding.actions))
        self.observation_space = observation_space(self.encoding, with_mask)
        self._episode, self._with_mask = episode, with_mask
        self._learner = 0
        self._begun = False
        self._done = True

    @property
    def position(self) -> Any:
        """The state of the game; None before the first reset."""
        return self._episode.now.state if self._begun else None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start a game, or one in options["state"]; if the opponent begins, its moves are made."""
        super().reset(seed=seed)
        seat = self.np_random.integers(2) if self.seat == "random" else self.seat
        self._learner = int(seat)
        self._episode.restart(options)
        self._begun, self._done = True, False
        self._reply()
        return self._observed()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Make the learner's move and the opponent's reply; an illegal move loses."""
        if self._done:
            raise ResetNeeded("The episode is over: call reset() before step().")
        number, episode = self._number(action), self._episode
        self._done = True  # until the opponent has replied without failing
        # If the opponent won before the learner could move, any action ends the episode.
        if episode.end is None:
            episode.play(number)
        self._reply()
        observation, info = self._observed()
        if episode.values:
            info["regret"] = episode.regrets[self._learner]
        end = episode.end
        self._done = end is not None
        endless = end is not None and end.early == "endless"
        reward = float(end.scores[self._learner]) if end else 0.0
        return observation, reward, self._done and not endless, endless, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of the legal actions, by the name that sb3-contrib looks for."""
        return self._episode.mask(self._learner).astype(bool)

    def render(self) -> str | None:
        """Return the position in the words of the game, in the mode 'ansi'."""
        if self.render_mode is None:
            return None
        if not self._begun:
            raise ResetNeeded("There is no game yet: call reset() before render().")
        return describe(self.game, self.position)

    def _number(self, action: Any) -> int:
        """Return an action as a plain number; refuse what is not in the action space."""
        try:
            number = operator.index(action)
        except TypeError:
            number = -1
        if not 0 <= number < len(self.encoding.actions):
            most = len(self.encoding.actions) - 1
            raise UnreadableMove(f"An action is a number from 0 to {most}, not {brief(action)}.")
        return number

    def _reply(self) -> None:
        """Make the opponent's moves, until it is the learner's turn."""
        episode = self._episode
        while episode.end is None and episode.now.player != self._learner:
            move = opponents_move(self.game, self.opponent, episode.now, self.np_random)
            episode.advance(move)

    def _observed(self) -> tuple[Any, dict[str, Any]]:
        """Return the observation and the info of the current position."""
        episode, learner = self._episode, self._learner
        info: dict[str, Any] = {"action_mask": episode.mask(learner), "seat": learner}
        if episode.end:
            info.update(end=episode.end.code(learner), reason=episode.end.reason)
        if episode.values:
            info["value"], info["plies"] = episode.worth(learner)
        return episode.observation(learner, self._with_mask), info


def opponents_move(game: Game[Any], opponent: AnyOpponent, now: EncodedState, rng: Any) -> Move:
    """Choose a legal move; only a Bot and a function can have randomness of their own."""
    if isinstance(opponent, str):
        if opponent not in now.chances:
            known = opponent != "random"
            chances = policy(solution_of(game), opponent, now.state) if known else None
            now.chances[opponent] = chances or uniform(game, now.state)
        return sample(now.chances[opponent], rng)
    return sample(answer_of(game, opponent, now.state), rng)


def observation_space(encoding: Encoding, with_mask: bool) -> Box | Dict:
    """Return the space of a game's vectors, or of vectors and masks."""
    layout = encoding.layout
    vectors = Box(layout.low, layout.high, dtype=layout.dtype)
    if not with_mask:
        return vectors
    masks = Box(0, 1, (len(encoding.actions),), np.int8)
    return Dict({"observation": vectors, "action_mask": masks})


def check_learner_seat(seat: object) -> None:
    """Refuse a seat other than 0, 1 or 'random'."""
    if isinstance(seat, (bool, float)) or seat not in (0, 1, "random"):
        raise ZerosumError(f"seat: must be 0, 1 or 'random', not {brief(seat)}.")


def check_render_mode(mode: object) -> None:
    """Refuse a render mode other than 'ansi' and None."""
    if mode not in (None, "ansi"):
        raise OptionError("render_mode", f"must be 'ansi' or None, not {brief(mode)}.")


def check_opponent(game: Game[Any], opponent: AnyOpponent) -> None:
    """Refuse what cannot choose moves; a level solves the game now."""
    if isinstance(opponent, str):
        if check_level(opponent) != "random":
            instead = "opponent='random', a Bot or a function"
            check_solvable(game, f"opponent='{opponent}'", instead)
    elif not callable(getattr(opponent, "move", opponent)):
        raise ZerosumError(f"opponent: pass a level, a Bot or a function, not {brief(opponent)}.")


def table_for(game: object) -> Table[Any]:
    """Return the table that a policy is for, which must have been passed as the game."""
    if isinstance(game, Table):
        return game
    raise ZerosumError("opponent: pass the table that the policy is for as the game.")


def variant_of(game: Game[Any] | Table[Any] | str, options: dict[str, Any]) -> Game[Any]:
    """Return a game with options, which may be given by its name or its table."""
    if isinstance(game, Table):
        game = game.game
    if isinstance(game, str):
        return built_in(game, **options)
    if options:
        return entry_of(game).variant(**option_values(game) | options)
    return game


def register_games() -> None:
    """Register the built-in games with Gymnasium."""
    for name, where in BUILT_IN.items():
        env_id = f"zerosum/{where.rpartition(':')[2]}-v0"
        if env_id not in registry:
            register(
                env_id,
                entry_point="zerosum.envs:gym_env",
                vector_entry_point="zerosum.envs:vector_env",
                kwargs={"game": name},
            )
