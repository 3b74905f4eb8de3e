"""How a newcomer meets a game: from the side that can win, and by two or three short lessons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from operator import itemgetter
from typing import Generic, NamedTuple

from zerosum.coach.advice import Coach
from zerosum.coach.verdicts import only_good_move
from zerosum.limits import QUICK_POSITIONS
from zerosum.protocol import Move, S, Value
from zerosum.solver.solution import Solution
from zerosum.states import LARGE, largest, walk
from zerosum.text import counted, short
from zerosum.wording.words import spoken

# How many positions are looked at by a theory, and for each lesson.
MOST_WALKED, MOST_TRIED = 1_000, 1_000
MOST_ANSWERS, LONGEST_LINE = 2, 5


class Lesson(NamedTuple, Generic[S]):
    """A position with one good move, or two: what to find, the answers, and why they are good."""

    state: S
    task: str
    answers: tuple[Move, ...]
    value: Value
    reason: str


def why_second(solution: Solution[S]) -> str:
    """Return why a newcomer should move second in a first game against the computer; or nothing.

    >>> import zerosum
    >>> why_second(zerosum.solve(zerosum.game("even-steven")))
    'From this start, whoever moves second can win, so the computer begins.'
    """
    lost = solution.value(solution.game.initial()).result == "loss"
    return "From this start, whoever moves second can win, so the computer begins." if lost else ""


def introduction(coach: Coach[S]) -> tuple[Lesson[S], ...]:
    """Make the lessons of a game: a win at once, a win in a few moves, and a trap near the start.

    A game may lack some of them; one with very large numbers has no lessons.

    >>> import zerosum
    >>> lessons = introduction(Coach(zerosum.solve(zerosum.game("even-steven"))))
    >>> [(lesson.state.number, lesson.task, lesson.answers) for lesson in lessons]
    [(4, 'Win in 3 moves.', (2,)), (6, 'Only one move wins. Find it.', (1,)), \
(12, 'Only one move wins. Find it.', (1,))]
    >>> lessons[0].reason
    'You: ÷2 → 2; they: −1 → 1; you: −1 → 0, and you win.'
    """
    solution = coach.solution.whole()
    if largest(solution.game.initial()) > LARGE:
        return ()
    positions = _positions(solution)
    lengths = ((v.plies, state) for state, v in positions if v.result == "win" and v.plies)
    wins = sorted(lengths, key=itemgetter(0))
    lessons = list(islice(_fastest(coach, (state for _, state in wins)), 1))
    shortest = max((lesson.value.plies or 0 for lesson in lessons), default=0)
    longer = (state for plies, state in wins if plies > shortest)
    lessons += islice(_keeping(coach, longer), 1)
    known = {lesson.state for lesson in lessons}
    others = (state for state, _ in positions if state not in known)
    lessons += islice(_keeping(coach, others), 1)
    return tuple(lessons)


def correction(coach: Coach[S], lesson: Lesson[S], move: Move) -> str:
    """Answer a wrong move with what it leads to."""
    value = coach.solution.move_value(lesson.state, move)
    if value.result == lesson.value.result:
        return f"{short(str(move))} wins too, but later. Try again."
    line = _line(coach, lesson.state, move)
    return f"{short(str(move))} is a {spoken(value)}. {line} Try again."


def _positions(solution: Solution[S]) -> list[tuple[S, Value]]:
    """List positions that can be reached, from the start on, with their values."""
    # A table knows values at once; a theory may have to factor numbers.
    limit = MOST_WALKED if solution.solved is None else QUICK_POSITIONS
    states = walk(solution.game, limit=limit, key=solution.game.canonical)
    return [(state, solution.value(state)) for state in states]


def _fastest(coach: Coach[S], states: Iterable[S]) -> Iterator[Lesson[S]]:
    """Make lessons from won positions with one fastest move, or two."""
    for state in islice(states, MOST_TRIED):
        best, value = coach.solution.best(state), coach.solution.value(state)
        if len(best) <= MOST_ANSWERS and len(best) < len(coach.game.moves(state)):
            at_once = value.plies == 1
            task = "Win at once." if at_once else f"Win in {counted(value.plies or 0, 'move')}."
            yield Lesson(state, task, best, value, _line(coach, state, best[0]))


def _keeping(coach: Coach[S], states: Iterable[S]) -> Iterator[Lesson[S]]:
    """Make lessons from positions in which exactly one move keeps a win or a draw."""
    for state in islice(states, MOST_TRIED):
        answer, value = only_good_move(coach.solution, state), coach.solution.value(state)
        if answer is None:
            continue
        task = f"Only one move {'wins' if value.result == 'win' else 'holds the draw'}. Find it."
        reason = coach.reason(state)
        if not reason and value.result == "win":
            reason = _line(coach, state, answer)
        elif not reason:
            wrong = next(move for move in coach.game.moves(state) if move != answer)
            reason = f"Every other move loses. For example: {_line(coach, state, wrong)}"
        yield Lesson(state, task, (answer,), value, reason)


def _line(coach: Coach[S], state: S, move: Move) -> str:
    """Write out best play after a move, in a few characters a move."""
    who = coach.you(state)
    moves = (move, *coach.solution.line(coach.game.play(state, move), LONGEST_LINE - 1))
    parts = []
    for move in moves:
        parts.append(f"{who[state.player]}: {coach.words.button(state, move)}")
        state = coach.game.play(state, move)
    line = f"{'; '.join(parts)}, and {coach.end_of(state, who, '')}."
    return f"{line[:1].upper()}{line[1:]}"
