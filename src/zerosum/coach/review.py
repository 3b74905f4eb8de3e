"""A game looked at again: every move labelled, the turning point, the share of good decisions."""

from __future__ import annotations

from typing import Any, NamedTuple

from zerosum.game import Value
from zerosum.match import Round
from zerosum.solve.solution import RANK, Solution


class Judged(NamedTuple):
    """One move of a game, and what it was worth."""

    ply: int
    seat: int
    move: int
    before: Value
    after: Value
    label: str
    best: tuple[int, ...]
    decision: bool

    @property
    def kept(self) -> bool:
        """Whether the move kept the result."""
        return self.label in ("best", "good")


class Review(NamedTuple):
    """A whole game, judged; `history` is the value of each position for the seat that began."""

    moves: tuple[Judged, ...]
    history: tuple[Value, ...]
    turning_point: int | None

    def decisions(self, seat: int) -> tuple[int, int]:
        """Count a seat's good decisions, and its turns with something to get wrong."""
        counted = [one for one in self.moves if one.seat == seat and one.decision]
        return sum(one.kept for one in counted), len(counted)


def review(solution: Solution, played: Round) -> Review:
    """Judge every move of a game.

    >>> import zerosum
    >>> from zerosum.match import Match
    >>> match = Match.new(zerosum.game("even-steven"))
    >>> for move in (1, 2, 1, 2, 1, 2, 1):
    ...     match = match.play(move)
    >>> judged = review(zerosum.solve(match.game), match.round)
    >>> [one.label for one in judged.moves]
    ['best', 'best', 'best', 'blunder', 'best', 'best', 'best']
    >>> judged.turning_point
    4
    """
    judged = tuple(
        _judge(solution, played.states[ply], move, ply + 1) for ply, move in enumerate(played.moves)
    )
    # Whoever gave something away last decided the game.
    given = [one.ply for one in judged if not one.kept]
    return Review(judged, solution.history(played.states), given[-1] if given else None)


def _judge(solution: Solution, state: Any, move: int, ply: int) -> Judged:
    """Judge one move by what it changed."""
    values = solution.moves(state)
    before = solution.value(state)
    # Of a huge number not every legal move is listed, but every one has a value.
    value = values.get(move) or solution.after(state, move)
    best = solution.best(state)
    fall = RANK[before.result] - RANK[value.result]
    unknown = before.result != "draw" and any(values[one].plies is None for one in best)
    if move in best and not unknown:
        label = "best"
    elif fall <= 0:
        label = "good"
    else:
        label = "mistake" if fall == 1 else "blunder"
    decision = len({one.result for one in values.values()}) > 1
    return Judged(ply, state.player, move, before, value, label, best, decision)
