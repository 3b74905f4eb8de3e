"""A game and its states as OpenSpiel wants them: classes of pyspiel that ask the rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pyspiel

from zerosum.errors import NotEncoded, ZerosumError
from zerosum.lab.envs.encoding import Encoding
from zerosum.protocol import Game, Move, legal_now, refusal
from zerosum.states import check_seat, read_state
from zerosum.text import brief

# OpenSpiel wants finite numbers of 32 bits.
MOST = float(np.finfo(np.float32).max)
DRAW = (0.0, 0.0)
RETURNS = {0: (1.0, -1.0), 1: (-1.0, 1.0), None: DRAW}


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A variant of a game: `rules` are its rules, `encoding` numbers its moves."""

    def __init__(
        self,
        game_type: Any,
        parameters: Mapping[str, Any],
        rules: Game[Any],
        encoding: Encoding,
        length: int,
        max_plies: int,
    ) -> None:
        """Take OpenSpiel's type and parameters, the rules, and how long a game is from the start.

        No game, from whatever position, has more than `max_plies`.
        """
        info = pyspiel.GameInfo(
            num_distinct_actions=len(encoding.actions),
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=length,
        )
        super().__init__(game_type, info, dict(parameters))
        self.rules = rules
        self.encoding = encoding
        self.max_plies = max_plies
        self._initial = rules.initial()
        self.position_kind = type(self._initial)

    def new_initial_state(self, state: Any = None) -> OpenSpielState:
        """Return the start, or the position with the fields that `to_dict` of a state has."""
        if state is None:
            return OpenSpielState(self, self._initial)
        fields = state.to_dict() if isinstance(state, pyspiel.StateStruct) else state
        names = self.position_kind._fields
        if not isinstance(fields, Mapping) or set(fields) != set(names):
            raise ZerosumError(f"A position of this game has the fields {', '.join(names)}.")
        check_seat(fields["player"])
        position = read_state(self.rules, [fields[name] for name in names])
        try:
            self.encoding.vector(position)
        except NotEncoded:
            raise ZerosumError(f"{brief(position, 80)} is not a position of this game.") from None
        return OpenSpielState(self, position)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle so that another process, which has not registered the game, can load it."""
        from zerosum.lab.envs.openspiel import openspiel_game

        load = partial(openspiel_game, encoding=self.encoding, max_plies=self.max_plies)
        return load, (self.rules,)

    def move_of(self, action: int) -> Move:
        """Return the move with a number."""
        if not 0 <= action < len(self.encoding.actions):
            raise pyspiel.SpielError(f"Actions are numbers below {len(self.encoding.actions)}.")
        return self.encoding.actions[action]

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an observer of the kind that OpenSpiel asks for."""
        # Where it asks for none, pyspiel passes its parameters instead, an empty dictionary.
        return Observer(self.encoding, iig_obs_type or None)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A position of a game; pyspiel keeps the history, and copies and saves the attributes."""

    def __init__(self, game: OpenSpielGame, position: Any) -> None:
        """Take the game and the position."""
        super().__init__(game)
        # A plain tuple is copied sooner, and can be saved wherever the class of states is from.
        self._fields = tuple(position)
        self._end = _end(game.rules, position)

    @property
    def position(self) -> Any:
        """The state of the game, as its rules know it."""
        return self.get_game().position_kind(*self._fields)

    def current_player(self) -> int:
        """Return the seat to move, or that the game is over."""
        return int(pyspiel.PlayerId.TERMINAL if self._end else self.position.player)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._end is not None

    def returns(self) -> list[float]:
        """Return the score of each seat: 1 for a win, -1 for a loss, else 0."""
        return list(self._end or DRAW)

    def _legal_actions(self, player: int) -> list[int]:
        """List the numbers of the legal moves, in rising order."""
        game = self.get_game()
        return sorted(map(game.encoding.number_of, game.rules.moves(self.position)))

    def _apply_action(self, action: int) -> None:
        """Make a move; an illegal one is an error, as it is in the games of OpenSpiel."""
        game, position = self.get_game(), self.position
        rules, move = game.rules, game.move_of(action)
        if self._end:
            raise pyspiel.SpielError("The game is over.")
        reason = refusal(rules, position, move)
        if reason is not None:
            raise pyspiel.SpielError(f"{reason} {legal_now(rules, position)}")
        after = rules.play(position, move)
        last = self.move_number() + 1 == game.max_plies
        self._fields, self._end = tuple(after), _end(rules, after) or (DRAW if last else None)

    def _action_to_string(self, player: int, action: int) -> str:
        """Return the move as a player types it."""
        return str(self.get_game().move_of(action))

    def __str__(self) -> str:
        """Write the position, and that it is a draw if the rules do not say so."""
        cut = self._end and not self.get_game().rules.outcome(self.position)
        return f"{self.position}{' (draw: too many moves)' if cut else ''}"

    def _to_struct(self) -> dict[str, Any]:
        """Return the fields of the position."""
        fields: dict[str, Any] = self.position._asdict()
        return fields

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle with the game."""
        return _restored, (self.get_game(), self.serialize())


def _restored(game: OpenSpielGame, serialized: str) -> OpenSpielState:
    """Return the state that was pickled."""
    state: OpenSpielState = game.deserialize_state(serialized)
    return state


def _end(rules: Game[Any], position: Any) -> tuple[float, float] | None:
    """Return the scores of a game that is over by its rules."""
    outcome = rules.outcome(position)
    return RETURNS[outcome.winner] if outcome else None


class Observer:
    """Writes a position into `tensor`; nothing in it is hidden from either player."""

    def __init__(self, encoding: Encoding, kind: Any) -> None:
        """Take the encoding, and what OpenSpiel wants to see."""
        self._encoding = encoding
        self._public = kind is None or kind.public_info
        self._recall = kind is not None and kind.perfect_recall
        self.tensor = np.zeros(len(encoding.names), np.float32) if self._public else None
        self.dict = {"observation": self.tensor} if self._public else {}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Write a state into the array."""
        if self.tensor is not None:
            self.tensor[:] = np.clip(self._encoding.vector(state.position), -MOST, MOST)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return the history where all of it matters, else the position."""
        if not self._public:
            return ""
        return str(state.history_str() if self._recall else state)
