"""A review of a game that was played: every move judged, the turning point, and in words why."""

from __future__ import annotations

from typing import NamedTuple

from zerosum.coach.advice import Coach
from zerosum.coach.verdicts import BAD, NO_CHOICE, Verdict, judge
from zerosum.match import Round
from zerosum.protocol import Move, S, Value
from zerosum.solver.solution import Solution, best_of
from zerosum.text import short
from zerosum.wording.words import Names, spoken

MARKS: dict[Verdict, str] = {"mistake": "?", "blunder": "??"}
MOST_BETTER = 3


class ReviewedMove(NamedTuple):
    """A move of a game, what it was worth, and which moves were best."""

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
        return self.verdict not in BAD

    @property
    def decision(self) -> bool:
        """Whether there was a real choice."""
        return self.verdict not in NO_CHOICE

    @property
    def better(self) -> str:
        """The moves that would have been better, or an empty text."""
        if self.move in self.best or self.verdict == "only":
            return ""
        return short(" or ".join(map(str, self.best[:MOST_BETTER])))


class Review(NamedTuple):
    """A whole game, judged; `history` is the value of each position for the seat that began."""

    moves: tuple[ReviewedMove, ...]
    history: tuple[Value, ...]
    turning_point: int | None

    def decisions(self, seat: int) -> tuple[int, int]:
        """Count a seat's good decisions, and all its decisions."""
        decisions = [move for move in self.moves if move.seat == seat and move.decision]
        return sum(move.kept for move in decisions), len(decisions)


def review(solution: Solution[S], played: Round[S]) -> Review:
    """Judge every move of a game.

    >>> import zerosum
    >>> match = zerosum.Match.new(zerosum.game("even-steven"))
    >>> for move in (1, 2, 1, 2, 1, 2, 1):
    ...     match = match.play(move)
    >>> reviewed = review(zerosum.solve(match.game), match.round)
    >>> [move.verdict for move in reviewed.moves]
    ['only', 'forced', 'only', 'blunder', 'only', 'forced', 'only']
    >>> reviewed.turning_point
    4
    """
    moves = tuple(
        _reviewed(solution, played.states[ply], move, ply + 1)
        for ply, move in enumerate(played.moves)
    )
    # The last move that gave something away decided the game.
    bad = [move.ply for move in moves if not move.kept]
    return Review(moves, solution.history(played.states), bad[-1] if bad else None)


def _reviewed(solution: Solution[S], state: S, move: Move, ply: int) -> ReviewedMove:
    """Judge one move of a game."""
    judged = judge(solution, state, move)
    best = best_of({other: judgement.value for other, judgement in judged.items()})
    return ReviewedMove(ply, state.player, move, solution.value(state), *judged[move], best)


def turning_point(coach: Coach[S], names: Names, played: Round[S], reviewed: Review) -> list[str]:
    """Explain where the game was decided, what would have been better, and why."""
    if reviewed.turning_point is None:
        return ["There was no turning point: no move changed the result."]
    turn = reviewed.moves[reviewed.turning_point - 1]
    state, name = played.states[turn.ply - 1], names[turn.seat]
    best = coach.best(state)
    lines = [
        f"Turning point: move {turn.ply}. {name} played {coach.named(state, turn.move)} "
        f"and went from a {spoken(turn.before)} to a {spoken(turn.value)}.",
        f"After that: {coach.after(state, turn.move, names)}",
        f"Better: {coach.named(state, best)}. Then: {coach.after(state, best, names)}",
    ]
    why = coach.theory_why(state)
    return [*lines, f"To {name}: {why}"] if why else lines


def shares(names: Names, reviewed: Review) -> list[str]:
    """Write how many of their decisions each player got right."""
    lines = []
    for seat in (0, 1):
        good, every = reviewed.decisions(seat)
        share = "had no real choice this game"
        if every:
            share = f"got {good} of {every} decisions right ({good / every:.0%})"
        lines.append(f"{names[seat]} {share}.")
    return lines


def reason(coach: Coach[S], names: Names, played: Round[S], move: ReviewedMove) -> str:
    """Explain the verdict on a move."""
    state = played.states[move.ply - 1]
    if not move.kept:
        then = coach.after(state, move.move, names)
        return f"After that: {then} Better: {coach.named(state, coach.best(state))}."
    if move.verdict == "only":
        return "There was no other move."
    if move.verdict == "forced" and move.move in move.best:
        return f"No move could change the result ({move.word})."
    if move.verdict == "best":
        return "Nothing was better."
    if move.value.plies is None:
        return "It keeps the result."
    if move.value.result == "loss":
        return f"It loses sooner than {move.better}."
    return f"It still wins, but later than {move.better}."
