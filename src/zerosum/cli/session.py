"""A match at one keyboard: asks for moves, and announces what happens."""

from __future__ import annotations

import time
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click

from zerosum.cli.config import Settings
from zerosum.cli.console import Console
from zerosum.cli.prompt import OutOfTime, Prompt, Quit
from zerosum.cli.prompt_words import WORDS
from zerosum.cli.saving import Saver
from zerosum.errors import IllegalMove, UnreadableMove, ZerosumError
from zerosum.match import Event, Match
from zerosum.protocol import Move, legal_now, read_move
from zerosum.text import half_points, short
from zerosum.wording import Names, Words, ask, title_of, words_of

if TYPE_CHECKING:
    from zerosum.cli.engine import Engine


class Session:
    """Drives a match by the lines that are typed."""

    def __init__(self, match: Match[Any], saver: Saver, console: Console, coached: bool) -> None:
        """Sit down to a match; `coached` shows the value of every move."""
        self.match = match
        self.saver = saver
        self.console = console
        self.prompt = Prompt(console)
        self.coached = coached
        self.words = words_of(match.game)
        self._deadline: float | None = None
        self._fresh = False

    @cached_property
    def engine(self) -> Engine:
        """The solver at the table, loaded when it is first needed."""
        from zerosum.cli.engine import Engine

        return Engine(self.saver.settings, self.match.game)

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
            self.aside(f"Game {match.number} of {match.games}: {first} moves first.\n")
        self.console.tell(self.words.opening(match.state, match.seated))
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
            self.aside(f"Time for this turn: {match.clock:g} {unit}.")
            self._deadline = time.monotonic() + match.clock
        while self.match is match:
            try:
                question = self.words.prompt(match.state, match.seated)
                self._answer(self.prompt.ask(question, self._deadline))
            except OutOfTime:
                self.prompt.reader.discard()
                self.console.say()
                self.happen(Event("time"))

    def _bot(self, level: str) -> None:
        """Let a bot make its move, where a person would type it."""
        match = self.match
        if self.engine.endless(match):
            self.happen(Event("endless"))
            return
        move = self.engine.move(match, level)
        self.console.say(f"{self.words.prompt(match.state, match.seated)}{move}")
        self._move(move)

    def _coach(self) -> None:
        """Show the value and the length of every move."""
        try:
            coach, state = self.engine.coach, self.match.state
            self.aside(f"Coach: {coach.standing(state)}")
            for line in coach.options(state, self.console.plain):
                self.aside(f"  {line}")
        except ZerosumError as error:
            self.coached = False
            self.problem(f"No coach for this game: {error}")

    def show(self) -> None:
        """Show the position to the player to move."""
        match = self.match
        for block in ask(self.words, match.state, match.seated, self._fresh):
            self.console.tell(block)
        self._fresh = False

    def _answer(self, typed: str) -> None:
        """Take a line as a word or as a move."""
        if typed.lower() in WORDS:
            WORDS[typed.lower()][0](self)
            return
        try:
            self._move(read_move(self.match.game, self.match.state, typed))
        except UnreadableMove as error:
            reason = f"{error} " if typed else ""
            self.problem(f"{reason}{self.legal()} Type 'help' for the words that work here.")

    def _move(self, move: Move) -> None:
        """Make a move, or name the rule that forbids it."""
        before = self.match
        try:
            after = before.play(move)
        except IllegalMove as error:
            self.problem(str(error))
            return
        self.saver.save(after, Event("move", move))
        self.match = after
        self.console.tell(self.words.moved(before.state, move, after.state, before.seated))

    def legal(self) -> str:
        """Say briefly what is legal now."""
        return legal_now(self.match.game, self.match.state)

    def position(self) -> str:
        """Say the position in a sentence."""
        return position_of(self.words, self.match.state, self.match.seated)

    def happen(self, event: Event) -> None:
        """Let something other than a move happen, and save it before it is announced."""
        after = self.match.apply(event)
        self.saver.save(after, event)
        self.match = after

    def stop_clock(self, since: float) -> None:
        """Give a player back the time since a moment."""
        if self._deadline is not None:
            self._deadline += time.monotonic() - since

    def _finish(self) -> bool:
        """Announce the end of a game; True when it was the last."""
        match = self.match
        self.console.tell(self.words.finish(match, match.round))
        if match.games > 1:
            self._score()
        if match.over:
            return True
        if match.clock is not None and self.prompt.reader.terminal:
            self.prompt.ask("Press Enter when you are ready for the next game: ")
        self.match = match.next_game()
        self.console.say()
        self._open()
        return False

    def _score(self) -> None:
        """Announce the score of a series."""
        match = self.match
        points = [half_points(score) for score in match.score]
        scores = ", ".join(map(" ".join, zip(match.players, points, strict=True)))
        self.aside(f"\nScore after game {match.number} of {match.games}: {scores}.")
        if match.over and match.champion is not None:
            won, lost = points[match.champion], points[1 - match.champion]
            self.console.say(f"{match.players[match.champion]} is the champion, {won} to {lost}!")
        elif match.over:
            tie = " to ".join(points)
            self.console.say(f"The match is tied, {tie}: there is no champion.")

    def aside(self, text: str) -> None:
        """Print something that is not the game's own."""
        self.console.remark(text)

    def problem(self, text: str) -> None:
        """Say what is wrong with what was typed."""
        self.console.remark(text, "problem")


def play_match(
    settings: Settings,
    match: Match[Any],
    saver: Saver,
    as_json: bool,
    coached: bool,
    opening: str,
) -> None:
    """Play a match at this keyboard; one that is left ends the program with its exit code."""
    console = settings.err if as_json else settings.out
    session = Session(match, saver, console, coached)
    if match.bots != (None, None):
        session.engine.prepare(match)
    saver.open()
    if opening:
        console.remark(f"{opening}\n")
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
        settings.err.remark(saver.farewell(session.match), "")
    if as_json and code != 130:
        from zerosum.record import dumps, to_record

        about = {"id": saver.saved.id} if saver.saved else {}
        settings.out.say(dumps(to_record(session.match, **about)))
    if code is not None:
        raise click.exceptions.Exit(code)


def position_of(words: Words[Any], state: Any, names: Names) -> str:
    """Say a position in a sentence, unless it has a board, which is drawn at its turn."""
    return "" if words.board(state) is not None else f"{short(words.position(state, names))}."


def summary_of_match(match: Match[Any]) -> str:
    """Say who plays what, and how far a match has come."""
    text = f"{title_of(match.game)}, {' against '.join(match.players)}"
    if match.games > 1:
        score = " to ".join(map(half_points, match.score))
        text += f", game {match.number} of {match.games}, {score}"
    position = position_of(words_of(match.game), match.state, match.seated)
    return f"{text}, after {match.ply} {'move' if match.ply == 1 else 'moves'}. {position}".rstrip()


def bot_name(level: str) -> str:
    """Name a bot after its level."""
    return f"Computer ({level})"
