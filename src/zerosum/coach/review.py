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
    told = verdicts(solution, state)
    before = solution.value(state)
    best = tuple(move for move, one in told.items() if one.best)
    if move in told:
        value, label = told[move].value, told[move].label
    else:  # of a huge number not every legal move is listed, but every one has a value
        value = solution.after(state, move)
        label = _label(before, value, False)
    decision = len({one.value.result for one in told.values()}) > 1
    return Judged(ply, state.player, move, before, value, label, best, decision)


class Verdict(NamedTuple):
    """What a move leads to, whether none is better, and the label and the word for it."""

    value: Value
    best: bool
    label: str
    word: str


def verdicts(solution: Solution, state: Any) -> dict[int, Verdict]:
    """Judge every listed move of a position.

    >>> import zerosum
    >>> solution = zerosum.solve(zerosum.game("even-steven"))
    >>> state = solution.game.play(solution.game.initial(), 1)
    >>> {move: one.word for move, one in verdicts(solution, state).items()}
    {1: 'wins later', 2: 'best'}
    """
    values, before, best = solution.moves(state), solution.value(state), solution.best(state)
    # Where lengths are not known, no move can be called the best.
    known = before.result == "draw" or all(values[one].plies is not None for one in best)
    told = {}
    for move, value in values.items():
        label = _label(before, value, known and move in best)
        told[move] = Verdict(value, move in best, label, _word(value, label, known))
    return told


def _label(before: Value, value: Value, best: bool) -> str:
    """Name what a move does to the result."""
    fall = RANK[before.result] - RANK[value.result]
    if best or fall <= 0:
        return "best" if best else "good"
    return "mistake" if fall == 1 else "blunder"


def _word(value: Value, label: str, known: bool) -> str:
    """Say a label to whoever is about to move."""
    if label != "good":
        return label
    if not known or value.result == "draw":
        return "keeps the result"
    return "wins later" if value.result == "win" else "loses sooner"
