"""A match at one keyboard: asks for moves, and announces what happens."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import TYPE_CHECKING, Any

from zerosum.cli.console import Console
from zerosum.cli.playing.match_setup import computer_move, position_of
from zerosum.cli.playing.prompt_commands import PROMPT_COMMANDS
from zerosum.cli.playing.saver import Saver
from zerosum.cli.prompt import Completions, OutOfTime, Prompt
from zerosum.errors import Conflict, IllegalMove, UnreadableMove, ZerosumError
from zerosum.match import Event, Match
from zerosum.protocol import Move, legal_now, read_move
from zerosum.text import half_points, score
from zerosum.wording.words import ask, words_of

if TYPE_CHECKING:
    from zerosum.cli.playing.analysis import Analysis
    from zerosum.coach.advice import Coach

YOUR_MOVE = "Type your move."
READY = "Press Enter when you are ready for the next game"
# The most moves that Tab completes.
MOST_COMPLETED = 200
# Seconds between the moves of two programs, so that a person can follow them.
PACE = 0.8


class Session:
    """Drives a match by the lines that are typed."""

    def __init__(
        self,
        match: Match[Any],
        saver: Saver,
        console: Console,
        coached: bool = False,
        quiet: bool = False,
    ) -> None:
        """Take a match; `coached` shows the value of every move, `quiet` only the final score."""
        self.match = match
        self.saver = saver
        self.console = console
        self.prompt = Prompt(console)
        self.coached = coached
        self.quiet = quiet
        self.words = words_of(match.game)
        self.expects = ""  # what the question at hand can be answered with
        self.offered_draw = False
        self._confirming = False
        self._deadline: float | None = None
        self._fresh = False
        self._after_bot = False

    @cached_property
    def analysis(self) -> Analysis:
        """What is known about the game, loaded when it is first needed."""
        from zerosum.cli.playing.analysis import Analysis

        return Analysis.of(self.saver.settings, self.match.game)

    def run(self) -> None:
        """Play until the match is over; Quit or Ctrl-C ends it sooner."""
        if self.match.ply == 0 and not self.match.round.end:
            self._open()
        while True:
            if self.match.round.end is None:
                self._turn()
            elif self._finish():
                return

    def _open(self) -> None:
        """Open a game."""
        match = self.match
        if self.quiet:
            return
        if match.games > 1:
            first = match.players[match.mover]
            self.console.aside(f"Game {match.number} of {match.games}: {first} moves first.\n")
        self.console.game_text(self.words.opening(match.state, match.seated))
        self._fresh = True

    def _turn(self) -> None:
        """Let the computer move; or show the position, and ask until it has changed."""
        match = self.match
        level = match.bots[match.mover]
        if match.bots != (None, None) and self._ends_by_repetition():
            return
        if level is not None:
            self._bot(level)
            return
        self.show()
        if match.bots != (None, None):
            self._tell_repetition()
        if self.coached:
            self._coach()
        if match.clock is not None:
            if not self._counts_down:
                unit = "second" if match.clock == 1 else "seconds"
                self.console.aside(f"Time for this turn: {match.clock:g} {unit}.")
            self._deadline = time.monotonic() + match.clock
        question = self.words.prompt(match.state, match.seated)
        while self.match is match:
            try:
                typed = self.ask(question, YOUR_MOVE, self._moves, timed=True)
                if self.match is match:
                    self._answer(typed)
            except OutOfTime:
                self.prompt.reader.discard()
                self.console.line()
                self.apply(Event("time"))

    @property
    def playing(self) -> bool:
        """Whether the game is not over."""
        return self.match.round.end is None

    @property
    def _counts_down(self) -> bool:
        """Whether the prompt itself shows the time that is left."""
        return self.prompt.editor is not None and self.console.decorated

    def ask(
        self, question: str, expects: str, answers: Completions = tuple, timed: bool = False
    ) -> str:
        """Ask until something other than a command is typed, and return it.

        The commands work at every question. If one changes the match, the question no
        longer matters, and an empty string is returned.
        """
        match, before, self.expects = self.match, self.expects, expects
        try:
            while self.match is match:
                deadline = self._deadline if timed else None
                typed = self.prompt.ask(question, deadline, lambda: (*PROMPT_COMMANDS, *answers()))
                command = PROMPT_COMMANDS.get(typed.lower())
                if command is None:
                    return typed
                command[0](self)
            return ""
        finally:
            self.expects = before

    def confirm(self, question: str) -> bool:
        """Ask once whether something is meant; a pipe means what it says, and so does a repeat."""
        if self._confirming or not self.prompt.reader.terminal:
            return True
        match, self._confirming = self.match, True
        try:
            timed = not self.offered_draw
            answer = self.ask(question, "Type yes or no.", lambda: ("yes", "no"), timed)
        finally:
            self._confirming = False
        if self.match is not match:
            return False
        if answer.lower() in ("y", "yes"):
            return True
        self.console.aside("The game goes on.")
        return False

    def switch_coach(self, coached: bool) -> None:
        """Switch the coach on or off from now on, and say what it is now."""
        began = time.monotonic()
        try:
            if coached:
                self.analysis.advise(lambda coach: [])
            self.coached = coached
            self.console.aside(f"The coach is {'on' if coached else 'off'}.")
            if coached and self.playing and not self.offered_draw:
                self._coach()
        except ZerosumError as error:
            self.console.problem(f"There is no coach for this game. {error}")
        except KeyboardInterrupt:
            self.console.problem("\nStopped. The game goes on.")
        self.saver.switch_coach(self.coached)
        self.stop_clock(began)

    def paged(self) -> AbstractContextManager[Console]:
        """Return the console for a long page: with the pager, if the game is on the screen."""
        settings = self.saver.settings
        return settings.paged() if self.console == settings.out else nullcontext(self.console)

    def _moves(self) -> list[str]:
        """List moves for Tab to complete."""
        return list(map(str, self.match.game.moves(self.match.state)[:MOST_COMPLETED]))

    def _bot(self, level: str) -> None:
        """Let the computer make its move, and report it in a line."""
        match = self.match
        move = self.analysis.move(match, level)
        report = computer_move(self.words, match.players[match.mover], match.state, move)
        if self.apply(Event("move", move)) and not self.quiet:
            self.console.paragraph(report, "strong")
            self._fresh, self._after_bot = False, True
            if None not in match.bots and self.console.terminal:
                self.console.stream.flush()
                time.sleep(PACE)

    def _ends_by_repetition(self) -> bool:
        """End a game with a program in it that repeats itself."""
        from zerosum.players.autoplay import is_endless

        if not is_endless(self.match):
            return False
        if self.apply(Event("endless")) and not self.quiet:
            self._tell_repetition()
        return True

    def _tell_repetition(self) -> None:
        """Say that the position repeats itself, and what the rule is."""
        from zerosum.players.autoplay import repetition

        if text := repetition(self.match):
            self.console.aside(text)

    def _coach(self) -> None:
        """Show what every move is worth, as far as it is known."""
        state, plain = self.match.state, self.console.plain

        def worth(coach: Coach[Any]) -> list[str]:
            lines = [f"Coach: {coach.standing(state)}"]
            if any(coach.solution.known_moves(state).values()):
                lines += (f"  {line}" for line in coach.moves(state, plain))
            return lines

        try:
            self.console.aside(*self.analysis.advise(worth))
        except ZerosumError as error:
            self.coached = False
            self.console.problem(f"There is no coach for this game. {error}")

    def show(self) -> None:
        """Show the position to the player to move."""
        match = self.match
        for block in ask(self.words, match.state, match.seated, self._fresh):
            if self._after_bot and not block.startswith("\n") and not self.console.plain:
                self.console.line()
            self._after_bot = False
            self.console.game_text(block)
        self._fresh = False

    def _answer(self, typed: str) -> None:
        """Take a line as a move."""
        try:
            self._move(read_move(self.match.game, self.match.state, typed))
        except UnreadableMove as error:
            reason = f"{error} " if typed else ""
            self.console.problem(f"{reason}{self.legal()} Type 'help' for the commands.")

    def _move(self, move: Move) -> None:
        """Make a move, or name the rule that forbids it."""
        before = self.match
        try:
            applied = self.apply(Event("move", move))
        except IllegalMove as error:
            self.console.problem(str(error))
            return
        if applied:
            text = self.words.moved(before.state, move, self.match.state, before.seated)
            self.console.game_text(text)

    def legal(self) -> str:
        """Return what is legal now, in brief."""
        return legal_now(self.match.game, self.match.state)

    def position(self) -> str:
        """Return the position in a sentence."""
        return position_of(self.words, self.match.state, self.match.seated)

    def apply(self, event: Event) -> bool:
        """Apply an event, and save it before it is announced.

        Return False if the match was continued in another terminal: then this one catches up.
        """
        try:
            self.match = self.saver.apply(self.match, event)
        except Conflict:
            self.match = self.saver.reload(self.match)
            self.words = words_of(self.match.game)
            self._fresh = False
            not_played = "Your move was not played. " if event.kind == "move" else ""
            self.console.problem(
                f"This match was continued in another terminal; nothing is lost. {not_played}"
                "Here is the current position.\n"
            )
            return False
        return True

    def stop_clock(self, since: float) -> None:
        """Return to a player the time since a moment."""
        if self._deadline is not None:
            self._deadline += time.monotonic() - since

    def _finish(self) -> bool:
        """Announce the end of a game; True when it was the last."""
        match = self.match
        if not self.quiet or match.games == 1:
            self.console.game_text(self.words.finish(match, match.round))
        if self.quiet:
            self._progress()
        if match.games > 1 and (match.over or not self.quiet):
            self._score()
        if match.over:
            return True
        if self.prompt.reader.terminal and None in match.bots:
            self.ask(f"{READY}: ", f"{READY}.")
            if self.match is not match:
                return False
        self.match = match.next_game()
        if not self.quiet:
            self.console.line()
        self._open()
        return False

    def _progress(self) -> None:
        """Show how far a quiet series has come, on a terminal only."""
        err, match = self.saver.settings.err, self.match
        if err.decorated and match.games > 1:
            err.write("\r\x1b[K" if match.over else f"\rGame {match.number} of {match.games} …")
            err.stream.flush()

    def _score(self) -> None:
        """Announce the score of a series."""
        match = self.match
        points = map(half_points, match.score)
        scores = ", ".join(map(" ".join, zip(match.players, points, strict=True)))
        if not self.quiet:
            self.console.line()
        self.console.aside(f"Score after game {match.number} of {match.games}: {scores}.")
        if match.over and match.champion is not None:
            final = score(sorted(match.score, reverse=True))
            self.console.line(f"{match.players[match.champion]} is the champion, {final}!")
        elif match.over:
            final = score(match.score)
            self.console.line(f"The match is tied, {final}: there is no champion.")
