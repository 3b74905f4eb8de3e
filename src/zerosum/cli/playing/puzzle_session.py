"""Puzzles at the prompt: judge every move, play the defence, save the progress."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from zerosum.cli.config import Settings
from zerosum.cli.playing.match_setup import YOU, to_you
from zerosum.cli.playing.prompt import Prompt, Quit, meant, suggestion
from zerosum.cli.playing.prompt_commands import PROMPT_COMMANDS
from zerosum.cli.playing.saver import warn
from zerosum.cli.solving import solution_of
from zerosum.coach.advice import Coach
from zerosum.coach.puzzles import (
    DAILY,
    GRADES,
    Puzzle,
    praise,
    puzzles,
    refuted,
    respond,
    sources,
    task,
)
from zerosum.errors import MoveError, UnreadableMove, Unwritable, ZerosumError
from zerosum.protocol import Move, check_move, read_move
from zerosum.registry import entry_of
from zerosum.store import Store
from zerosum.wording.texts import rulebook_of
from zerosum.wording.words import MOST_LISTED, Names, Words, spoken, variant_title

# Each is a method of the session.
PUZZLE_COMMANDS = ("help", "rules", "moves", "hint", "why", "skip", "quit")
HELP = "Type your move, or: moves, rules, hint, why (gives it away), skip, quit."
OPPONENT = "Your opponent"
# What the steps of a lesson are saved under.
LESSON = "lesson-"
Tried = tuple[str, int, bool]


class PuzzleSession:
    """Poses the puzzles of some games, one at a time."""

    puzzle: Puzzle[Any]
    coach: Coach[Any]
    state: Any

    def __init__(self, settings: Settings, names: list[str]) -> None:
        """Take the names of the games."""
        self.settings = settings
        self.console = settings.out
        self.prompt = Prompt(settings.out)
        self.names = names
        self.streak = 0
        self.progress: dict[str, Tried] = settings.store(write=False).puzzles()
        self.refused: set[tuple[Any, Move]] = set()
        self.ids: list[str] = []  # under which the puzzle at hand is saved
        self.done = self.skipped = False
        self.task = ""
        self._store: Store | None = None
        self._puzzles: dict[str, list[Puzzle[Any]]] = {}
        self._coaches: dict[Any, Coach[Any]] = {}

    @property
    def players(self) -> Names:
        """What the players of the puzzle at hand are called."""
        return (OPPONENT, YOU) if self.puzzle.state.player else (YOU, OPPONENT)

    @property
    def solved(self) -> set[str]:
        """The ids of everything solved."""
        return {id_ for id_, (_, _, solved) in self.progress.items() if solved}

    def summary(self) -> str:
        """Count what was solved, by grade."""
        grades = ((id_, grade) for id_, (grade, _, solved) in self.progress.items() if solved)
        counted = Counter(grade for id_, grade in grades if not id_.startswith((DAILY, LESSON)))
        listed = ", ".join(f"{counted[grade]} {grade}" for grade in GRADES)
        return f"Solved so far: {sum(counted.values())} ({listed})."

    def puzzles_of(self, name: str) -> list[Puzzle[Any]]:
        """Find the puzzles of a game, once."""
        if name not in self._puzzles:
            self._puzzles[name] = []
            try:
                for game in sources(name):
                    self._coaches[game] = Coach(solution_of(self.settings, game))
                    self._puzzles[name] += puzzles(self._coaches[game].solution)
            except ZerosumError as error:
                if len(self.names) == 1:
                    raise
                self.settings.err.problem(f"Note: no puzzles for {name}: {error}")
            if not self._puzzles[name] and len(self.names) == 1:
                raise ZerosumError(f"{name} has no position with exactly one good move.")
        return self._puzzles[name]

    def ask(self, puzzle: Puzzle[Any], *more_ids: str) -> bool:
        """Pose a puzzle until it is solved or given up; return False if it was skipped.

        Its tries are saved, also under more ids if there are any.
        """
        self.puzzle, self.coach, self.state = puzzle, self._coaches[puzzle.game], puzzle.state
        self.ids, self.refused = [puzzle.id, *more_ids], set()
        self.done = self.skipped = False
        self.task = task(puzzle.value)
        self._introduce()
        while not self.done:
            question = self.coach.words.prompt(self.state, self.players)
            typed = self.prompt.ask(question, words=self._words)
            if word := meant(typed, PUZZLE_COMMANDS, is_move=self._is_move):
                getattr(self, word)()
            elif typed.lower() in PROMPT_COMMANDS:
                self.console.problem(f"'{typed.lower()}' is for a match. {HELP}")
            elif typed:
                self._answer(typed)
        return not self.skipped

    def _is_move(self, typed: str) -> bool:
        """Return whether the game has such a move at this position."""
        moves = self.puzzle.game.moves(self.state)
        return typed.casefold() in (str(move).casefold() for move in moves)

    def _save(self, right: bool) -> None:
        """Save a try, if anything can be saved; a wrong one ends the streak."""
        self.streak = self.streak + 1 if right else 0
        name, grade = entry_of(self.puzzle.game).name, self.puzzle.grade
        try:
            self._store = self._store or self.settings.store()
            for id_ in self.ids:
                self._store.try_puzzle(id_, name, grade, right)
            self.progress = self._store.puzzles()
        except Unwritable as error:
            warn(self.settings, f"{error}\nYour progress will not be saved.")
            for id_ in self.ids:
                _, tries, solved = self.progress.get(id_, (grade, 0, False))
                self.progress[id_] = grade, tries + 1, solved or right

    def _words(self) -> Iterator[str]:
        """List what Tab completes: commands and moves."""
        yield from PUZZLE_COMMANDS
        yield from map(str, self.puzzle.game.moves(self.state)[:MOST_LISTED])

    def _introduce(self) -> None:
        """Name the game, its goal and the task, and show the position."""
        console, puzzle = self.console, self.puzzle
        missed = f"a random player misses it {puzzle.missed['random']:.0%} of the time, an easy "
        missed += f"one {puzzle.missed['easy']:.0%}, a medium one {puzzle.missed['medium']:.0%}"
        title = f"{variant_title(puzzle.game)}, {puzzle.grade}"
        console.paragraph(f"\n{title}: {missed}.", "strong")
        if goal := self.coach.words.aim():
            console.aside(goal)
        self._show()
        console.aside(f"{self.task} {HELP}")

    def _show(self) -> None:
        """Show the position to the player."""
        words, state, shown = self.coach.words, self.state, Words.turn
        if type(words).turn is shown:
            self.console.game_text(to_you(shown(words, state, self.players)))
            return
        # A rule book's own turn may leave out a value, or list moves that are not legal.
        lines = [*words.lines(state, self.players), *words.list_legal(state)]
        self.console.game_text(to_you("\n".join(lines)))

    def _read(self, typed: str) -> Move | None:
        """Read a legal move; or say why it is not one."""
        try:
            return check_move(
                self.puzzle.game, self.state, read_move(self.puzzle.game, self.state, typed)
            )
        except MoveError as error:
            told = suggestion(typed, PUZZLE_COMMANDS) or str(error)
            unreadable = isinstance(error, UnreadableMove)
            self.console.problem(f"{told} {HELP}" if unreadable else told)
            return None

    def _answer(self, typed: str) -> None:
        """Judge a move, and play on."""
        game, solution, before = self.puzzle.game, self.coach.solution, self.state
        move = self._read(typed)
        if move is None:
            return
        response = respond(solution, self.puzzle, before, move)
        if not response.right:
            self.refused.add((before, move))
            self._save(right=False)
            self.console.problem(refuted(solution, before, move))
            return
        self.console.paragraph(praise(solution, before, response.judgement), "strong")
        state = game.play(before, move)
        for reply in response.replies:
            self.console.paragraph(f"Your opponent plays {self.coach.phrases.named(state, reply)}.")
            state = game.play(state, reply)
        self.state = response.state
        if not response.solved:
            self.console.line()
            self._show()
            return
        self.done = True
        self._save(right=True)
        row = f" {self.streak} in a row." if self.streak > 1 else ""
        self.console.paragraph(f"Solved!{row}", "strong")
        if self.puzzle.value.result == "draw":  # which was not played to the end
            self.console.aside(*self.coach.reasons(self.puzzle.state))
        elif why := self.coach.reason(self.puzzle.state):
            self.console.aside(why)

    def help(self) -> None:
        """List what can be typed."""
        self.console.aside(f"{self.task} {HELP}")

    def rules(self) -> None:
        """Show the rules."""
        self.console.show(rulebook_of(self.puzzle.game))

    def moves(self) -> None:
        """List the legal moves."""
        self.console.aside(*self.coach.words.list_moves(self.state))

    def hint(self) -> None:
        """Say what the position is worth, and name a wrong move."""
        values = self.coach.solution.moves(self.state)
        value = self.coach.solution.value(self.state)
        wrong = [move for move, worth in values.items() if worth.result != value.result]
        new = [move for move in wrong if (self.state, move) not in self.refused]
        if new:
            told = f"It is not {self.coach.phrases.named(self.state, new[0])}."
        elif wrong:
            told = "You have tried every wrong move."
        else:
            told = "Every move keeps it."
        self.console.aside(f"You have a {spoken(value)}. {told}")

    def why(self) -> None:
        """Give the answer away, with the reason."""
        self.console.aside(self.coach.hint(self.state), *self.coach.why(self.state))
        self._save(right=False)
        self.done = True

    def skip(self) -> None:
        """Go on to another puzzle."""
        self.streak = 0
        self.skipped = self.done = True

    def quit(self) -> None:
        """Leave the puzzles."""
        raise Quit
