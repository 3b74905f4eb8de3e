"""`zerosum puzzle`: ask, judge, explain, and save the progress."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.documents import document
from zerosum.cli.prompt import Prompt, Quit
from zerosum.cli.saver import warn
from zerosum.cli.session import position_of
from zerosum.cli.solution import solution_of
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
from zerosum.errors import MoveError, UnreadableMove, Unwritable, ZerosumError
from zerosum.match import NAMES
from zerosum.options import option_values
from zerosum.protocol import check_move, read_move
from zerosum.registry import entry_of, games
from zerosum.store import Store
from zerosum.text import short
from zerosum.wording.rulebook import rulebook_of
from zerosum.wording.words import (
    Words,
    ask,
    changed_options,
    spoken,
    title_of,
    variant_title,
    words_of,
)

PUZZLE_COMMANDS = ("help", "rules", "moves", "hint", "why", "skip", "quit", "exit", "?")
HELP = "Type your move, or: moves, rules, hint, why (gives it away), skip, quit."


@flags.command()
@click.argument("game", required=False, shell_complete=flags.complete_game)
@click.option("--grade", type=flags.Chosen(GRADES), help="Difficulty.")
@flags.seed_option
@flags.json_option
@flags.common
def puzzle(
    settings: Settings, game: str | None, grade: str | None, seed: int | None, as_json: bool
) -> None:
    """Find the one move that keeps the result, in positions of GAME or of any game.

    Progress is saved: solved puzzles are not repeated. 'hint', 'why', 'skip' and 'quit' work at
    the prompt. With --json, a puzzle is printed with its answer.
    """
    names = [game] if game else list(games())
    puzzler = Puzzler(settings, names, grade, Random(seed))  # noqa: S311
    if as_json:
        settings.out.line(puzzler.document())
        return
    try:
        puzzler.run()
    except KeyboardInterrupt:
        settings.out.line()
        click.get_current_context().exit(130)


class Puzzler:
    """Asks one puzzle after another."""

    def __init__(
        self, settings: Settings, names: list[str], grade: str | None, rng: Random
    ) -> None:
        """Ask puzzles of these games."""
        self.settings = settings
        self.console = settings.out
        self.prompt = Prompt(settings.out)
        self.names = names
        self.grade = grade
        self.rng = rng
        self.streak = 0
        self._store: Store | None = None
        self._progress = settings.store(write=False).puzzles()
        self._puzzles: dict[str, list[Puzzle[Any]]] = {}
        self._coaches: dict[Any, Coach[Any]] = {}

    def run(self) -> None:
        """Ask until the player quits or every puzzle is solved."""
        try:
            while (puzzle := self._next()) is not None:
                self._ask(puzzle)
            self.console.line(self._none_left())
        except Quit:
            pass
        counted = Counter(grade for grade, _, solved in self._progress.values() if solved)
        listed = ", ".join(f"{counted[grade]} {grade}" for grade in GRADES)
        self.console.paragraph(f"Solved so far: {sum(counted.values())} ({listed}).")

    def document(self) -> str:
        """Write one puzzle, with its answer, as a document."""
        puzzle = self._next()
        if puzzle is None:
            raise ZerosumError(self._none_left())
        return document(
            "puzzle",
            id=puzzle.id,
            game=entry_of(puzzle.game).name,
            title=title_of(puzzle.game),
            variant=", ".join(changed_options(puzzle.game)) or "default",
            options=option_values(puzzle.game),
            state=list(puzzle.state),
            value=puzzle.value._asdict(),
            moves=list(puzzle.game.moves(puzzle.state)),
            answer=puzzle.answer,
            grade=puzzle.grade,
            missed=puzzle.missed,
        )

    def _next(self) -> Puzzle[Any] | None:
        """Pick a puzzle of a game picked at random, so that every game comes up."""
        done = {id_ for id_, (_, _, solved) in self._progress.items() if solved}
        return pick_among(self.names, self._puzzles_of, done, self.rng, self.grade)

    def _none_left(self) -> str:
        """Return why there is no other puzzle."""
        return none_left((p for name in self.names for p in self._puzzles_of(name)), self.grade)

    def _puzzles_of(self, name: str) -> list[Puzzle[Any]]:
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

    def _ask(self, puzzle: Puzzle[Any]) -> None:
        """Ask one puzzle until it is solved or skipped."""
        console, words = self.console, words_of(puzzle.game)
        missed = f"a random player misses it {puzzle.missed['random']:.0%} of the time, an easy "
        missed += f"one {puzzle.missed['easy']:.0%}, a medium one {puzzle.missed['medium']:.0%}"
        console.paragraph(f"\n{variant_title(puzzle.game)}, {puzzle.grade} ({missed}).", "strong")
        # A game's own turn may show only one of several values of a position.
        partial = type(words).turn is not Words.turn and len(puzzle.state) > 2
        if partial and not words.status(puzzle.state, NAMES):
            console.paragraph(position_of(words, puzzle.state, NAMES))
        for block in ask(words, puzzle.state, NAMES):
            console.game_text(block.strip("\n"))
        console.aside(f"{task(puzzle)} {HELP}")
        done = False
        while not done:
            typed = self.prompt.ask(words.prompt(puzzle.state, NAMES))
            obey = typed.lower() in PUZZLE_COMMANDS
            done = self._obey(puzzle, typed.lower()) if obey else self._judge(puzzle, typed)

    def _judge(self, puzzle: Puzzle[Any], typed: str) -> bool:
        """Judge an answer; True when it is the right one."""
        try:
            move = read_move(puzzle.game, puzzle.state, typed)
            check_move(puzzle.game, puzzle.state, move)
        except MoveError as error:
            self.console.problem(f"{error} {HELP * isinstance(error, UnreadableMove)}".rstrip())
            return False
        right = move == puzzle.answer
        self._save(puzzle, right)
        coach = self._coaches[puzzle.game]
        if not right:
            self.streak = 0
            self.console.problem(refuted(coach.solution, puzzle, move))
            return False
        self.streak += 1
        row = f" {self.streak} in a row." if self.streak > 1 else ""
        self.console.paragraph(f"Right!{row}", "strong")
        self.console.aside(*coach.reasons(puzzle.state))
        return True

    def _obey(self, puzzle: Puzzle[Any], command: str) -> bool:
        """Obey a command; False asks the same puzzle again."""
        console, coach = self.console, self._coaches[puzzle.game]
        if command in ("quit", "exit"):
            raise Quit
        if command in ("help", "?"):
            console.aside(HELP)
        elif command == "rules":
            console.page(rulebook_of(puzzle.game))
        elif command == "moves":
            console.aside(*coach.words.list_moves(puzzle.state))
        elif command == "hint":
            wrong = next(move for move in puzzle.game.moves(puzzle.state) if move != puzzle.answer)
            console.aside(f"You have a {spoken(puzzle.value)}. It is not {short(str(wrong))}.")
        elif command == "why":
            console.aside(coach.hint(puzzle.state), *coach.why(puzzle.state))
            self._save(puzzle, False)
        else:
            self.streak = 0
        return command in ("why", "skip")

    def _save(self, puzzle: Puzzle[Any], right: bool) -> None:
        """Save a try, if anything can be saved."""
        try:
            self._store = self._store or self.settings.store()
            self._store.try_puzzle(puzzle.id, entry_of(puzzle.game).name, puzzle.grade, right)
            self._progress = self._store.puzzles()
        except Unwritable as error:
            warn(self.settings, f"{error}\nYour progress will not be saved.")
