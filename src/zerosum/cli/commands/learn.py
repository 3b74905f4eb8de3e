"""`zerosum learn`: a lesson, step by step, and the match at its end."""

from __future__ import annotations

from typing import Any

import click

from zerosum.cli import flags, is_ctrl_c
from zerosum.cli.careers import judged, strength_in
from zerosum.cli.config import Settings, variant_words
from zerosum.cli.playing.match_setup import COMPUTER, called, to_you
from zerosum.cli.playing.prompt import Quit
from zerosum.cli.playing.puzzle_session import HELP, LESSON, PuzzleSession
from zerosum.cli.solving import solution_of
from zerosum.coach.advice import Coach
from zerosum.coach.lesson import NO_LESSON, LessonStep, lesson
from zerosum.coach.puzzles import Puzzle
from zerosum.errors import ZerosumError
from zerosum.match import NAMES
from zerosum.players.levels import Level
from zerosum.players.scale import above
from zerosum.protocol import Game
from zerosum.registry import entry_of
from zerosum.wording.words import variant_title


class LessonSession(PuzzleSession):
    """Teaches a variant at the prompt of puzzles: one move answers a step."""

    step: LessonStep[Any]

    def __init__(self, settings: Settings, game: Game[Any]) -> None:
        """Make the lesson."""
        super().__init__(settings, [entry_of(game).name])
        self.game = game
        self.steps = lesson(self._coach(game), self._coach)

    def _coach(self, game: Game[Any]) -> Coach[Any]:
        """Return what advises on a variant."""
        self._coaches[game] = Coach(solution_of(self.settings, game))
        return self._coaches[game]

    def id_of(self, number: int) -> str:
        """Return what a step is saved under."""
        return f"{LESSON}{variant_title(self.game)}-{number}"

    def begin(self) -> int:
        """Return the first step that is not done, or 1 if all are."""
        numbers = range(1, len(self.steps) + 1)
        return next((n for n in numbers if self.id_of(n) not in self.solved), 1)

    def teach(self, number: int) -> None:
        """Teach a step, until it is answered, given away or skipped."""
        self.step = step = self.steps[number - 1]
        heading = f"\n{variant_title(self.game)}, step {number} of {len(self.steps) + 1}"
        self.console.paragraph(heading, "strong")
        value = step.coach.solution.value(step.state)
        game, missed = step.coach.game, {"medium": 0.0}
        self.ask(Puzzle(self.id_of(number), game, step.state, step.right[0], value, missed))

    def _introduce(self) -> None:
        """Show a statement, the position that is meant, and another one to try."""
        step, console = self.step, self.console
        self.task = step.task
        console.paragraph(step.title, "strong")
        if step.text:
            console.paragraph(step.text)
        if step.about is not None:
            names = self.players
            if step.about.player != step.state.player:
                names = names[::-1]
            shown = "\n".join(self.coach.words.lines(step.about, (names[0], names[1])))
            console.game_text(to_you(shown))
        console.line()
        self._show()
        console.aside(f"{self.task} {HELP}")

    def _answer(self, typed: str) -> None:
        """Answer a move; a wrong one may be tried again."""
        move = self._read(typed)
        if move is None:
            return
        self.done = move in self.step.right
        self._save(self.done)
        if self.done:
            self.console.paragraph(self.step.said(move), "strong")
        else:
            self.refused.add((self.state, move))
            self.console.problem(self.step.said(move))

    def hint(self) -> None:
        """Name a wrong move, unless any will do."""
        if len(self.step.right) > 1:
            self.console.aside("Any move will do.")
        else:
            super().hint()


@flags.game_command()
@flags.game_argument
@flags.number("--step", "Begin at this step instead of the first that is not done.", least=1)
@flags.common
def learn(settings: Settings, game: Game[Any], step: int | None) -> None:
    """Learn GAME step by step: the goal, what is lost, the law, puzzles, and a match.

    Each step is a true statement, made from the exact values of the game, and a position to try.
    Progress is saved. The words of puzzles work at the prompt: 'hint', 'why', 'skip' and 'quit'.
    """
    ctx = click.get_current_context()
    session = LessonSession(settings, game)
    last = len(session.steps) + 1
    if last == 1:
        raise ZerosumError(f"{variant_title(game)} has no lesson. {NO_LESSON}")
    if step is not None and step > last:
        raise flags.bad_value(ctx, "step", f"can be at most {last}.")
    from zerosum.cli.commands import load_command

    words = variant_words(game, ctx.meta.get(flags.META, (None, ()))[1])
    try:
        for number in range(step or session.begin(), last):
            session.teach(number)
        play = load_command("play").make_context(
            "play", [*words, "--vs", "easy"], parent=ctx.parent
        )
        name, _ = called(((play.params["names"] or NAMES)[0], COMPUTER))
        level = play.params["vs"] = _level_above(settings, game, name)
        settings.out.paragraph(f"\n{variant_title(game)}, step {last} of {last}", "strong")
        settings.out.paragraph(f"Now play a match. The level to try is {level}.", "strong")
        if not session.prompt.confirm("Play it now (yes or no)? [yes]: ", default="yes"):
            raise Quit
    except (Quit, KeyboardInterrupt) as error:
        if isinstance(error, KeyboardInterrupt) and not is_ctrl_c(error):
            raise
        stopped = isinstance(error, KeyboardInterrupt)
        again = settings.command_line("learn", *words)
        resume = f"Your progress is saved. Resume with: {again}"
        settings.out.paragraph(f"\n{resume}" if stopped else resume)
        if stopped:
            raise click.exceptions.Exit(130) from error
        return
    with play:
        play.command.invoke(play)


def _level_above(settings: Settings, game: Game[Any], name: str) -> Level:
    """Return the level just above somebody in a game, or else in all games, or else easy."""
    entry = entry_of(game)
    found = judged(settings, settings.store(write=False), [entry]).games
    every = [each for (who, _), games in found.items() if who == name for each in games]
    here = found.get((name, entry.name), [])
    return above(strength_in(here)) or above(strength_in(every)) or "easy"
