"""A game looked at again: every move judged, the turning point, the share of good decisions."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

from zerosum.match import Round
from zerosum.protocol import Move, Result, S, Value
from zerosum.solver.solution import RANK, Solution, best_of

# `only` is the only legal move; `forced` is one of several that all have the same result.
Verdict = Literal["best", "good", "mistake", "blunder", "only", "forced"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
ALL: dict[Result, str] = {
    "win": "all moves win",
    "loss": "all moves lose",
    "draw": "all moves draw",
}


class Judgement(NamedTuple):
    """What a move is worth to whoever makes it, the verdict, and the word for it."""

    value: Value
    verdict: Verdict
    word: str


class Judged(NamedTuple):
    """One move of a game, what it was worth, and which moves were best."""

    ply: int
    seat: int
    move: Move
    before: Value
    value: Value
    verdict: Verdict
    word: str
    best: tuple[Move, ...]

    @property
    def kept(self) -> bool:
        """Whether the move kept the result."""
        return self.verdict not in ("mistake", "blunder")

    @property
    def decision(self) -> bool:
        """Whether there was anything to get wrong."""
        return self.verdict not in ("only", "forced")


class Review(NamedTuple):
    """A whole game, judged; `history` is the value of each position for the seat that began."""

    moves: tuple[Judged, ...]
    history: tuple[Value, ...]
    turning_point: int | None

    def decisions(self, seat: int) -> tuple[int, int]:
        """Count a seat's good decisions, and its turns with something to get wrong."""
        counted = [judged for judged in self.moves if judged.seat == seat and judged.decision]
        return sum(judged.kept for judged in counted), len(counted)


def review(solution: Solution[S], played: Round[S]) -> Review:
    """Judge every move of a game.

    >>> import zerosum
    >>> match = zerosum.Match.new(zerosum.game("even-steven"))
    >>> for move in (1, 2, 1, 2, 1, 2, 1):
    ...     match = match.play(move)
    >>> judged = review(zerosum.solve(match.game), match.round)
    >>> [move.verdict for move in judged.moves]
    ['only', 'forced', 'only', 'blunder', 'only', 'forced', 'only']
    >>> judged.turning_point
    4
    """
    judged = tuple(
        _judge(solution, played.states[ply], move, ply + 1) for ply, move in enumerate(played.moves)
    )
    # Whoever gave something away last decided the game.
    given = [move.ply for move in judged if not move.kept]
    return Review(judged, solution.history(played.states), given[-1] if given else None)


def _judge(solution: Solution[S], state: S, move: Move, ply: int) -> Judged:
    """Judge one move by what it changed."""
    told, before = judge(solution, state), solution.value(state)
    if move not in told:  # of a huge number not every legal move is listed, but each has a value
        value = solution.move_value(state, move)
        verdict = _verdict(before, value, False)
        told[move] = Judgement(value, verdict, "keeps the result" if verdict == "good" else verdict)
    best = best_of({move: judgement.value for move, judgement in told.items()})
    return Judged(ply, state.player, move, before, *told[move], best)


def judge(solution: Solution[S], state: S) -> dict[Move, Judgement]:
    """Judge every listed move of a position.

    >>> import zerosum
    >>> solution = zerosum.solve(zerosum.game("even-steven", start=14, subtract_two=True))
    >>> judged = judge(solution, solution.game.initial())
    >>> {move: judgement.word for move, judgement in judged.items()}
    {1: 'wins later', 2: 'best', 3: 'blunder'}
    """
    values, before = solution.moves(state), solution.value(state)
    best = best_of(values)
    complete = solution.game.lists_all(state)
    if len(values) == 1 and complete:
        return {move: Judgement(value, "only", "only move") for move, value in values.items()}
    if complete and len({value.result for value in values.values()}) == 1:
        return {
            move: Judgement(value, "forced", _forced(value, values, move in best))
            for move, value in values.items()
        }
    # Where lengths are not known, no move can be called the best.
    known = before.result == "draw" or all(values[move].plies is not None for move in best)
    told = {}
    for move, value in values.items():
        verdict = _verdict(before, value, known and move in best)
        word = verdict if verdict != "good" else "wins later" if known else "keeps the result"
        told[move] = Judgement(value, verdict, word)
    return told


def _verdict(before: Value, value: Value, best: bool) -> Verdict:
    """Name what a move does to the result."""
    fall = RANK[before.result] - RANK[value.result]
    if best or fall <= 0:
        return "best" if best else "good"
    return "mistake" if fall == 1 else "blunder"


def _forced(value: Value, values: dict[Any, Value], best: bool) -> str:
    """Say what a move does where all have the same result: how long it takes, if that differs."""
    lengths = {other.plies for other in values.values()}
    if value.result == "draw" or len(lengths) == 1 or None in lengths:
        return ALL[value.result]
    if value.result == "win":
        return "fastest win" if best else "wins later"
    return "longest defence" if best else "loses sooner"
