"""Positions with one move that keeps the result: picked, graded, judged, one a day."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any, Generic, Literal, NamedTuple, get_args
from zlib import crc32

from zerosum.coach.verdicts import BAD, Judgement, judge, only_good_move
from zerosum.limits import PUZZLE_POSITIONS
from zerosum.options import option_values
from zerosum.players.levels import hardest, policy
from zerosum.protocol import Game, Move, S, Value
from zerosum.registry import BUILT_IN, entry_of, find
from zerosum.solver.solution import Solution
from zerosum.states import walk
from zerosum.wording.words import spoken, title_of, words_of

Grade = Literal["easy", "medium", "hard"]
GRADES: tuple[Grade, ...] = get_args(Grade)
DAILY = "daily-"
# A daily puzzle does not take too many moves.
DAILY_PLIES = 19


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
        """The difficulty: how often the medium level errs, and how far off the end is.

        A win in 1 is easy, and a win in 3 is never hard. Otherwise a puzzle that the medium level
        misses at most 15% of the time is easy, at most 19% medium, and more often hard; a win in 9
        or more is one grade harder.
        """
        grade = sum(self.missed["medium"] > limit for limit in (0.15, 0.19))
        plies = self.value.plies
        if plies == 1:
            grade = 0
        elif plies == 3:
            grade = min(grade, 1)
        elif plies is not None and plies >= 9:
            grade += 1
        return GRADES[min(grade, 2)]


class Response(NamedTuple, Generic[S]):
    """What follows a move in a puzzle: its verdict, the replies, the next position."""

    right: bool
    judgement: Judgement
    replies: tuple[Move, ...]
    state: S
    solved: bool


def sources(name: str) -> list[Game[Any]]:
    """List the variants that a game's puzzles are taken from."""
    entry = find(name)
    return [entry.variant(**options) for options in words_of(entry.variant()).puzzles]


def puzzles(solution: Solution[S]) -> Iterator[Puzzle[S]]:
    """Find the puzzles of a solved variant, as its positions are reached.

    >>> import zerosum
    >>> found = list(puzzles(zerosum.solve(zerosum.game("even-steven", start=8))))
    >>> [(puzzle.state.number, puzzle.answer, puzzle.grade) for puzzle in found][:2]
    [(8, 1, 'easy'), (4, 2, 'easy')]
    """
    game = solution.whole().game
    for state in walk(game, limit=PUZZLE_POSITIONS, key=game.canonical):
        puzzle = puzzle_at(solution, state)
        if puzzle is not None:
            yield puzzle


def puzzle_at(solution: Solution[S], state: Any) -> Puzzle[S] | None:
    """Return the puzzle of a position, if just one move keeps a win or a draw."""
    answer = only_good_move(solution, state)
    if answer is None:
        return None
    missed = {
        level: 1 - policy(solution, level, state).get(answer, 0.0)
        for level in ("random", "easy", "medium")
    }
    game, name = solution.game, entry_of(solution.game).name
    # An id is the same on every machine.
    digest = crc32(f"{name} {sorted(option_values(game).items())} {tuple(state)}".encode())
    return Puzzle(f"{name}-{digest:08x}", game, state, answer, solution.value(state), missed)


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


def today() -> date:
    """Return the day of the daily puzzle, which begins at midnight UTC."""
    return datetime.now(UTC).date()


def game_of_day(day: date) -> str:
    """Return the name of the game whose puzzles a day has; the built-in games take turns.

    >>> game_of_day(date(2026, 11, 15)), game_of_day(date(2026, 11, 16))
    ('even-steven', 'divisor-duel')
    """
    return list(BUILT_IN)[day.toordinal() % len(BUILT_IN)]


def daily(
    day: date, puzzles_of: Callable[[str], list[Puzzle[Any]]], grade: Grade = "easy"
) -> Puzzle[Any]:
    """Return the puzzle of a day and a grade, the same everywhere.

    No puzzle of a game and grade comes back before all have come up.
    """
    found = [
        puzzle
        for puzzle in puzzles_of(game_of_day(day))
        if puzzle.grade == grade and puzzle.value.plies and puzzle.value.result == "win"
        if puzzle.value.plies <= DAILY_PLIES
    ]
    # Sorted by their digests: an order that nobody can guess.
    found.sort(key=lambda puzzle: puzzle.id.rpartition("-")[2])
    return found[day.toordinal() // len(BUILT_IN) % len(found)]


def daily_id(day: date, grade: Grade) -> str:
    """Return the id under which the result of a day's puzzle is saved.

    >>> daily_id(date(2026, 11, 15), "hard")
    'daily-2026-11-15-hard'
    """
    return f"{DAILY}{day}-{grade}"


def daily_result(day: date, puzzle: Puzzle[Any], tries: int, solved: bool) -> str:
    """Write the result of a daily puzzle, to be shared; it gives nothing away.

    >>> import zerosum
    >>> puzzle = next(puzzles(zerosum.solve(zerosum.game("divisor-duel"))))
    >>> daily_result(date(2026, 11, 16), puzzle, 1, True)
    'Zerosum 2026-11-16 · Divisor Duel, hard ✓ in 1 try'
    """
    about = f"Zerosum {day} · {title_of(puzzle.game)}, {puzzle.grade}"
    noun = "try" if tries == 1 else "tries"
    return f"{about} {f'✓ in {tries} {noun}' if solved else '✗'}"


def daily_streak(day: date, solved: Iterable[str]) -> int:
    """Count the days in a row with a solved puzzle, up to this one or the last.

    >>> daily_streak(date(2026, 3, 1), ["daily-2026-02-28-easy", "daily-2026-02-27-hard"])
    2
    """
    # Before a day had three puzzles, nothing followed its date.
    begin, end = len(DAILY), len(f"{DAILY}{day}")
    days = {id_[begin:end] for id_ in solved if id_.startswith(DAILY)}
    last = day if str(day) in days else day - timedelta(1)
    streak = 0
    while str(last - timedelta(streak)) in days:
        streak += 1
    return streak


def task(value: Value) -> str:
    """State the task where only one move keeps the value of a position.

    >>> task(Value("win", 7)), task(Value("draw"))
    ('You can win in 7 moves, counting both sides. Only one move wins.', \
'Only one move holds the draw.')
    """
    if value.result == "draw":
        return "Only one move holds the draw."
    length = "" if value.plies is None else f" in {value.plies:,} moves, counting both sides"
    return f"You can win{' at once' if value.plies == 1 else length}. Only one move wins."


def respond(solution: Solution[S], puzzle: Puzzle[S], state: S, move: Move) -> Response[S]:
    """Judge a legal move in a puzzle, and play the longest defence against it.

    Every move that keeps the result is right. A puzzle is solved when the game is won, or a draw
    held. A wrong move leaves the position as it was.
    """
    game = solution.game
    judgement = judge(solution, state, move)[move]
    if judgement.verdict in BAD:
        return Response(False, judgement, (), state, False)
    state = game.play(state, move)
    if puzzle.value.result == "draw":
        return Response(True, judgement, (), state, True)
    replies: list[Move] = []
    while game.outcome(state) is None and state.player != puzzle.state.player:
        replies.append(hardest(solution, state, solution.best(state)))
        state = game.play(state, replies[-1])
    return Response(True, judgement, tuple(replies), state, game.outcome(state) is not None)


def praise(solution: Solution[S], state: S, judgement: Judgement) -> str:
    """Answer a right move: it is best only if it is better than another."""
    if judgement.verdict == "only":
        return "Your only move."
    if judgement.word == "wins later" and judgement.value is not None:
        fastest = solution.value(state).plies
        return f"It still wins, but later: in {judgement.value.plies:,} instead of {fastest:,}."
    if judgement.verdict in ("forced", "good"):
        return f"Right ({judgement.word})."
    return "Right!"


def refuted(solution: Solution[S], state: S, move: Move) -> str:
    """Answer a wrong move with what it leads to."""
    named = words_of(solution.game).button(state, move)
    return f"No: {named} {fails(solution.move_value(state, move))}. Try again."


def fails(value: Value) -> str:
    """Say what a wrong move does: it loses in 4 or at once, or only draws."""
    if value == Value("loss", 1):
        return "loses at once"
    return "only draws" if value.result == "draw" else spoken(value).replace("loss", "loses")
