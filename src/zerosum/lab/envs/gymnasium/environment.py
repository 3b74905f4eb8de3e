"""A game as an environment of Gymnasium: the learner moves, and the opponent replies."""

from __future__ import annotations

import operator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Dict, Discrete

from zerosum.errors import UnreadableMove
from zerosum.lab.envs.encoding import Encoding
from zerosum.lab.envs.gymnasium.opponents import Opponent
from zerosum.lab.envs.positions import ExactValues, check_start
from zerosum.protocol import Game, Move, Outcome, legal_now, refusal
from zerosum.states import read_state
from zerosum.text import brief
from zerosum.wording.texts import describe

if TYPE_CHECKING:
    from zerosum.lab.envs.gymnasium import Seat

Ending = Literal["won", "lost", "drawn", "illegal", "endless"]
REWARDS: dict[Ending, float] = {
    "won": 1.0,
    "lost": -1.0,
    "drawn": 0.0,
    "illegal": -1.0,
    "endless": 0.0,
}
# About a kilobyte each.
REMEMBERED = 20_000


class End(NamedTuple):
    """How an episode ended for the learner, and why."""

    code: Ending
    reason: str


class Position:
    """What an environment needs to know of a state, and the positions after moves seen before."""

    __slots__ = ("after", "exact", "mask", "outcome", "player", "state", "vector")

    def __init__(self, encoding: Encoding, state: Any) -> None:
        """Look at a state."""
        self.state, self.player = state, state.player
        self.vector, self.mask = encoding.vector(state), encoding.mask(state)
        self.outcome: Outcome | None = encoding.game.outcome(state)
        self.after: dict[Move, Position] = {}
        self.exact: tuple[int, int] | None = None  # the value for the player to move, and plies


class Positions(dict[Any, Position]):
    """The positions of a game; the first ones that are visited are remembered."""

    def __init__(self, encoding: Encoding) -> None:
        """Start without any."""
        self.encoding = encoding

    def __missing__(self, state: Any) -> Position:
        """Look at a state."""
        position = Position(self.encoding, state)
        if len(self) < REMEMBERED:
            self[state] = position
        return position

    def after(self, position: Position, move: Move) -> Position:
        """Return the position after a move that was not seen before."""
        following = self[self.encoding.game.play(position.state, move)]
        if following.state in self:
            position.after[move] = following
        return following


@lru_cache(maxsize=8)
def positions_of(encoding: Encoding) -> Positions:
    """Return the positions of a game; equal environments share them."""
    return Positions(encoding)


class GameEnv(gymnasium.Env[Any, Any]):
    """One learner in one seat; see `gym_env`."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: Game[Any],
        opponent: Opponent,
        seat: Seat,
        *,
        values: bool,
        mask_in_observation: bool,
        max_plies: int,
        encoding: Encoding | None,
        render_mode: str | None,
    ) -> None:
        """Take the settings, which gym_env has checked."""
        self.game, self.opponent, self.seat = game, opponent, seat
        self._exact = ExactValues(game) if values else None
        self.encoding = encoding or Encoding.of(game)
        check_start(game)
        self.max_plies, self.render_mode = max_plies, render_mode
        self.action_space = Discrete(len(self.encoding.actions))
        self.observation_space = observation_space(self.encoding, mask_in_observation)
        self._with_mask = mask_in_observation
        self._positions = positions_of(self.encoding)
        self._position: Position | None = None
        self._learner = self._plies = 0
        self._end: End | None = None
        self._done = True

    @property
    def position(self) -> Any:
        """The state of the game; None before the first reset."""
        return self._position.state if self._position else None

    def __getstate__(self) -> dict[str, Any]:
        """Copy and pickle without what equal environments share."""
        # The states of some games have a type that only this process knows.
        state = None if self._position is None else tuple(self.position)
        return {**vars(self), "_position": state, "_positions": None}

    def __setstate__(self, parts: dict[str, Any]) -> None:
        """Continue where the copy was made."""
        vars(self).update(parts, _positions=positions_of(parts["encoding"]))
        state = parts["_position"]
        if state is not None:
            self._position = self._positions[read_state(self.game, state)]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start a game; if the opponent begins, its moves are made."""
        super().reset(seed=seed)
        self._learner = int(self.np_random.integers(2)) if self.seat == "random" else self.seat
        self._plies, self._end, self._done = 0, None, False
        position = self._reply(self._positions[self.game.initial()])
        return self._observed(position)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Make the learner's move and the opponent's reply; an illegal move loses."""
        position = self._position
        if position is None or self._done:
            raise ResetNeeded("The episode is over: call reset() before step().")
        number, worth = self._number(action), self._worth(position)[0]
        before = self._plies, self._end
        # Where the opponent has won before the learner could move, any action ends the episode.
        if self._end is None:
            move = self.encoding.actions[number]
            # Of a huge number of moves, the mask may not have all.
            if position.mask[number] or self.game.is_legal(position.state, move):
                position = self._advance(position, move)
            else:
                self._end = End("illegal", illegal_move(self.game, position.state, move))
        regret = worth - self._worth(position)[0]
        try:
            position = self._reply(position)
        except Exception:
            self._plies, self._end = before
            raise
        observation, info = self._observed(position)
        if self._exact:
            info["regret"] = regret
        if self._end is None:
            return observation, 0.0, False, False, info
        self._done, code = True, self._end.code
        return observation, REWARDS[code], code != "endless", code == "endless", info

    def render(self) -> str | None:
        """Return the position in the words of the game, in the mode 'ansi'."""
        if self.render_mode is None:
            return None
        if self._position is None:
            raise ResetNeeded("There is no game yet: call reset() before render().")
        return describe(self.game, self._position.state)

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

    def _reply(self, position: Position) -> Position:
        """Make the opponent's moves, until it is the learner's turn."""
        while self._end is None and position.player != self._learner:
            position = self._advance(position, self.opponent.move(position.state, self.np_random))
        return position

    def _advance(self, position: Position, move: Move) -> Position:
        """Make a move, and notice the end of the game."""
        following = position.after.get(move) or self._positions.after(position, move)
        self._plies += 1
        outcome = following.outcome
        if outcome is not None:
            code: Ending = "won" if outcome.winner == self._learner else "lost"
            self._end = End("drawn" if outcome.winner is None else code, outcome.reason)
        elif self._plies >= self.max_plies:
            self._end = End("endless", f"the game was cut off after {self._plies:,} moves")
        return following

    def _observed(self, position: Position) -> tuple[Any, dict[str, Any]]:
        """Return the observation and the info of a position, which is now the current one."""
        self._position = position
        mask, vector = position.mask.copy(), position.vector.copy()
        info: dict[str, Any] = {"action_mask": mask, "seat": self._learner}
        if self._end:
            mask[:] = 0
            info.update(end=self._end.code, reason=self._end.reason)
        if self._exact:
            info["value"], info["plies"] = self._worth(position)
        if self._with_mask:
            return {"observation": vector, "action_mask": mask.copy()}, info
        return vector, info

    def _worth(self, position: Position) -> tuple[int, int]:
        """Return what a position is worth to the learner and for how long, if that is asked for."""
        if self._exact is None:
            return 0, 0
        if self._end and self._end.code == "illegal":
            return -1, 0
        if position.exact is None:
            state = position.state
            position.exact = self._exact.value(state), self._exact.plies(state)
        value, plies = position.exact
        return value if position.player == self._learner else -value, plies


def illegal_move(game: Game[Any], state: Any, move: Move) -> str:
    """Return why a move is not legal, and what is."""
    return f"{refusal(game, state, move)} {legal_now(game, state)}"


def observation_space(encoding: Encoding, with_mask: bool) -> Box | Dict:
    """Return the space of a game's vectors, or of vectors and masks."""
    vectors = Box(encoding.low, encoding.high, dtype=encoding.dtype)
    if not with_mask:
        return vectors
    masks = Box(0, 1, (len(encoding.actions),), np.int8)
    return Dict({"observation": vectors, "action_mask": masks})
