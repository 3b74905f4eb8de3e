"""A review of a game: every move judged, the turning point, and in words why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from time import monotonic
from typing import Any, NamedTuple

from zerosum.coach.advice import Coach
from zerosum.coach.verdicts import BAD, NO_CHOICE, Judgement, Verdict, judge, judge_by
from zerosum.limits import Limits
from zerosum.match import Round
from zerosum.protocol import Move, S, Value
from zerosum.solver.solution import Solution
from zerosum.solver.values import OTHER, for_mover
from zerosum.text import counted, inside, short, tail
from zerosum.wording.words import Names, spoken

MARKS: dict[Verdict | None, str] = {"mistake": "?", "blunder": "??"}
MOST_BETTER = 3
MOST_MOMENTS = 3
# After this many unproved positions in a row, earlier ones get a share of the budget: enough to
# see a threat.
MOST_UNPROVED, SHARE = 2, 0.2


class ReviewedMove(NamedTuple):
    """A move of a game, its worth, and which moves were best; None is unknown."""

    ply: int
    seat: int
    move: Move
    before: Value | None
    value: Value | None
    verdict: Verdict | None
    word: str
    best: tuple[Move, ...]

    @property
    def kept(self) -> bool:
        """Whether the move kept the result."""
        return self.verdict not in BAD

    @property
    def decision(self) -> bool:
        """Whether there is known to have been a real choice."""
        return self.verdict is not None and self.verdict not in NO_CHOICE


class Review(NamedTuple):
    """A whole game, judged; `history` has the values for the seat that began.

    `exact_from` is the first move from which everything is exact: 1 unless the game is too
    large, and None if no move is. Before that, only what a search proved is known.
    """

    moves: tuple[ReviewedMove, ...]
    history: tuple[Value | None, ...]
    turning_point: int | None
    exact_from: int | None = 1

    def decisions(self, seat: int) -> tuple[int, int]:
        """Count a seat's good decisions, and all, where everything is exact."""
        exact = self.moves[self.exact_from - 1 :] if self.exact_from else ()
        decisions = [move for move in exact if move.seat == seat and move.decision]
        return sum(move.kept for move in decisions), len(decisions)


def review(solution: Solution[S], played: Round[S], seconds: float = inf) -> Review:
    """Judge every move of a game, as far as values are known or soon found.

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
    deadline = monotonic() + seconds
    begin = _exact_from(solution, played.states, deadline)
    values = _proved(solution, played.states[:begin], deadline)
    values += map(solution.value, played.states[begin:])
    moves = tuple(
        _by_results(solution, played, ply, values)
        if ply < begin
        else _reviewed(solution, played.states[ply], move, ply + 1)
        for ply, move in enumerate(played.moves)
    )
    history = tuple(
        value if value is None or not state.player else value._replace(result=OTHER[value.result])
        for state, value in zip(played.states, values, strict=True)
    )
    # The last move that gave something away decided, if nothing after it is unknown.
    unknown = max((ply for ply, value in enumerate(values) if value is None), default=-1)
    bad = [move.ply for move in moves if not move.kept and move.ply - 1 > unknown]
    exact_from = begin + 1 if begin < len(moves) else None
    return Review(moves, history, bad[-1] if bad else None, exact_from)


def _exact_from(solution: Solution[S], states: Sequence[S], deadline: float) -> int:
    """Return the first position from which all are exact: as many as fit a table."""
    # Whatever can follow a position can follow those before it: there is one point.
    first, last, step, here = 0, len(states), 1, solution.here
    try:
        while first < last:
            at = max(last - step, (first + last) // 2 if first else 0)
            if deadline < inf:
                # Rules that are too slow for one table leave half of the time for the others.
                solution.here = here.within(Limits(seconds=(deadline - monotonic()) / 2))
            if solution.is_exact(states[at]):
                last, step = at, 2 * step
            else:
                first = at + 1
    finally:
        solution.here = here
    return last


def _proved(solution: Solution[S], states: Sequence[S], deadline: float) -> list[Value | None]:
    """Return what a search proves about earlier positions, from the last backwards."""
    values: list[Value | None] = []
    for state in reversed(states):
        # The earlier a position, the harder it is to prove.
        hard = values[-MOST_UNPROVED:] == [None] * MOST_UNPROVED
        late = monotonic() > deadline
        values.append(None if late else solution.proved(state, SHARE if hard else 1.0))
    return values[::-1]


def _reviewed(solution: Solution[S], state: S, move: Move, ply: int) -> ReviewedMove:
    """Judge a move of a game where everything is exact."""
    judged = judge(solution, state, move)
    best = solution.best(state, {other: judgement.value for other, judgement in judged.items()})
    return ReviewedMove(ply, state.player, move, solution.value(state), *judged[move], best)


def _by_results(
    solution: Solution[S], played: Round[S], ply: int, values: Sequence[Value | None]
) -> ReviewedMove:
    """Judge a move by what is known about the positions around it."""
    game, state, then = solution.game, played.states[ply], played.states[ply + 1]
    move, after = played.moves[ply], values[ply + 1]
    after = after and for_mover(state, then, after)
    judged = judge_by(values[ply], after)
    if len(game.moves(state)) == 1 and game.lists_all(state):
        judged = Judgement(after, "only", "only move")
    return ReviewedMove(ply + 1, state.player, move, values[ply], *judged, ())


def exactness(reviewed: Review) -> str:
    """Say from where on a review is exact; nothing if all of it is.

    >>> exactness(Review((), (None, None, Value("win", 2)), None, 3))
    'From move 3 on, every value is exact; before that it is unknown.'
    """
    if reviewed.exact_from == 1:
        return ""
    begin, known = reviewed.exact_from, known_before(reviewed)
    only = f"only {counted(known, 'value')} {'is' if known == 1 else 'are'} known"
    if begin is not None:
        before = f"before that, {only}" if known else "before that it is unknown"
        return f"From move {begin} on, every value is exact; {before}."
    if known == len(reviewed.history):
        return "Every value is proved, but not the number of moves."
    return f"No move can be judged exactly: {only if known else 'every value is unknown'}."


def known_before(reviewed: Review) -> int:
    """Count the known positions before the first exact one."""
    begin = reviewed.exact_from
    values = reviewed.history if begin is None else reviewed.history[: begin - 1]
    return sum(value is not None for value in values)


def no_turn(names: Names, played: Round[Any], reviewed: Review) -> str:
    """Say that no move was a turning point, as far as that is known, or that the end was one."""
    if reviewed.turning_point is not None:
        return ""
    last, end = reviewed.history[-1], played.end
    if last is not None and end is not None and end.by != "rules":
        winner = None if last.result == "draw" else played.player(last.result == "loss")
        if winner != end.winner:
            value = spoken(last, inside(names[last.result == "loss"]))
            return f"No move changed the result, but the end did: it was a {value}."
    if None not in reviewed.history:
        return "There was no turning point: no move changed the result."
    if reviewed.exact_from is None:
        return "Whether the game had a turning point is unknown."
    return f"From move {reviewed.exact_from} on, no move changed the result."


def key_moments(reviews: Sequence[Review]) -> list[tuple[int, ReviewedMove]]:
    """Choose the moves that mattered most, at most three, in the order of play.

    Each comes with its game's index. Turning points come first, then blunders; then later moves.
    """
    bad = [(game, move) for game, found in enumerate(reviews) for move in found.moves]
    bad = [(game, move) for game, move in bad if not move.kept]

    def weight(moment: tuple[int, ReviewedMove]) -> tuple[bool, bool, int, int]:
        game, move = moment
        turned = move.ply == reviews[game].turning_point
        return turned, move.verdict == "blunder", game, move.ply

    return sorted(sorted(bad, key=weight)[-MOST_MOMENTS:], key=lambda m: (m[0], m[1].ply))


def turned(coach: Coach[S], played: Round[S], move: ReviewedMove) -> str:
    """Say what a bad move did, after its player's name, and what was better.

    >>> import zerosum
    >>> match = zerosum.Match.new(zerosum.game("even-steven"))
    >>> for move in (1, 2, 1, 2):
    ...     match = match.play(move)
    >>> coach = Coach(zerosum.solve(match.game))
    >>> turned(coach, match.round, review(coach.solution, match.round).moves[3])
    'halved 6 to 3; 5 would have won'
    """
    state, words = played.states[move.ply - 1], coach.words
    did = words.did(state, move.move)
    if not move.best or move.before is None:
        return did
    best = coach.best(state)
    number = words.step(state, best).number
    better = words.button(state, best) if number is None else tail(number)
    held = "won" if move.before.result == "win" else "drawn"
    return short(f"{did}; {better} would have {held}")


def describe_moment(
    coach: Coach[S], names: Names, played: Round[S], reviewed: Review, move: ReviewedMove
) -> list[str]:
    """Explain a key moment: the position, the move, and what would have been better."""
    state, name = played.states[move.ply - 1], names[move.seat]
    turned = move.ply == reviewed.turning_point
    title = f"{'Turning point: move' if turned else 'Move'} {move.ply}."
    lines = [
        f"{title} {name} played {coach.words.button(state, move.move)} "
        f"and went from a {spoken(move.before)} to a {spoken(move.value)}.",
        f"Before the move – {short(coach.words.position(state, names))}",
    ]
    better = _better(coach, state)
    if not move.best or not turned:  # a move without best ones is not fully known
        return [*lines, better] if better else lines
    law = coach.law_reason(state, names)
    then = coach.phrases.line(state, names, coach.best(state))
    return [
        *lines,
        f"After that: {coach.phrases.line(state, names, move.move)}",
        " ".join(filter(None, (better, law, f"Then: {then}"))),
    ]


def _better(coach: Coach[S], state: S) -> str:
    """Name a better move, if one is known."""
    known = coach.solution.best(state)
    return f"Better: {coach.words.button(state, coach.best(state))}." if known else ""


def better(coach: Coach[S], state: S, move: ReviewedMove) -> str:
    """Name the moves that are known to have been better, if any."""
    if move.move in move.best or move.verdict == "only" or not move.best:
        return ""
    return coach.phrases.listed(state, move.best[:MOST_BETTER], "or")


def accuracies(names: Names, reviewed: Review) -> list[str]:
    """Write the accuracy of each player in a game, if it is exact."""
    if reviewed.exact_from is None:
        return []
    begin = reviewed.exact_from
    where = "" if begin == 1 else f"from move {begin} on"
    return [accuracy(names[seat], *reviewed.decisions(seat), where) for seat in (0, 1)]


def accuracy(name: str, good: int, every: int, where: str = "") -> str:
    """Say how many decisions somebody got right, and `where` they are known.

    >>> accuracy("Ada", 2, 3), accuracy("Ada", 2, 2, "from move 17 on")
    ('Ada got 2 of 3 decisions right (67%).', 'Ada got both decisions right from move 17 on.')
    >>> accuracy("Bob", 0, 1), accuracy("You", 0, 0)
    ('Bob missed the only decision.', 'You had no real choice.')
    """
    did = "missed the only decision"
    if not every:
        did = "had no real choice"
    elif good == every:
        each = {1: "the only decision", 2: "both decisions"}.get(every, f"all {every} decisions")
        did = f"got {each} right"
    elif every > 1:
        did = f"got {good} of {every} decisions right"
    share = f" ({good / every:.0%})" if every > 1 and good < every else ""
    return f"{name} {did}{where and f' {where}'}{share}."


def share_right(good: int, every: int) -> float | None:
    """Return the share of right decisions; None if there were none."""
    return good / every if every else None


def where_exact(reviews: Iterable[Review]) -> str:
    """Say where the decisions of several games are known; nothing if all of them are."""
    return "" if all(found.exact_from == 1 for found in reviews) else "where values are exact"


def total_decisions(games: Iterable[tuple[Round[Any], Review]]) -> list[tuple[int, int]]:
    """Count each player's good decisions, and all of them, over a match."""
    totals = [(0, 0), (0, 0)]
    for played, reviewed in games:
        for player, (good, every) in enumerate(totals):
            more_good, more = reviewed.decisions(played.player(player))
            totals[player] = (good + more_good, every + more)
    return totals


def reason(coach: Coach[S], names: Names, played: Round[S], move: ReviewedMove) -> str:
    """Explain the verdict on a move, or nothing if it is unknown."""
    state = played.states[move.ply - 1]
    if move.verdict == "only":
        return "There was no other move."
    if move.value is None or not move.best:  # not everything was known about it
        return _better(coach, state) if move.verdict in BAD else ""
    if not move.kept:
        return f"After that: {coach.phrases.line(state, names, move.move)} {_better(coach, state)}"
    if move.verdict == "forced" and move.move in move.best:
        return f"No move could change the result ({move.word})."
    if move.verdict == "best":
        return "Nothing was better."
    if move.value.plies is None:
        return "It keeps the result."
    if move.value.result == "loss":
        return f"It loses sooner than {better(coach, state, move)}."
    return f"It still wins, but later than {better(coach, state, move)}."
