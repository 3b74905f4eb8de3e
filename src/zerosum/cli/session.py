"""A match at one keyboard: asks for moves, and announces what happens."""

from __future__ import annotations

import time
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click

from zerosum.cli.console import Console
from zerosum.cli.prompt import OutOfTime, Prompt, Quit
from zerosum.cli.prompt_commands import PROMPT_COMMANDS
from zerosum.cli.saver import Saver
from zerosum.errors import IllegalMove, UnreadableMove, ZerosumError
from zerosum.match import Event, Match
from zerosum.protocol import Move, legal_now, read_move
from zerosum.text import counted, half_points, score, short
from zerosum.wording.words import Names, Words, ask, title_of, words_of

if TYPE_CHECKING:
    from zerosum.cli.analysis import Analysis


class Session:
    """Drives a match by the lines that are typed."""

    def __init__(self, match: Match[Any], saver: Saver, console: Console, coached: bool) -> None:
        """Take a match; `coached` shows the value of every move."""
        self.match = match
        self.saver = saver
        self.console = console
        self.prompt = Prompt(console)
        self.coached = coached
        self.words = words_of(match.game)
        self._deadline: float | None = None
        self._fresh = False

    @cached_property
    def analysis(self) -> Analysis:
        """The solver's view of the game, loaded when it is first needed."""
        from zerosum.cli.analysis import Analysis

        return Analysis(self.saver.settings, self.match.game)

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
        if match.games > 1:
            first = match.players[match.mover]
            self.console.aside(f"Game {match.number} of {match.games}: {first} moves first.\n")
        self.console.game_text(self.words.opening(match.state, match.seated))
        self._fresh = True

    def _turn(self) -> None:
        """Show the position, and ask until something has happened to it."""
        match = self.match
        self.show()
        level = match.bots[match.mover]
        if level is not None:
            self._bot(level)
            return
        if self.coached:
            self._coach()
        if match.clock is not None:
            unit = "second" if match.clock == 1 else "seconds"
            self.console.aside(f"Time for this turn: {match.clock:g} {unit}.")
            self._deadline = time.monotonic() + match.clock
        while self.match is match:
            try:
                question = self.words.prompt(match.state, match.seated)
                self._answer(self.prompt.ask(question, self._deadline))
            except OutOfTime:
                self.prompt.reader.discard()
                self.console.line()
                self.apply(Event("time"))

    def _bot(self, level: str) -> None:
        """Let a bot make its move, where a person would type it."""
        match = self.match
        if self.analysis.endless(match):
            self.apply(Event("endless"))
            return
        move = self.analysis.move(match, level)
        self.console.line(f"{self.words.prompt(match.state, match.seated)}{move}")
        self._move(move)

    def _coach(self) -> None:
        """Show what every move is worth."""
        try:
            coach, state = self.analysis.coach, self.match.state
            self.console.aside(f"Coach: {coach.standing(state)}")
            for line in coach.moves(state, self.console.plain):
                self.console.aside(f"  {line}")
        except ZerosumError as error:
            self.coached = False
            self.console.problem(f"There is no coach for this game. {error}")

    def show(self) -> None:
        """Show the position to the player to move."""
        match = self.match
        for block in ask(self.words, match.state, match.seated, self._fresh):
            self.console.game_text(block)
        self._fresh = False

    def _answer(self, typed: str) -> None:
        """Take a line as a command or as a move."""
        if typed.lower() in PROMPT_COMMANDS:
            PROMPT_COMMANDS[typed.lower()][0](self)
            return
        try:
            self._move(read_move(self.match.game, self.match.state, typed))
        except UnreadableMove as error:
            reason = f"{error} " if typed else ""
            self.console.problem(f"{reason}{self.legal()} Type 'help' for the commands.")

    def _move(self, move: Move) -> None:
        """Make a move, or name the rule that forbids it."""
        before = self.match
        try:
            self.apply(Event("move", move))
        except IllegalMove as error:
            self.console.problem(str(error))
            return
        text = self.words.moved(before.state, move, self.match.state, before.seated)
        self.console.game_text(text)

    def legal(self) -> str:
        """Return what is legal now, in brief."""
        return legal_now(self.match.game, self.match.state)

    def position(self) -> str:
        """Return the position in a sentence."""
        return position_of(self.words, self.match.state, self.match.seated)

    def apply(self, event: Event) -> None:
        """Apply an event, and save it before it is announced."""
        self.match = self.saver.apply(self.match, event)

    def stop_clock(self, since: float) -> None:
        """Return to a player the time since a moment."""
        if self._deadline is not None:
            self._deadline += time.monotonic() - since

    def _finish(self) -> bool:
        """Announce the end of a game; True when it was the last."""
        match = self.match
        self.console.game_text(self.words.finish(match, match.round))
        if match.games > 1:
            self._score()
        if match.over:
            return True
        if match.clock is not None and self.prompt.reader.terminal:
            self.prompt.ask("Press Enter when you are ready for the next game: ")
        self.match = match.next_game()
        self.console.line()
        self._open()
        return False

    def _score(self) -> None:
        """Announce the score of a series."""
        match = self.match
        points = map(half_points, match.score)
        scores = ", ".join(map(" ".join, zip(match.players, points, strict=True)))
        self.console.aside(f"\nScore after game {match.number} of {match.games}: {scores}.")
        if match.over and match.champion is not None:
            final = score(sorted(match.score, reverse=True))
            self.console.line(f"{match.players[match.champion]} is the champion, {final}!")
        elif match.over:
            final = score(match.score)
            self.console.line(f"The match is tied, {final}: there is no champion.")


def play_match(match: Match[Any], saver: Saver, as_json: bool, coached: bool, opening: str) -> None:
    """Play a match at this keyboard; one that is left ends the program with its exit code."""
    settings = saver.settings
    console = settings.err if as_json else settings.out
    session = Session(match, saver, console, coached)
    if match.bots != (None, None):
        session.analysis.prepare(match)
    saver.open()
    if opening:
        console.aside(f"{opening}\n")
    code = None
    try:
        session.run()
    except Quit:
        code = 0
    except KeyboardInterrupt:
        console.write("\n")
        code = 130
    console.stream.flush()
    if code is not None:
        settings.err.paragraph(saver.farewell(session.match))
    if as_json and code != 130:
        from zerosum.record import dumps, to_record

        about = {"id": saver.saved.id} if saver.saved else {}
        settings.out.line(dumps(to_record(session.match, **about)))
    if code is not None:
        raise click.exceptions.Exit(code)


def position_of(words: Words[Any], state: Any, names: Names) -> str:
    """Describe a position in a sentence, unless it has a board, which is drawn at its turn."""
    return "" if words.board(state) is not None else f"{short(words.position(state, names))}."


def summary_of_match(match: Match[Any]) -> str:
    """Describe who plays what, and how far a match has come."""
    text = f"{title_of(match.game)}, {' against '.join(match.players)}"
    if match.games > 1:
        text += f", game {match.number} of {match.games}, {score(match.score)}"
    position = position_of(words_of(match.game), match.state, match.seated)
    return f"{text}, after {counted(match.ply, 'move')}. {position}".rstrip()


def bot_name(level: str) -> str:
    """Name a bot after its level."""
    return f"Computer ({level})"
