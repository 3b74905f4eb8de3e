"""A game as every environment plays it: masks, exact values, regrets, illegal moves and ends."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np

from zerosum.errors import MatchError, TooLarge
from zerosum.lab.envs.encoding import Encoding, Mask
from zerosum.limits import NONE
from zerosum.options import check_whole
from zerosum.protocol import Game, Move, legal_now, refusal
from zerosum.solver import solve
from zerosum.solver.solution import Solution
from zerosum.solver.values import RANK
from zerosum.states import read_state

EndCode = Literal["won", "lost", "drawn", "illegal", "endless"]
SCORES = {0: (1, -1), 1: (-1, 1), None: (0, 0)}
CODES: dict[int, EndCode] = {1: "won", -1: "lost", 0: "drawn"}
LIMITS = NONE
# About a kilobyte each.
REMEMBERED = 20_000


class EpisodeEnd(NamedTuple):
    """How an episode ended: the score of each seat, why, and what ended it if not the rules."""

    scores: tuple[int, int]
    reason: str
    early: Literal["illegal", "endless"] | None = None

    def code(self, seat: int) -> EndCode:
        """Return how it ended for a seat."""
        return self.early or CODES[self.scores[seat]]


class EncodedState:
    """What an environment needs to know about a state, and the states after moves seen before."""

    def __init__(self, encoding: Encoding, state: Any) -> None:
        """Look at a state."""
        self.encoding = encoding
        self.state = state
        self.player = state.player
        self.filled = encoding.filled(state)
        self.mask = encoding.mask(state)
        self.end = end_of(encoding.game, state)
        self.after: dict[Move, EncodedState] = {}
        self.exact: tuple[int, int] | None = None  # the value for the player to move, and plies
        self.chances: dict[str, dict[Move, float]] = {}  # how levels choose a move

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle as plain fields: some states have a type that only this process knows."""
        return _restored, (self.encoding, tuple(self.state))

    def play(self, move: Move) -> EncodedState:
        """Return the state after a legal move."""
        if move in self.after:
            return self.after[move]
        following = look(self.encoding, self.encoding.game.play(self.state, move))
        if following.state in self.encoding.seen:
            self.after[move] = following
        return following


def _restored(encoding: Encoding, fields: tuple[Any, ...]) -> EncodedState:
    """Return the state that was copied or pickled."""
    return look(encoding, read_state(encoding.game, fields))


def look(encoding: Encoding, state: Any) -> EncodedState:
    """Look at a state; the first ones that are visited are remembered."""
    encoded: EncodedState = encoding.seen.get(state) or EncodedState(encoding, state)
    if len(encoding.seen) < REMEMBERED:
        encoding.seen[state] = encoded
    return encoded


class Episode:
    """A game in progress; copies and pickles continue as it does.

    >>> import zerosum
    >>> from zerosum.lab.envs.encoding import Encoding
    >>> game = zerosum.game("even-steven", start=3)
    >>> episode = Episode(Encoding.of(game), 1000, values=True)
    >>> episode.play(1)  # to divide by 2
    >>> episode.end.code(0), episode.end.reason, episode.regrets
    ('illegal', 'Only an even number can be divided by 2. Legal now: 1.', [2, 0])
    """

    def __init__(self, encoding: Encoding, max_plies: int, values: bool) -> None:
        """Begin a game; refuse one that is over, and values of one that cannot be solved."""
        check_whole("max_plies", max_plies, least=1)
        if values:
            check_solvable(encoding.game, "values=True", "values=False")
        self.encoding = encoding
        self.max_plies = max_plies
        self.values = values
        self._first = look(encoding, checked_start(encoding))
        self.restart()

    def restart(self, options: Mapping[str, Any] | None = None) -> None:
        """Begin another game, from the `state` of the options if they have one."""
        self.now, self.plies = self._first, 0
        if options and "state" in options:
            self.now = look(self.encoding, checked_start(self.encoding, options["state"]))
        self.end: EpisodeEnd | None = None
        self.regrets = [0, 0]  # of the last move of each seat, if values are asked for

    def play(self, number: int) -> None:
        """Make the move with a number for the player to move; an illegal one ends the episode."""
        now, encoding = self.now, self.encoding
        seat = now.player
        move = encoding.actions[number]
        before = 0
        if self.values:
            before = self.worth(seat)[0]
        # If there are very many moves, the mask may not have all of them.
        if now.mask[number] or encoding.game.is_legal(now.state, move):
            self.advance(move)
        else:
            reason = illegal_move(encoding.game, now.state, move)
            self.end = EpisodeEnd((seat - 1, -seat), reason, "illegal")
        if self.values:
            self.regrets[seat] = before - self.worth(seat)[0]

    def advance(self, move: Move) -> None:
        """Make a legal move, and notice the end: by the rules, or because the game is too long."""
        self.now = self.now.play(move)
        self.plies = self.plies + 1
        self.end = self.now.end
        if self.end is None and self.plies >= self.max_plies:
            reason = f"the game was cut off after {self.plies:,} moves"
            self.end = EpisodeEnd((0, 0), reason, "endless")

    def mask(self, seat: int) -> Mask:
        """Return the mask of a seat's legal moves: none if it is not its turn, or at the end."""
        if self.end is None and self.now.player == seat:
            return self.now.mask.copy()
        return np.zeros_like(self.now.mask)

    def observation(self, seat: int, with_mask: bool) -> Any:
        """Return what a seat sees: the vector, and with it the mask if it is asked for."""
        vector = self.encoding.layout.spread(*self.now.filled)
        if not with_mask:
            return vector
        return {"observation": vector, "action_mask": self.mask(seat)}

    def worth(self, seat: int) -> tuple[int, int]:
        """Return what the position is worth to a seat under best play, and the plies to the end.

        After an illegal move that is its score; the plies of a draw are -1.
        """
        if self.end and self.end.early == "illegal":
            return self.end.scores[seat], 0
        now = self.now
        if now.exact is None:
            value = solution_of(self.encoding.game).value(now.state)
            now.exact = RANK[value.result] - 1, -1 if value.plies is None else value.plies
        sign = 1 if now.player == seat else -1
        return sign * now.exact[0], now.exact[1]


def end_of(game: Game[Any], state: Any) -> EpisodeEnd | None:
    """Return how a game has ended by its rules, if it has."""
    outcome = game.outcome(state)
    if outcome:
        return EpisodeEnd(SCORES[outcome.winner], outcome.reason)
    return None


def illegal_move(game: Game[Any], state: Any, move: Move) -> str:
    """Return why a move is not legal, and what is."""
    return f"{refusal(game, state, move)} {legal_now(game, state)}"


@lru_cache(maxsize=8)
def solution_of(game: Game[Any]) -> Solution[Any]:
    """Solve a game; equal variants share the solution."""
    return solve(game, LIMITS)


def check_solvable(game: Game[Any], wish: str, instead: str) -> None:
    """Solve a game; for one that is too large, say which wish cannot be granted, and what can."""
    try:
        solution_of(game)
    except TooLarge as error:
        message = f"{error} {wish} needs its exact values. Without them, use {instead}."
        raise TooLarge(message, error.limit) from None


def checked_start(encoding: Encoding, state: Any = None) -> Any:
    """Return the position in which an episode starts; refuse one in which nothing can be played."""
    start = encoding.game.initial() if state is None else encoding.position(state)
    if encoding.game.outcome(start) is not None:
        where = "at its start" if state is None else "in that state"
        raise MatchError(f"The game is over {where}; there is nothing to play.")
    return start
