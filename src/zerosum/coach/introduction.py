"""How a newcomer meets a game: from the side that can win, and by two or three short lessons."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Generic, NamedTuple

from zerosum.coach.advice import Coach
from zerosum.coach.puzzles import fails, task
from zerosum.coach.verdicts import only_good_move
from zerosum.limits import QUICK_POSITIONS
from zerosum.protocol import Move, S, Value
from zerosum.solver.solution import Solution
from zerosum.states import LARGE, largest, walk

# How many positions are looked at by a theory, and for each lesson.
MOST_WALKED, MOST_TRIED = 1_000, 1_000
# A win this short is shown move by move; other lines are cut.
QUICK_WIN, LONGEST_LINE = 3, 5


class Lesson(NamedTuple, Generic[S]):
    """A position with one good move: what to find, the answer, and why it is good."""

    state: S
    task: str
    answer: Move
    value: Value
    reason: str


def why_second(solution: Solution[S]) -> str:
    """Return why a newcomer should move second in a first game against the computer; or nothing.

    >>> import zerosum
    >>> why_second(zerosum.solve(zerosum.game("even-steven")))
    'From this start, whoever moves second can win, so the computer begins.'
    """
    if solution.value(solution.game.initial()).result != "loss":
        return ""
    return "From this start, whoever moves second can win, so the computer begins."


def introduction(coach: Coach[S]) -> tuple[Lesson[S], ...]:
    """Make the lessons of a game: a quick win, a longer one, and a trap near the start.

    A game may lack some of them; one with very large numbers has no lessons.

    >>> import zerosum
    >>> lessons = introduction(Coach(zerosum.solve(zerosum.game("even-steven"))))
    >>> [(lesson.state.number, lesson.answer) for lesson in lessons]
    [(4, 2), (6, 1), (12, 1)]
    >>> lessons[0].task
    'You can win in 3 moves, counting both sides. Only one move wins.'
    >>> lessons[0].reason
    'You: ÷2 → 2; they: −1 → 1; you: −1 → 0, and you win.'
    """
    solution = coach.solution.whole()
    if largest(solution.game.initial()) > LARGE:
        return ()
    # A table knows values at once; a theory may have to factor numbers.
    limit = MOST_WALKED if solution.solved is None else QUICK_POSITIONS
    positions = list(walk(solution.game, limit=limit, key=solution.game.canonical))
    values = {state: solution.value(state) for state in positions}
    wins = [state for state, value in values.items() if value.result == "win" and value.plies]
    wins.sort(key=lambda state: values[state].plies or 0)
    lessons = _first(coach, wins)
    shortest = max((lesson.value.plies or 0 for lesson in lessons), default=0)
    lessons += _first(coach, (state for state in wins if (values[state].plies or 0) > shortest))
    known = {lesson.state for lesson in lessons}
    lessons += _first(coach, (state for state in positions if state not in known))
    return tuple(lessons)


def correction(coach: Coach[S], lesson: Lesson[S], move: Move) -> str:
    """Answer a wrong move with what it leads to."""
    value = coach.solution.move_value(lesson.state, move)
    line = _line(coach, lesson.state, move)
    return f"That {fails(value)}. {line} Try again."


def _first(coach: Coach[S], states: Iterable[S]) -> list[Lesson[S]]:
    """Make a lesson from the first position in which exactly one move keeps a win or a draw."""
    for state in islice(states, MOST_TRIED):
        answer = only_good_move(coach.solution, state)
        if answer is None:
            continue
        value = coach.solution.value(state)
        quick = value.plies is not None and value.plies <= QUICK_WIN
        reason = "" if quick else coach.reason(state)
        if not reason and value.result == "win":
            reason = _line(coach, state, answer)
        elif not reason:
            wrong = next(move for move in coach.game.moves(state) if move != answer)
            reason = f"Every other move loses. For example: {_line(coach, state, wrong)}"
        return [Lesson(state, task(value), answer, value, reason)]
    return []


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
