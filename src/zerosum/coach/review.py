"""A review of a game that was played: every move judged, the turning point, and in words why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from zerosum.coach.advice import Coach
from zerosum.coach.verdicts import BAD, NO_CHOICE, Verdict, judge
from zerosum.match import Round
from zerosum.protocol import Move, S, Value
from zerosum.solver.solution import Solution, best_of
from zerosum.text import short
from zerosum.wording.words import Names, spoken

MARKS: dict[Verdict, str] = {"mistake": "?", "blunder": "??"}
MOST_BETTER = 3
MOST_MOMENTS = 3
NO_TURN = "There was no turning point: no move changed the result."


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


def key_moments(reviews: Sequence[Review]) -> list[tuple[int, ReviewedMove]]:
    """Choose the moves that mattered most in some games, at most three, in the order of play.

    Each comes with the index of its game. Where games turned counts most, then blunders, and of
    equal moves the later ones.
    """
    bad = [(game, move) for game, found in enumerate(reviews) for move in found.moves]
    bad = [(game, move) for game, move in bad if not move.kept]

    def weight(moment: tuple[int, ReviewedMove]) -> tuple[bool, bool, int, int]:
        game, move = moment
        turned = move.ply == reviews[game].turning_point
        return turned, move.verdict == "blunder", game, move.ply

    return sorted(sorted(bad, key=weight)[-MOST_MOMENTS:], key=lambda m: (m[0], m[1].ply))


def describe_moment(
    coach: Coach[S], names: Names, played: Round[S], reviewed: Review, move: ReviewedMove
) -> list[str]:
    """Explain a key moment: the position before it, the move, and what would have been better."""
    state, name = played.states[move.ply - 1], names[move.seat]
    best = coach.best(state)
    turned = move.ply == reviewed.turning_point
    title = f"{'Turning point: move' if turned else 'Move'} {move.ply}."
    lines = [
        f"{title} {name} played {coach.named(state, move.move)} "
        f"and went from a {spoken(move.before)} to a {spoken(move.value)}.",
        f"Before the move – {short(coach.words.position(state, names))}",
    ]
    if not turned:
        return [*lines, f"Better: {coach.named(state, best)}."]
    law = coach.law_reason(state, names)
    better = " ".join(filter(None, (f"Better: {coach.named(state, best)}.", law)))
    return [
        *lines,
        f"After that: {coach.after(state, move.move, names)}",
        f"{better} Then: {coach.after(state, best, names)}",
    ]


def accuracies(names: Names, reviewed: Review) -> list[str]:
    """Write the accuracy of each player in a game."""
    return [accuracy(names[seat], *reviewed.decisions(seat)) for seat in (0, 1)]


def accuracy(name: str, good: int, every: int) -> str:
    """Write a player's accuracy: how many of the decisions were right.

    >>> accuracy("Ada", 2, 3), accuracy("Bob", 0, 0), accuracy("Bob", 0, 1)
    ('Ada: accuracy 67% (2 of 3 decisions right).', 'Bob: no real choice.', \
'Bob: missed the only decision.')
    """
    if not every:
        return f"{name}: no real choice."
    if every == 1:
        return f"{name}: {'got the only decision right' if good else 'missed the only decision'}."
    return f"{name}: accuracy {good / every:.0%} ({good} of {every} decisions right)."


def total_decisions(
    games: Iterable[tuple[Round[Any], Review]],
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Count the good decisions of each player, and all of them, over the games of a match."""
    counts = [[0, 0], [0, 0]]
    for played, reviewed in games:
        for seat in (0, 1):
            for index, number in enumerate(reviewed.decisions(seat)):
                counts[played.player(seat)][index] += number
    (a, b), (c, d) = counts
    return (a, b), (c, d)


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
