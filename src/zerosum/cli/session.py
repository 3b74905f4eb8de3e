"""A match at one keyboard: asks, answers, and tells what happens."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from zerosum.cli.keeper import Keeper
from zerosum.cli.look import Look
from zerosum.cli.minds import Minds
from zerosum.cli.reader import OutOfTime, Reader
from zerosum.game import IllegalMove, UnreadableMove, ZerosumError, brief, lists_all, read_whole
from zerosum.match import Event, Match, MatchError
from zerosum.registry import rulebook_of
from zerosum.wording import Wording, ask, short

if TYPE_CHECKING:
    from zerosum.coach.advice import Coach

LONGEST_ECHO = 10_000
MOST_NAMED = 20


class Left(Exception):
    """The players stop here; what was played is kept."""


class Session:
    """Drives a match by the lines of a reader."""

    def __init__(
        self,
        match: Match,
        keeper: Keeper,
        reader: Reader,
        look: Look,
        minds: Minds,
        coached: bool = False,
    ) -> None:
        """Sit down to a match; `coached` shows the value of every move."""
        self.match = match
        self.keeper = keeper
        self.reader = reader
        self.look = look
        self.minds = minds
        self.coached = coached
        self.words = Wording(match.game)
        self._deadline: float | None = None
        self._fresh = False

    def run(self) -> Match:
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
        if match.length > 1:
            first = match.players[match.mover]
            self._aside(f"Game {len(match.rounds)} of {match.length}: {first} moves first.\n")
        self.look.tell(self.words.opening(match.state, match.seated))
        self._fresh = True

    def _turn(self) -> None:
        """Show the position, and ask until something has happened to it."""
        match = self.match
        self._show()
        if match.bots[match.mover] is not None:
            self._bot()
            return
        if self.coached:
            self._coach()
        if match.clock is not None:
            self._aside(f"Time for this turn: {match.clock:g} seconds.")
            self._deadline = time.monotonic() + match.clock
        while self.match is match:
            try:
                line = self._ask(self.words.prompt(match.state, match.seated), self._deadline)
            except OutOfTime:
                self.reader.forget()
                self.look.say()
                self._happen(Event("time"))
                return
            self._answer(line.strip())

    def _bot(self) -> None:
        """Let a program make its move, in the place where a person would type it."""
        match = self.match
        if self.minds.endless(match):
            self._happen(Event("endless"))
            return
        move = self.minds.move(match)
        self.look.say(f"{self.words.prompt(match.state, match.seated)}{move}")
        self._move(move)

    def _coach(self) -> None:
        """Show the value and the length of every move."""
        try:
            coach, state = self.minds.coach, self.match.state
            self._aside(f"Coach: {coach.standing(state)}")
            for line in coach.options(state, self.look.plain):
                self._aside(f"  {line}")
        except ZerosumError as error:
            self.coached = False
            self._problem(f"No coach for this game: {error}")

    def _show(self) -> None:
        """Show the position to the player to move."""
        match = self.match
        for block in ask(self.words, match.state, match.seated, self._fresh):
            self.look.tell(block)
        self._fresh = False

    def _ask(self, prompt: str, deadline: float | None = None) -> str:
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
        command = COMMANDS.get(typed.lower())
        if command is not None:
            command[0](self)
            return
        try:
            self._move(read_whole(typed))
        except UnreadableMove as error:
            said = f"{error} " if typed else ""
            self._problem(f"{said}{self._wanted()} Type 'help' for the words that work here.")

    def _move(self, move: int) -> None:
        """Make a move, or name the rule that forbids it."""
        before = self.match
        try:
            after = before.play(move)
        except IllegalMove as error:
            self._problem(f"{error} {self._wanted()}")
            return
        self.keeper.keep(after, Event("move", move))
        self.match = after
        self.look.tell(self.words.moved(before.state, move, after.state, before.seated))

    def _wanted(self) -> str:
        """Say what is legal now, as briefly as it can be said."""
        game, state = self.match.game, self.match.state
        moves = game.moves(state)
        named = ", ".join(brief(move) for move in moves[:MOST_NAMED])
        if len(moves) > MOST_NAMED or not lists_all(game, state):
            named += " and more"
        return f"Legal now: {named}."

    def _happen(self, event: Event) -> None:
        """Let something other than a move happen, and keep it before it is told."""
        after = self.match.apply(event)
        self.keeper.keep(after, event)
        self.match = after

    def _finish(self) -> bool:
        """Announce the end of a game; True when it was the last."""
        match = self.match
        self.look.tell(self.words.finish(match, match.round))
        if match.length > 1:
            self._score()
        if match.over:
            self.look.stream.flush()
            return True
        if match.clock is not None and self.reader.terminal:
            self._ask("Press Enter when you are ready for the next game: ")
        self.match = match.next_game()
        self.look.say()
        self._open()
        return False

    def _score(self) -> None:
        """Tell how the series stands."""
        match = self.match
        (one, other), (ada, bob) = match.score, match.players
        played = len(match.rounds)
        self._aside(f"\nScore after game {played} of {match.length}: {ada} {one}, {bob} {other}.")
        if match.over and match.champion is not None:
            won, lost = max(one, other), min(one, other)
            self.look.say(f"{match.players[match.champion]} is the champion, {won} to {lost}!")
        elif match.over:
            self.look.say(f"The match is tied, {one} to {other}: there is no champion.")

    def _help(self) -> None:
        """List what can be typed."""
        self._aside(f"Type the number of your move. {self._wanted()} Or type a word:")
        for word, (_, text) in COMMANDS.items():
            if text:
                self._aside(f"  {word}: {text}")

    def _rules(self) -> None:
        """Show the game's page."""
        self.look.page(rulebook_of(self.match.game))
        self.look.say()
        self._show()

    def _moves(self) -> None:
        """Show what is legal, and why the rest is not."""
        for line in self.words.survey(self.match.state):
            self._aside(line)
        if not lists_all(self.match.game, self.match.state):
            self._aside("Not every legal move could be listed; any that is typed is checked.")

    def _undo(self) -> None:
        """Take back the last move."""
        before = self.match
        seats = {state.player for state in before.round.states[:-1]}
        try:
            if all(before.bots[before.round.player(seat)] is not None for seat in seats):
                raise MatchError("There is nothing to undo: you have made no move in this game.")
            self._happen(Event("undo"))
        except MatchError as error:
            self._problem(str(error))
            return
        # Against a program, one's own move is taken back with its answer.
        while self.match.ply and self.match.bots[self.match.mover] is not None:
            self._happen(Event("undo"))
        player = before.players[self.match.mover]
        where = self.words.position(self.match.state, self.match.seated)
        taken = brief(before.round.moves[self.match.ply])
        answer = " and the answer to it" if before.ply - self.match.ply > 1 else ""
        self._aside(f"Undone: {player}'s {taken}{answer}. {short(where)}.")

    def _draw(self) -> None:
        """Call the game off if the other player agrees; the clock waits meanwhile."""
        began = time.monotonic()
        other = self.match.players[1 - self.match.mover]
        if self.match.bots[1 - self.match.mover] is not None:
            answer = "yes" if self._agreed() else "no"
        else:
            answer = ""
        while answer not in ("y", "yes", "n", "no"):
            question = f"{other}, do you agree to call the game off? (yes or no): "
            answer = self._ask(question).strip().lower()
        if answer in ("y", "yes"):
            self._happen(Event("agreement"))
            return
        self._aside(f"{other} does not agree. The game goes on.")
        if self._deadline is not None:
            self._deadline += time.monotonic() - began

    def _agreed(self) -> bool:
        """Ask a program whether it takes a draw; one that knows nothing does."""
        try:
            return self.minds.agrees(self.match)
        except ZerosumError:
            return True

    def _resign(self) -> None:
        """Let the player to move give up."""
        self._happen(Event("resignation"))

    def _save(self) -> None:
        """Say where the match is kept; it always is."""
        self._aside(f"{self.keeper.farewell(self.match)} (Every move is kept as it is made.)")

    def _quit(self) -> None:
        """Leave the match for later."""
        raise Left

    def _hint(self) -> None:
        """Name one good move."""
        self._advise(lambda coach: [coach.hint(self.match.state)])

    def _why(self) -> None:
        """Give the reason for it."""
        self._advise(lambda coach: coach.why(self.match.state))

    def _advise(self, say: Callable[[Coach], list[str]]) -> None:
        """Say what the coach says, or why it cannot; the clock waits while it thinks."""
        began = time.monotonic()
        try:
            for line in say(self.minds.coach):
                self._aside(line)
        except ZerosumError as error:
            self._problem(f"No coach for this game: {error}")
        except KeyboardInterrupt:
            self._problem("\nStopped. The game goes on.")
        if self._deadline is not None:
            self._deadline += time.monotonic() - began

    def _aside(self, text: str) -> None:
        """Say something that is not the game's own."""
        self.look.remark(text)

    def _problem(self, text: str) -> None:
        """Say what is wrong with what was typed."""
        self.look.remark(text, "problem")


COMMANDS: dict[str, tuple[Callable[[Session], None], str]] = {
    "help": (Session._help, "this list"),
    "rules": (Session._rules, "the rules of this game"),
    "moves": (Session._moves, "what is legal now, and why the rest is not"),
    "hint": (Session._hint, "one good move"),
    "why": (Session._why, "who is winning, and the reason"),
    "undo": (Session._undo, "take back the last move"),
    "draw": (Session._draw, "call the game off, if the other player agrees"),
    "resign": (Session._resign, "give up this game"),
    "save": (Session._save, "where this match is kept"),
    "quit": (Session._quit, "stop here; the match is kept"),
    "?": (Session._help, ""),
    "exit": (Session._quit, ""),
}
