"""A match at one keyboard: asks, answers, and tells what happens."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from zerosum.cli.keeper import Keeper
from zerosum.cli.look import Look
from zerosum.cli.minds import Minds
from zerosum.cli.reader import OutOfTime, Reader
from zerosum.errors import IllegalMove, UnreadableMove, ZerosumError
from zerosum.match import Event, Match
from zerosum.protocol import Move, legal_now, read_move
from zerosum.text import brief, half_points, short
from zerosum.wording import Names, Words, ask, words_of

LONGEST_ECHO = 10_000

Commands = dict[str, tuple[Callable[["Session"], None], str]]


class Left(Exception):
    """The players stop here; what was played is saved."""


def where(words: Words[Any], state: Any, names: Names) -> str:
    """Tell a position in a sentence; a board is drawn when its turn comes, and told better so."""
    return "" if words.board(state) is not None else f"{short(words.position(state, names))}."


class Session:
    """Drives a match by the lines of a reader."""

    def __init__(
        self,
        match: Match[Any],
        keeper: Keeper,
        reader: Reader,
        look: Look,
        minds: Minds,
        commands: Commands,
        coached: bool = False,
    ) -> None:
        """Sit down to a match; `coached` shows the value of every move.

        `commands` are the words that work at the prompt.
        """
        self.match = match
        self.keeper = keeper
        self.reader = reader
        self.look = look
        self.minds = minds
        self.commands = commands
        self.coached = coached
        self.words = words_of(match.game)
        self.deadline: float | None = None
        self._fresh = False

    def run(self) -> Match[Any]:
        """Play until the match is over, or until the players leave."""
        if self.match.ply == 0 and not self.match.round.end:
            self._open()
        while True:
            if self.match.round.end is None:
                self._turn()
            elif self._finish():
                return self.match

    def _open(self) -> None:
        """Open a game."""
        match = self.match
        if match.games > 1:
            first = match.players[match.mover]
            self.aside(f"Game {match.number} of {match.games}: {first} moves first.\n")
        self.look.tell(self.words.opening(match.state, match.seated))
        self._fresh = True

    def _turn(self) -> None:
        """Show the position, and ask until something has happened to it."""
        match = self.match
        self.show()
        if match.bots[match.mover] is not None:
            self._bot()
            return
        if self.coached:
            self._coach()
        if match.clock is not None:
            unit = "second" if match.clock == 1 else "seconds"
            self.aside(f"Time for this turn: {match.clock:g} {unit}.")
            self.deadline = time.monotonic() + match.clock
        while self.match is match:
            try:
                line = self.ask(self.words.prompt(match.state, match.seated), self.deadline)
            except OutOfTime:
                self.reader.forget()
                self.look.say()
                self.happen(Event("time"))
                return
            self._answer(line.strip())

    def _bot(self) -> None:
        """Let a program make its move, in the place where a person would type it."""
        match = self.match
        if self.minds.endless(match):
            self.happen(Event("endless"))
            return
        move = self.minds.move(match)
        self.look.say(f"{self.words.prompt(match.state, match.seated)}{move}")
        self._move(move)

    def _coach(self) -> None:
        """Show the value and the length of every move."""
        try:
            coach, state = self.minds.coach, self.match.state
            self.aside(f"Coach: {coach.standing(state)}")
            for line in coach.options(state, self.look.plain):
                self.aside(f"  {line}")
        except ZerosumError as error:
            self.coached = False
            self.problem(f"No coach for this game: {error}")

    def show(self) -> None:
        """Show the position to the player to move."""
        match = self.match
        for block in ask(self.words, match.state, match.seated, self._fresh):
            self.look.tell(block)
        self._fresh = False

    def ask(self, prompt: str, deadline: float | None = None) -> str:
        """Ask, wait for a line, and show it where the terminal has not done so."""
        self.look.write(prompt)
        self.look.stream.flush()
        line = self.reader.readline(deadline)
        if line is None:
            self.look.say()
            raise Left
        if deadline is not None and time.monotonic() > deadline:
            raise OutOfTime
        if not self.reader.terminal:
            self.look.say(brief(line, LONGEST_ECHO))
        return line

    def _answer(self, typed: str) -> None:
        """Take a line for a command or for a move."""
        command = self.commands.get(typed.lower())
        if command is not None:
            command[0](self)
            return
        try:
            self._move(read_move(self.match.game, self.match.state, typed))
        except UnreadableMove as error:
            said = f"{error} " if typed else ""
            self.problem(f"{said}{self.wanted()} Type 'help' for the words that work here.")

    def _move(self, move: Move) -> None:
        """Make a move, or name the rule that forbids it."""
        before = self.match
        try:
            after = before.play(move)
        except IllegalMove as error:
            self.problem(str(error))
            return
        self.keeper.keep(after, Event("move", move))
        self.match = after
        self.look.tell(self.words.moved(before.state, move, after.state, before.seated))

    def wanted(self) -> str:
        """Say what is legal now, as briefly as it can be said."""
        return legal_now(self.match.game, self.match.state)

    def happen(self, event: Event) -> None:
        """Let something other than a move happen, and keep it before it is told."""
        after = self.match.apply(event)
        self.keeper.keep(after, event)
        self.match = after

    def _finish(self) -> bool:
        """Announce the end of a game; True when it was the last."""
        match = self.match
        self.look.tell(self.words.finish(match, match.round))
        if match.games > 1:
            self._score()
        if match.over:
            self.look.stream.flush()
            return True
        if match.clock is not None and self.reader.terminal:
            self.ask("Press Enter when you are ready for the next game: ")
        self.match = match.next_game()
        self.look.say()
        self._open()
        return False

    def _score(self) -> None:
        """Tell how the series stands."""
        match = self.match
        points = [half_points(score) for score in match.score]
        told = ", ".join(map(" ".join, zip(match.players, points, strict=True)))
        self.aside(f"\nScore after game {match.number} of {match.games}: {told}.")
        if match.over and match.champion is not None:
            won, lost = points[match.champion], points[1 - match.champion]
            self.look.say(f"{match.players[match.champion]} is the champion, {won} to {lost}!")
        elif match.over:
            self.look.say(f"The match is tied, {points[0]} to {points[1]}: there is no champion.")

    def aside(self, text: str) -> None:
        """Say something that is not the game's own."""
        self.look.remark(text)

    def problem(self, text: str) -> None:
        """Say what is wrong with what was typed."""
        self.look.remark(text, "problem")
