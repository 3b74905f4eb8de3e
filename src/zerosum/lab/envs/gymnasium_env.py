"""A game as an environment of Gymnasium: the learner moves, and the opponent replies."""

from __future__ import annotations

import operator
from bisect import bisect
from collections.abc import Callable, Mapping
from inspect import signature
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal

import gymnasium
import numpy as np
from gymnasium.envs.registration import EnvSpec, register, registry
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Dict, Discrete

from zerosum.errors import OptionError, UnreadableMove, ZerosumError
from zerosum.lab.envs.encoding import MAX_PLIES, Encoding
from zerosum.lab.envs.episode import EncodedState, Episode, check_solvable, solution_of
from zerosum.players.answers import check_answer
from zerosum.players.levels import Bot, check_level, policy, uniform
from zerosum.protocol import Game, Move
from zerosum.registry import BUILT_IN
from zerosum.registry import game as built_in
from zerosum.text import brief
from zerosum.wording.texts import describe

if TYPE_CHECKING:
    Chances = tuple[tuple[Move, ...], list[float]]

AnyOpponent = str | Bot | Callable[[Game[Any], Any], Move | Mapping[Move, float]]
LearnerSeat = Literal[0, 1, "random"]
# The names of the built-in games with Gymnasium.
IDS = {name: f"zerosum/{where.rpartition(':')[2]}-v0" for name, where in BUILT_IN.items()}


def gym_env(
    game: Game[Any],
    opponent: AnyOpponent = "medium",
    seat: LearnerSeat = "random",
    *,
    values: bool = False,
    mask_in_observation: bool = False,
    max_plies: int = MAX_PLIES,
    encoding: Encoding | None = None,
    render_mode: str | None = None,
) -> GameEnv:
    """Make a Gymnasium environment of any game: the learner has a seat, the opponent the other.

    `opponent` is a level, a Bot, or a function `choose(game, state)` that returns a move or a dict
    of moves and their chances. `values` adds the exact value of every position to `info`, and the
    regret of every move.

    >>> import zerosum
    >>> env = gym_env(zerosum.game("dual-digits", start=7), "perfect", seat=0, values=True)
    >>> observation, info = env.reset(seed=1)
    >>> observation, info["action_mask"], info["value"]
    (array([7., 0., 1.], dtype=float32), array([1, 1, 1, 1], dtype=int8), 1)
    >>> observation, reward, terminated, truncated, info = env.step(0)
    >>> observation, reward, terminated, info["value"], info["regret"]
    (array([3., 3., 1.], dtype=float32), 0.0, False, -1, 2)
    """
    check_learner_seat(seat)
    check_render_mode(render_mode)
    check_opponent(game, opponent)
    episode = Episode.of(game, encoding, max_plies, values)
    env = GameEnv(episode, opponent, seat, mask_in_observation, render_mode)
    # What gymnasium.make needs to make another one like it.
    env.spec = EnvSpec(
        f"zerosum/{type(game).__name__}-v0",
        entry_point="zerosum.envs:gym_env",
        kwargs={
            "game": game,
            "opponent": opponent,
            "seat": seat,
            "values": values,
            "mask_in_observation": mask_in_observation,
            "max_plies": max_plies,
            "encoding": encoding,
            "render_mode": render_mode,
        },
    )
    return env


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
        self.encoding, self.game = episode.encoding, episode.encoding.game
        self.opponent, self.seat, self.render_mode = opponent, seat, render_mode
        self.action_space = Discrete(len(self.encoding.actions))
        self.observation_space = observation_space(self.encoding, with_mask)
        self._episode, self._with_mask = episode, with_mask
        self._learner, self._begun, self._done = 0, False, True

    @property
    def position(self) -> Any:
        """The state of the game; None before the first reset."""
        return self._episode.now.state if self._begun else None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start a game; if the opponent begins, its moves are made."""
        super().reset(seed=seed)
        self._learner = int(self.np_random.integers(2)) if self.seat == "random" else self.seat
        self._episode = self._episode.restarted()
        self._begun, self._done = True, False
        self._reply()
        return self._observed()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Make the learner's move and the opponent's reply; an illegal move loses."""
        if self._done:
            raise ResetNeeded("The episode is over: call reset() before step().")
        number, episode = self._number(action), self._episode
        before = episode.now, episode.plies, episode.end
        # If the opponent won before the learner could move, any action ends the episode.
        if episode.end is None:
            episode.play(number)
        try:
            self._reply()
        except Exception:
            episode.now, episode.plies, episode.end = before
            raise
        observation, info = self._observed()
        if episode.values:
            info["regret"] = episode.regrets[self._learner]
        end = episode.end
        if end is None:
            return observation, 0.0, False, False, info
        self._done, endless = True, end.early == "endless"
        return observation, float(end.scores[self._learner]), not endless, endless, info

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


def opponents_move(
    game: Game[Any], opponent: AnyOpponent, now: EncodedState, rng: np.random.Generator
) -> Move:
    """Choose a legal move; only a Bot and a function can have randomness of their own."""
    if isinstance(opponent, str):
        draw = now.draws.get(opponent)
        if draw is None:
            random = opponent == "random"
            chances = (
                uniform(game, now.state)
                if random
                else policy(solution_of(game), opponent, now.state)
            )
            draw = now.draws[opponent] = _draw_of(chances)
        return _drawn(draw, rng)
    answer = opponent.move(now.state) if hasattr(opponent, "move") else opponent(game, now.state)
    answered = check_answer(game, now.state, answer)
    return next(iter(answered)) if len(answered) == 1 else _drawn(_draw_of(answered), rng)


def _draw_of(chances: Mapping[Move, float]) -> Chances:
    """Return the moves that are possible, and the points that lie between them."""
    possible = {move: chance for move, chance in chances.items() if chance > 0}
    return tuple(possible), list(accumulate(possible.values()))[:-1]


def _drawn(draw: Chances, rng: np.random.Generator) -> Move:
    """Draw one of the moves, with one number from the generator."""
    moves, points = draw
    return moves[bisect(points, rng.random())]


def observation_space(encoding: Encoding, with_mask: bool) -> Box | Dict:
    """Return the space of a game's vectors, or of vectors and masks."""
    vectors = Box(encoding.low, encoding.high, dtype=encoding.dtype)
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


def variant(maker: Callable[..., Any], name: str, settings: dict[str, Any]) -> Any:
    """Make environments of a built-in game; settings that the maker does not know are options."""
    known = signature(maker).parameters
    options = {key: value for key, value in settings.items() if key not in known}
    rest = {key: value for key, value in settings.items() if key in known}
    return maker(built_in(name, **options), **rest)


def make_env(name: str, **settings: Any) -> GameEnv:
    """Make the environment of a built-in game, for gymnasium.make."""
    env: GameEnv = variant(gym_env, name, settings)
    return env


def register_games() -> None:
    """Register the built-in games with Gymnasium."""
    for name, env_id in IDS.items():
        if env_id not in registry:
            register(
                env_id,
                entry_point=f"{__name__}:make_env",
                vector_entry_point="zerosum.lab.envs.gymnasium_vector:make_vector_env",
                kwargs={"name": name},
            )
