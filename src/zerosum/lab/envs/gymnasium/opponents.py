"""The other seat of an environment: a level, a program, or a function that chooses moves."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from zerosum.errors import ZerosumError
from zerosum.lab.envs.positions import check_solvable, solution_of
from zerosum.players.answers import check_answer
from zerosum.players.levels import Bot, check_level, policy, uniform
from zerosum.protocol import Game, Move
from zerosum.text import brief

if TYPE_CHECKING:
    import numpy as np

Answer = Move | Mapping[Move, float]
AnyOpponent = str | Bot | Callable[[Game[Any], Any], Answer]
# The chances of a level are remembered for this many positions.
MOST = 100_000


class Opponent:
    """Who moves for the other seat; only a Bot and a function can have randomness of their own."""

    def __init__(self, game: Game[Any], player: AnyOpponent) -> None:
        """Take a level, a Bot, or a function; a level solves the game now."""
        self.game, self.player = game, player
        self._known: dict[Any, tuple[tuple[Move, ...], list[float]]] = {}
        if isinstance(player, str):
            if check_level(player) != "random":
                instead = "opponent='random', a Bot or a function"
                check_solvable(game, f"opponent='{player}'", instead)
        elif not callable(getattr(player, "move", player)):
            raise ZerosumError(f"opponent: pass a level, a Bot or a function, not {brief(player)}.")

    def __reduce__(self) -> tuple[type[Opponent], tuple[Game[Any], AnyOpponent]]:
        """Copy and pickle without what is remembered."""
        return Opponent, (self.game, self.player)

    def move(self, state: Any, rng: np.random.Generator) -> Move:
        """Choose a legal move."""
        player = self.player
        if isinstance(player, str):
            known = self._known.get(state)
            if known is None:
                if len(self._known) >= MOST:
                    self._known.clear()
                known = self._known[state] = _cumulated(self._chances(player, state))
            return _drawn(*known, rng)
        answer = player.move(state) if hasattr(player, "move") else player(self.game, state)
        chances = check_answer(self.game, state, answer)
        if len(chances) == 1:
            return next(iter(chances))
        return _drawn(*_cumulated(chances), rng)

    def _chances(self, level: str, state: Any) -> dict[Move, float]:
        """Return the chances of a level's moves."""
        if level == "random":
            return uniform(self.game, state)
        return policy(solution_of(self.game), level, state)


def _cumulated(chances: Mapping[Move, float]) -> tuple[tuple[Move, ...], list[float]]:
    """Return the moves that are possible, and the points that lie between them."""
    possible = {move: chance for move, chance in chances.items() if chance > 0}
    return tuple(possible), list(accumulate(possible.values()))[:-1]


def _drawn(moves: tuple[Move, ...], points: list[float], rng: np.random.Generator) -> Move:
    """Draw one of the moves, with one number from the generator."""
    return moves[bisect(points, rng.random())]
