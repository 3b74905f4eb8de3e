"""A sitting with puzzles: ask, judge, explain, keep the progress."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from zerosum.cli.reader import Reader
from zerosum.cli.session import where
from zerosum.cli.settings import Settings
from zerosum.cli.solving import solved
from zerosum.coach.advice import Coach
from zerosum.coach.puzzles import (
    GRADES,
    Puzzle,
    none_left,
    pick_among,
    puzzles,
    refuted,
    sources,
    task,
)
from zerosum.errors import IllegalMove, UnreadableMove, ZerosumError
from zerosum.match import NAMES
from zerosum.options import variant_of
from zerosum.pictures.words import unusual, variant_title
from zerosum.protocol import check_move, read_move
from zerosum.registry import entry_of
from zerosum.store import open_store
from zerosum.store.base import Unwritable
from zerosum.text import brief, short
from zerosum.wording import Words, ask, rulebook_of, spoken, title_of, words_of

WORDS = "Type your move, or: moves, rules, hint, why (gives it away), skip, quit."


class Puzzling:
    """Asks one puzzle after another."""

    def __init__(
        self, settings: Settings, names: list[str], grade: str | None, rng: Random, reader: Reader
    ) -> None:
        """Sit down to puzzles of these games."""
        self.settings = settings
        self.look = settings.out
        self.names = names
        self.grade = grade
        self.rng = rng
        self.reader = reader
        self.streak = 0
        self._found: dict[str, list[Puzzle[Any]]] = {}
        self._coaches: dict[Any, Coach[Any]] = {}

    def run(self) -> int:
        """Ask until nobody wants to go on."""
        try:
            while (puzzle := self._next()) is not None:
                if not self._sit(puzzle):
                    break
            else:
                self.look.say(self._none())
        except KeyboardInterrupt:
            self.look.say()
            return 130
        self._progress()
        return 0

    def document(self) -> dict[str, Any]:
        """Give one puzzle, with its answer, for a program."""
        puzzle = self._next()
        if puzzle is None:
            raise ZerosumError(self._none())
        return {
            "format": "zerosum-puzzle",
            "version": 2,
            "id": puzzle.id,
            "game": entry_of(puzzle.game).name,
            "title": title_of(puzzle.game),
            "variant": ", ".join(unusual(puzzle.game)) or "default",
            "options": variant_of(puzzle.game),
            "state": list(puzzle.state),
            "value": puzzle.value._asdict(),
            "moves": list(puzzle.game.moves(puzzle.state)),
            "answer": puzzle.answer,
            "grade": puzzle.grade,
            "missed": puzzle.missed,
        }

    def _next(self) -> Puzzle[Any] | None:
        """Pick a puzzle of a game picked at random, so that every game comes up."""
        done = {id_ for id_, (_, _, solved_) in self._kept().items() if solved_}
        return pick_among(self.names, self._puzzles, done, self.rng, self.grade)

    def _none(self) -> str:
        """Say why there is no other puzzle."""
        return none_left((p for name in self.names for p in self._puzzles(name)), self.grade)

    def _puzzles(self, name: str) -> list[Puzzle[Any]]:
        """Find the puzzles of a game, once."""
        if name not in self._found:
            self._found[name] = []
            try:
                for game in sources(name):
                    self._coaches[game] = Coach(solved(self.settings, game))
                    self._found[name] += puzzles(self._coaches[game].solution)
            except ZerosumError as error:
                if len(self.names) == 1:
                    raise
                self.settings.err.remark(f"Note: no puzzles of {name}: {error}", "problem")
            if not self._found[name] and len(self.names) == 1:
                raise ZerosumError(f"{name} has no position with exactly one good move.")
        return self._found[name]

    def _sit(self, puzzle: Puzzle[Any]) -> bool:
        """Ask one puzzle until it is solved or left; False to stop."""
        look, words = self.look, words_of(puzzle.game)
        missed = f"a random player misses it {puzzle.missed['random']:.0%} of the time, an easy "
        missed += f"one {puzzle.missed['easy']:.0%}, a medium one {puzzle.missed['medium']:.0%}"
        look.remark(f"\n{variant_title(puzzle.game)}, {puzzle.grade} ({missed}).", "strong")
        # Plain words show the whole position with the turn.
        own = type(words).turn is not Words.turn
        if own and (at := where(words, puzzle.state, NAMES)):
            look.remark(at, "")
        for block in ask(words, puzzle.state, NAMES, fresh=True):
            look.tell(block.strip("\n"))
        look.remark(f"{task(puzzle)} {WORDS}")
        while True:
            typed = self._read(words.prompt(puzzle.state, NAMES))
            if typed is None:
                return False
            answer = COMMANDS.get(typed.lower())
            done = self._answered(puzzle, typed) if answer is None else answer(self, puzzle)
            if done is not None:
                return done

    def _help(self, puzzle: Puzzle[Any]) -> None:
        """List what can be typed."""
        self.look.remark(WORDS)

    def _rules(self, puzzle: Puzzle[Any]) -> None:
        """Show the game's page."""
        self.look.page(rulebook_of(puzzle.game))

    def _moves(self, puzzle: Puzzle[Any]) -> None:
        """Show what is legal."""
        for line in words_of(puzzle.game).survey(puzzle.state):
            self.look.remark(line)

    def _hint(self, puzzle: Puzzle[Any]) -> None:
        """Tell the value, and rule one wrong move out."""
        wrong = next(move for move in puzzle.game.moves(puzzle.state) if move != puzzle.answer)
        self.look.remark(f"You have a {spoken(puzzle.value)}. It is not {short(str(wrong))}.")

    def _why(self, puzzle: Puzzle[Any]) -> bool:
        """Give the answer and the reason for it."""
        coach = self._coaches[puzzle.game]
        for line in (coach.hint(puzzle.state), *coach.why(puzzle.state)):
            self.look.remark(line)
        self._keep(puzzle, False)
        return True

    def _skip(self, puzzle: Puzzle[Any]) -> bool:
        """Go on to another puzzle."""
        self.streak = 0
        return True

    def _quit(self, puzzle: Puzzle[Any]) -> bool:
        """Stop."""
        return False

    def _answered(self, puzzle: Puzzle[Any], typed: str) -> bool | None:
        """Judge an answer; True when it is the right one."""
        try:
            move = check_move(
                puzzle.game, puzzle.state, read_move(puzzle.game, puzzle.state, typed)
            )
        except UnreadableMove as error:
            self.look.remark(f"{error} {WORDS}", "problem")
            return None
        except IllegalMove as error:
            self.look.remark(str(error), "problem")
            return None
        right = move == puzzle.answer
        self._keep(puzzle, right)
        coach = self._coaches[puzzle.game]
        if not right:
            self.streak = 0
            self.look.remark(refuted(coach.solution, puzzle, move), "problem")
            return None
        self.streak += 1
        row = f" {self.streak} in a row." if self.streak > 1 else ""
        self.look.remark(f"Right!{row}", "strong")
        for line in coach.reasons(puzzle.state):
            self.look.remark(line)
        return True

    def _read(self, prompt: str) -> str | None:
        """Ask for a line, and show it where the terminal has not done so."""
        self.look.write(prompt)
        self.look.stream.flush()
        line = self.reader.readline()
        if line is None:
            self.look.say()
            return None
        if not self.reader.terminal:
            self.look.say(brief(line, 1000))
        return line.strip()

    def _kept(self) -> dict[str, tuple[str, int, bool]]:
        """Read the progress so far."""
        store = open_store(self.settings.path, write=False)
        try:
            return store.puzzles()
        finally:
            store.close()

    def _keep(self, puzzle: Puzzle[Any], right: bool) -> None:
        """Keep a try, if anything can be kept."""
        try:
            store = open_store(self.settings.path)
            store.try_puzzle(puzzle.id, entry_of(puzzle.game).name, puzzle.grade, right)
            store.close()
        except Unwritable as error:
            self.settings.err.say(f"Note: {error}\nYour progress will not be saved.", "problem")

    def _progress(self) -> None:
        """Say how far one has come."""
        kept = self._kept()
        counted = Counter(grade for grade, _, right in kept.values() if right)
        told = ", ".join(f"{counted[grade]} {grade}" for grade in GRADES)
        self.look.remark(f"Solved so far: {sum(counted.values())} ({told}).", "")


# The words that work at the prompt; one that gives None has the puzzle asked again.
COMMANDS: dict[str, Callable[[Puzzling, Puzzle[Any]], bool | None]] = {
    "help": Puzzling._help,
    "rules": Puzzling._rules,
    "moves": Puzzling._moves,
    "hint": Puzzling._hint,
    "why": Puzzling._why,
    "skip": Puzzling._skip,
    "quit": Puzzling._quit,
    "exit": Puzzling._quit,
    "?": Puzzling._help,
}
