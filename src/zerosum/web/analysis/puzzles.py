"""Puzzles as documents: the next one, the one of the day, and the answers to them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from zerosum.coach.advice import Coach
from zerosum.coach.puzzles import (
    Grade,
    Puzzle,
    daily,
    none_left,
    pick_among,
    praise,
    puzzles,
    refuted,
    respond,
    sources,
    task,
    today,
)
from zerosum.errors import ZerosumError
from zerosum.options import option_values, written
from zerosum.protocol import Move
from zerosum.registry import BUILT_IN, entry_of
from zerosum.registry.loading import raised_by_rules
from zerosum.text import brief, either
from zerosum.web import answers
from zerosum.web.analysis import positions
from zerosum.web.analysis.referee import are_digits, legal_move, move_texts
from zerosum.web.analysis.solutions import solutions
from zerosum.web.refusals import Refused
from zerosum.wording.words import Words, changed_options, title_of, words_of


def puzzle(
    games: list[str], grade: str | None, seen: list[str], seed_text: str
) -> answers.PosedPuzzle | answers.Exhausted:
    """Return an unseen puzzle of one of these games, without its answer.

    A seen puzzle is identified by its id or by the part after its last hyphen: the short form
    lets hundreds fit into an address.
    """
    found = _found(games)
    everything = [puzzle for some in found.values() for puzzle in some]
    names = set(seen)
    done = {p.id for p in everything if names & {p.id, p.id.rpartition("-")[2]}}
    rng = Random(seed_text)  # noqa: S311
    picked = pick_among(list(found), found.__getitem__, done, rng, grade)
    if picked is None:
        return answers.Exhausted(none_left(everything, grade))
    alike = [other for other in everything if grade in (None, other.grade)]
    left = sum(other.id not in done for other in alike)
    asked = _asked(picked)
    asked.count, asked.left = len(alike), left
    return asked


def puzzle_named(id: str) -> answers.PosedPuzzle:  # noqa: A002 (what the document calls it)
    """Return the puzzle with an id."""
    return _asked(_named(id))


def puzzle_of_the_day(grade: Grade) -> answers.PosedPuzzle:
    """Return today's puzzle of a grade."""
    day = today()
    asked = _asked(daily(day, _of, grade))
    asked.date = str(day)
    return asked


def _asked(puzzle: Puzzle[Any]) -> answers.PosedPuzzle:
    """Return a puzzle, without its answer."""
    game, words = puzzle.game, words_of(puzzle.game)
    return answers.PosedPuzzle(
        id=puzzle.id,
        game=entry_of(game).name,
        title=title_of(game),
        options={name: written(value) for name, value in option_values(game).items()},
        variant=", ".join(changed_options(game)) or "default",
        goal=words.aim(),
        grade=puzzle.grade,
        missed={level: round(chance, 4) for level, chance in puzzle.missed.items()},
        task=task(puzzle.value),
        digits=are_digits(words),
        **_shown(words, puzzle.state, puzzle.state.player),
    )


def _shown(words: Words[Any], state: Any, solver: int) -> dict[str, Any]:
    """Return a position with its moves, for the seat that solves it: as `answers.Asked`."""
    names = ("Your opponent", "You") if solver else ("You", "Your opponent")
    moves = [move_texts(words, state, move) for move in words.game.moves(state)]
    return {**positions.shown(words, state, names), "moves": moves}


def answer(id: str, move: str | None, played: list[str]) -> answers.PuzzleAnswer:  # noqa: A002
    """Judge a move as it was typed, and play the defence; without a move, reveal the answer.

    `played` are the right moves so far: the defence against them is always the same.
    """
    puzzle = _named(id)
    coach = solutions().coach(puzzle.game)
    state = puzzle.state
    for typed in played:
        response = respond(coach.solution, puzzle, state, legal_move(puzzle.game, state, typed))
        if response.solved or not response.right:
            raise Refused("invalid", "These are not the first moves of a solution.", field="played")
        state = response.state
    if move is None:
        return answers.PuzzleAnswer(
            answer=str(coach.best(state)),
            value=positions.value_of(coach.solution.value(state)),
            text=coach.hint(state),
            why=coach.why(state),
        )
    return _judged(coach, puzzle, state, legal_move(puzzle.game, state, move))


def _judged(coach: Coach[Any], puzzle: Puzzle[Any], state: Any, move: Move) -> answers.PuzzleAnswer:
    """Judge a legal move at a position of a puzzle."""
    right, judgement, replies, _, solved = respond(coach.solution, puzzle, state, move)
    value = positions.value_of(coach.solution.move_value(state, move))
    if not right:
        return answers.PuzzleAnswer(value=value, text=refuted(coach.solution, state, move))
    why = []
    if solved:  # a won position was played to the end, which is better than a line of moves
        drawn = puzzle.value.result == "draw"
        why = coach.reasons(puzzle.state) if drawn else [coach.reason(puzzle.state)]
    return answers.PuzzleAnswer(
        right=True,
        solved=solved,
        answer=str(move),
        value=value,
        text=praise(coach.solution, state, judgement),
        why=[*filter(None, why)],
        steps=steps_of(coach, state, (move, *replies)),
    )


def steps_of(coach: Coach[Any], state: Any, moves: Sequence[Move]) -> list[answers.AnswerStep]:
    """Return what each of some moves leads to."""
    steps, solver = [], state.player
    for move in moves:
        mover, text = state.player, coach.phrases.named(state, move)
        state = coach.game.play(state, move)
        over = coach.game.outcome(state) is not None
        shown = answers.Asked(**_shown(coach.words, state, solver))
        steps.append(answers.AnswerStep(str(move), mover, text, over, shown))
    return steps


def _found(names: list[str]) -> dict[str, list[Puzzle[Any]]]:
    """Return the puzzles of each game; among several, skip a game that fails."""
    found = {}
    for name in names:
        try:
            found[name] = _of(name)
        except Exception as error:
            # A game that fails must not end the puzzles of all others.
            if len(names) == 1 or not (isinstance(error, ZerosumError) or raised_by_rules(error)):
                raise
    if not any(found.values()):
        raise Refused("invalid", f"No position of {either(names)} has exactly one good move.")
    return found


def _of(name: str) -> list[Puzzle[Any]]:
    """Return the puzzles of a game, found once."""
    known, entry = solutions().puzzles, solutions().entry(name)
    if name not in known:
        known[name] = [
            puzzle
            for game in sources(entry.file or name)
            for puzzle in puzzles(solutions().coach(game).solution)
        ]
    return known[name]


def _named(id: str) -> Puzzle[Any]:  # noqa: A002
    """Return a puzzle by its id."""
    name = id.rpartition("-")[0]
    found = _of(name) if name in (*BUILT_IN, *solutions().files) else []
    puzzle = next((puzzle for puzzle in found if puzzle.id == id), None)
    if puzzle is None:
        raise Refused("invalid", f"There is no puzzle '{brief(id)}'.", field="id")
    return puzzle
