"""Verdicts: whether a move is best, good, a mistake, a blunder, or no real choice."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from zerosum.protocol import Move, Result, S, Value
from zerosum.solver.solution import Solution, known_only
from zerosum.solver.values import RANK

# `only` is the only legal move; `forced` is one of several that all have the same result.
Verdict = Literal["best", "good", "mistake", "blunder", "only", "forced"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
BAD: tuple[Verdict, ...] = ("mistake", "blunder")
NO_CHOICE: tuple[Verdict, ...] = ("only", "forced")
ALL: dict[Result, str] = {
    "win": "all moves win",
    "loss": "all moves lose",
    "draw": "all moves draw",
}
# What a move, or whoever makes it, does by its result.
DOES: dict[Result, str] = {"win": "wins", "loss": "loses", "draw": "draws"}


class Judgement(NamedTuple):
    """What a move is worth to its player, the verdict, and the verdict in words.

    If it is unknown, both are None, and the words say so.
    """

    value: Value | None
    verdict: Verdict | None
    word: str


def judge(solution: Solution[S], state: S, move: Move | None = None) -> dict[Move, Judgement]:
    """Judge every listed move of a position; and `move`, which may not be listed.

    >>> import zerosum
    >>> solution = zerosum.solve(zerosum.game("even-steven", start=14, subtract_two=True))
    >>> judged = judge(solution, solution.game.initial())
    >>> {move: judgement.word for move, judgement in judged.items()}
    {1: 'wins later', 2: 'best', 3: 'blunder'}
    """
    values = solution.known_moves(state)
    if move is not None and move not in values:
        values[move] = solution.move_value(state, move)
    best, known = solution.best(state, values), known_only(values)
    complete = solution.game.lists_all(state)
    if len(values) == 1 and complete:
        return {move: Judgement(value, "only", "only move") for move, value in values.items()}
    results = {value.result for value in known.values()}
    if complete and len(known) == len(values) and len(results) == 1:
        lengths = {value.plies for value in known.values()}
        return {
            move: Judgement(value, "forced", _forced(value, lengths, move in best))
            for move, value in known.items()
        }
    if not solution.is_exact(state):
        before = known[best[0]] if best else None
        return {move: judge_by(before, value) for move, value in values.items()}
    before = solution.value(state)
    # If lengths are unknown, no move can be called the best.
    lengths_known = before.result == "draw" or all(known[m].plies is not None for m in best)
    return {
        move: _judgement(before, value, lengths_known and move in best, lengths_known)
        for move, value in known.items()
    }


def judge_by(before: Value | None, value: Value | None) -> Judgement:
    """Judge a move by two results, either of which may be unknown.

    >>> judge_by(Value("win"), Value("loss")).word, judge_by(None, Value("loss")).word
    ('blunder', 'loses')
    """
    if value is None:
        return Judgement(None, None, "unknown")
    if before is None or RANK[value.result] >= RANK[before.result]:
        # Whether another move would have been worse is unknown.
        return Judgement(value, None, DOES[value.result])
    return _judgement(before, value, best=False, known=False)


def only_good_move(solution: Solution[S], state: S) -> Move | None:
    """Return the one move that keeps a win or a draw; None if there are others, or no choice."""
    result, moves = solution.value(state).result, solution.moves(state)
    keep = [move for move, value in moves.items() if value.result == result]
    return keep[0] if result != "loss" and len(keep) == 1 < len(moves) else None


def _judgement(before: Value, value: Value, best: bool, known: bool) -> Judgement:
    """Judge a move by what it does to the result; `known` is whether lengths are."""
    fall = RANK[before.result] - RANK[value.result]
    if best:
        return Judgement(value, "best", "best")
    if fall <= 0:
        return Judgement(value, "good", "wins later" if known else "keeps the result")
    verdict: Verdict = "mistake" if fall == 1 else "blunder"
    return Judgement(value, verdict, verdict)


def _forced(value: Value, lengths: set[int | None], best: bool) -> str:
    """Describe a move where all have the same result: by its length, if that differs."""
    if value.result == "draw" or len(lengths) == 1 or None in lengths:
        return ALL[value.result]
    if value.result == "win":
        return "fastest win" if best else "wins later"
    return "longest defence" if best else "loses sooner"
