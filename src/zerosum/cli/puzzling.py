"""A sitting with puzzles: ask, judge, explain, keep the progress."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from zerosum.cli.reader import Reader
from zerosum.cli.settings import Settings
from zerosum.cli.solving import solved
from zerosum.coach.advice import Coach, spoken
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
from zerosum.game import UnreadableMove, ZerosumError, brief, read_whole, variant_of
from zerosum.match import NAMES
from zerosum.registry import entry_of, rulebook_of, title_of
from zerosum.store import open_store
from zerosum.store.base import Unwritable
from zerosum.wording import Wording, ask, short

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
        self._found: dict[str, list[Puzzle]] = {}
        self._coaches: dict[Any, Coach] = {}

    def run(self) -> int:
        """Ask until nobody wants to go on."""
        try:
            while (one := self._next()) is not None:
                if not self._sit(one):
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
        one = self._next()
        if one is None:
            raise ZerosumError(self._none())
        return {
            "format": "zerosum-puzzle",
            "version": 1,
            "id": one.id,
            "game": entry_of(one.game).name,
            "options": variant_of(one.game),
            "state": list(one.state),
            "value": one.value._asdict(),
            "moves": list(one.game.moves(one.state)),
            "answer": one.answer,
            "grade": one.grade,
            "missed": one.missed,
        }

    def _next(self) -> Puzzle | None:
        """Pick a puzzle of a game picked at random, so that every game comes up."""
        done = {id_ for id_, (_, _, solved_) in self._kept().items() if solved_}
        return pick_among(self.names, self._puzzles, done, self.rng, self.grade)

    def _none(self) -> str:
        """Say why there is no other puzzle."""
        return none_left((one for name in self.names for one in self._puzzles(name)), self.grade)

    def _puzzles(self, name: str) -> list[Puzzle]:
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

    def _sit(self, one: Puzzle) -> bool:
        """Ask one puzzle until it is solved or left; False to stop."""
        look, words = self.look, Wording(one.game)
        coach = self._coaches[one.game]
        names = (NAMES[0], NAMES[1])
        missed = f"a random player misses it {one.missed['random']:.0%} of the time"
        missed += f", an easy one {one.missed['easy']:.0%}, a medium one {one.missed['medium']:.0%}"
        look.remark(f"\n{title_of(one.game)}, {one.grade} ({missed}).", "strong")
        look.remark(f"{words.position(one.state, names)}.", "")
        for block in ask(words, one.state, names, fresh=True):
            look.tell(block.strip("\n"))
        look.remark(f"{task(one)} {WORDS}")
        while True:
            typed = self._read(words.prompt(one.state, names))
            if typed is None or typed.lower() in ("quit", "exit", "q"):
                return False
            if typed.lower() == "skip":
                self.streak = 0
                return True
            if typed.lower() in ("help", "?"):
                look.remark(WORDS)
            elif typed.lower() == "rules":
                look.page(rulebook_of(one.game))
            elif typed.lower() == "moves":
                for line in words.survey(one.state):
                    look.remark(line)
            elif typed.lower() == "hint":
                look.remark(f"The game is a {spoken(one.value)} for you. {_clue(one)}")
            elif typed.lower() == "why":
                for line in (coach.hint(one.state), *coach.why(one.state)):
                    look.remark(line)
                self._keep(one, False)
                return True
            elif self._answered(one, typed, coach):
                return True

    def _answered(self, one: Puzzle, typed: str, coach: Coach) -> bool:
        """Judge an answer; True when it is the right one."""
        try:
            move = read_whole(typed)
        except UnreadableMove as error:
            self.look.remark(f"{error} {WORDS}", "problem")
            return False
        objection = one.game.objection(one.state, move)
        if objection is not None:
            self.look.remark(objection, "problem")
            return False
        right = move == one.answer
        self._keep(one, right)
        if right:
            self.streak += 1
            self.look.remark(f"Right! In a row: {self.streak}.", "strong")
            for line in coach.why(one.state)[1:]:
                self.look.remark(line)
            return True
        self.streak = 0
        self.look.remark(refuted(coach.solution, one, move), "problem")
        return False

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

    def _keep(self, one: Puzzle, right: bool) -> None:
        """Keep a try, if anything can be kept."""
        try:
            store = open_store(self.settings.path)
            store.try_puzzle(one.id, entry_of(one.game).name, one.grade, right)
            store.close()
        except Unwritable as error:
            self.settings.err.say(f"Note: {error}. The progress is not kept.", "problem")

    def _progress(self) -> None:
        """Say how far one has come."""
        kept = self._kept()
        counted = Counter(grade for grade, _, right in kept.values() if right)
        told = ", ".join(f"{counted[grade]} {grade}" for grade in GRADES)
        self.look.remark(f"Solved so far: {sum(counted.values())} ({told}).", "")


def _clue(one: Puzzle) -> str:
    """Rule one wrong move out."""
    wrong = [move for move in one.game.moves(one.state) if move != one.answer]
    return f"It is not {short(str(wrong[0]))}."
