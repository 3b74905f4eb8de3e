"""Positions with exactly one move that keeps the result, graded by how easily it is missed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any, Generic, Literal, NamedTuple, get_args

from zerosum.options import option_values
from zerosum.players.levels import policy
from zerosum.protocol import Game, Move, S, Value
from zerosum.registry import entry_of, find
from zerosum.solver.solution import RANK, Solution
from zerosum.states import walk
from zerosum.text import brief
from zerosum.wording.words import spoken, words_of

Grade = Literal["easy", "medium", "hard"]
GRADES: tuple[Grade, ...] = get_args(Grade)
MOST_STATES = 3000


class Puzzle(NamedTuple, Generic[S]):
    """A position, its one answer, and how likely each level is to miss it."""

    id: str
    game: Game[S]
    state: S
    answer: Move
    value: Value
    missed: dict[str, float]

    @property
    def grade(self) -> Grade:
        """The difficulty: how often the medium level misses the answer, and how far off the end is.

        A win in 1 is easy, and a win in 3 is never hard. Otherwise a puzzle that the medium level
        misses at most 15% of the time is easy, at most 19% medium, and more often hard; a win in 9
        or more is one grade harder.
        """
        grade = sum(self.missed["medium"] > limit for limit in (0.15, 0.19))
        plies = self.value.plies
        if plies is not None:
            grade = 0 if plies == 1 else min(grade, 1) if plies == 3 else grade + (plies >= 9)
        return GRADES[min(grade, 2)]


def sources(name: str) -> list[Game[Any]]:
    """List the variants that a game's puzzles are taken from."""
    entry = find(name)
    return [entry.variant(**options) for options in words_of(entry.variant()).puzzles]


def puzzles(solution: Solution[S]) -> Iterator[Puzzle[S]]:
    """Find the puzzles of a solved variant, in the order in which its positions are reached.

    >>> import zerosum
    >>> found = list(puzzles(zerosum.solve(zerosum.game("even-steven", start=8))))
    >>> [(puzzle.state.number, puzzle.answer, puzzle.grade) for puzzle in found][:2]
    [(8, 1, 'easy'), (4, 2, 'easy')]
    """
    game = solution.game
    for state in walk(game, limit=MOST_STATES, key=game.canonical):
        puzzle = puzzle_at(solution, state)
        if puzzle is not None:
            yield puzzle


def puzzle_at(solution: Solution[S], state: S) -> Puzzle[S] | None:
    """Return the puzzle of a position, if exactly one of its moves keeps a win or a draw."""
    value = solution.value(state)
    moves = solution.moves(state)
    if value.result == "loss" or len(moves) < 2:
        return None
    keep = [move for move, after in moves.items() if RANK[after.result] >= RANK[value.result]]
    if len(keep) != 1:
        return None
    missed = {
        level: 1 - policy(solution, level, state).get(keep[0], 0.0)
        for level in ("random", "easy", "medium")
    }
    return Puzzle(puzzle_id(solution.game, state), solution.game, state, keep[0], value, missed)


def puzzle_id(game: Game[Any], state: Any) -> str:
    """Return the id of a puzzle, the same on every machine."""
    from zlib import crc32

    text = f"{entry_of(game).name} {sorted(option_values(game).items())} {tuple(state)}"
    return f"{entry_of(game).name}-{crc32(text.encode()):08x}"


def pick_among(
    names: list[str],
    puzzles_of: Callable[[str], list[Puzzle[Any]]],
    solved: set[str],
    rng: Random,
    grade: str | None,
) -> Puzzle[Any] | None:
    """Pick an unsolved puzzle of a grade from a random game, so that every game comes up."""
    for name in rng.sample(names, len(names)):
        fresh = [p for p in puzzles_of(name) if p.id not in solved and grade in (None, p.grade)]
        if fresh:
            return rng.choice(fresh)
    return None


def none_left(found: Iterable[Puzzle[Any]], grade: str | None) -> str:
    """Explain why there is no other puzzle."""
    if any(grade in (None, puzzle.grade) for puzzle in found):
        return "You have solved every puzzle of this kind. Well done!"
    return f"There are no {grade} puzzles here. Try another grade."


def task(puzzle: Puzzle[Any]) -> str:
    """State the task."""
    return f"Only one move {'wins' if puzzle.value.result == 'win' else 'holds the draw'}."


def refuted(solution: Solution[Any], puzzle: Puzzle[Any], move: Move) -> str:
    """Answer a wrong move with what it leads to."""
    value = spoken(solution.move_value(puzzle.state, move))
    return f"No: {brief(move)} is a {value}. Try again."
