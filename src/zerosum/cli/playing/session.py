"""A match at one keyboard: asks for moves, and announces what happens."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from zerosum.cli.console import Console, StatusLine
from zerosum.cli.playing.match_setup import NOBODY, YOU, called, computer_move, to_you
from zerosum.cli.playing.prompt import OutOfTime, Prompt, meant, never, suggestion
from zerosum.cli.playing.prompt_commands import OVER, PROMPT_COMMANDS, WHILE_PLAYING
from zerosum.cli.playing.saver import Saver
from zerosum.errors import MoveError, UnreadableMove, ZerosumError
from zerosum.match import Event, Match
from zerosum.protocol import legal_now, read_move
from zerosum.registry import entry_of
from zerosum.states import is_move, misread
from zerosum.text import counted, half_points, score
from zerosum.wording.words import MOST_LISTED, ask, title_of, words_of

if TYPE_CHECKING:
    from zerosum.cli.playing.analysis import Analysis
    from zerosum.coach.advice import Coach

READY = "Press Enter when you are ready for the next game"
# Seconds between two programs' moves, for a person to follow.
PACE = 0.8


class Session:
    """Drives a match by the lines that are typed."""

    def __init__(
        self, match: Match[Any], saver: Saver, console: Console, quiet: bool = False
    ) -> None:
        """Take a match; `quiet` shows only the final score."""
        self.match = match
        self.saver = saver
        self.console = console
        self.prompt = Prompt(console)
        self.quiet = quiet
        self.words = words_of(match.game)
        self.expects = ""  # what the question at hand can be answered with
        self.offered_draw = False
        self._deadline: float | None = None
        self._fresh = False
        self._after_bot = False
        self._counted = False
        self._status = StatusLine(saver.settings.err)

    @cached_property
    def analysis(self) -> Analysis:
        """What is known about the game, loaded when it is first needed."""
        from zerosum.cli.playing.analysis import Analysis

        return Analysis.of(self.saver.settings, self.match.game)

    @property
    def playing(self) -> bool:
        """Whether the game is still going on."""
        return self.match.round.end is None

    @property
    def told(self) -> Match[Any]:
        """The match as it is told here, where a player may be You."""
        return replace(self.match, players=called(self.match.players))

    def say(self, text: str) -> None:
        """Print what the game says, or what we say about its players."""
        self.console.game_text(to_you(text) if YOU in self.told.players else text)

    def run(self) -> None:
        """Play until the match is over; Quit or Ctrl-C ends it sooner."""
        if self.match.ply == 0 and self.playing:
            self._open()
        while True:
            if self.playing:
                self._turn()
            elif self._finish():
                return

    def _open(self) -> None:
        """Open a game."""
        match = self.told
        if self.quiet:
            return
        if match.games > 1:
            first = match.players[match.mover]
            number = f"Game {match.number} of {match.games}"
            self.console.aside(to_you(f"{number}: {first} moves first.\n"))
        self.say(self.words.opening(match.state, match.seated))
        self._fresh, self._after_bot = True, False

    def _turn(self) -> None:
        """Let the computer move; or show the position, and ask until it has changed."""
        match = self.match
        if match.bots != NOBODY and self._ends_by_repetition():
            return
        level = match.bots[match.mover]
        if level is not None:
            self._bot(level)
            return
        self.show()
        if match.bots != NOBODY:
            self._tell_repetition()
        if self.saver.coach:
            self.saver.coach = self.advise(self._worth, self.console.advice, asked=False)
        if match.clock is not None:
            if self.prompt.editor is None or not self.console.decorated:  # which counts down
                unit = "second" if match.clock == 1 else "seconds"
                self.console.aside(f"Time for this turn: {match.clock:g} {unit}.")
            self._deadline = time.monotonic() + match.clock
        question = self.words.prompt(match.state, self.told.seated)
        while self.match is match:
            try:
                typed = self.ask(question, "Type your move.")
                if self.match is match:
                    self._answer(typed)
            except OutOfTime:
                self.prompt.reader.discard()
                self.console.line()
                self.apply(Event("time"))

    def ask(self, question: str, expects: str, answers: Sequence[str] = ()) -> str:
        """Ask until one of the answers is given, or without them what may be a move; return it.

        The commands work at every question. If one changes the match, the question no longer
        matters, and '' is returned.
        """
        match, before, self.expects = self.match, self.expects, expects
        words = list(dict.fromkeys(filter(None, (*answers, *PROMPT_COMMANDS))))
        try:
            while self.match is match:
                deadline = self._deadline if self.playing and not self.offered_draw else None
                typed = self.prompt.ask(
                    question, deadline, lambda: words if answers else (*words, *self._moves())
                )
                is_move = never if answers else self._is_move
                word = meant(typed, PROMPT_COMMANDS, answers, is_move)
                if typed in answers or (word and word in answers):
                    return word
                if word in PROMPT_COMMANDS:
                    command, _ = PROMPT_COMMANDS[word]
                    if command in WHILE_PLAYING and not self.playing:
                        self.console.problem(OVER)
                    else:
                        command(self)
                elif answers:
                    self.console.problem(suggestion(typed, words) or expects)
                else:
                    return typed
            return ""
        finally:
            self.expects = before

    def _is_move(self, typed: str) -> bool:
        """Return whether the game has such a move, here or elsewhere."""
        return is_move(self.match.game, self.match.state, typed)

    def switch_coach(self, coached: bool) -> None:
        """Switch the coach on or off from now on, and say what it is now."""
        works = coached and self.advise(lambda coach: [])
        if works == coached:
            self.console.aside(f"The coach is {'on' if coached else 'off'}.")
        if works and self.playing and not self.offered_draw:
            works = self.advise(self._worth, self.console.advice)
        self.saver.switch_coach(works)

    def advise(
        self,
        advice: Callable[[Coach[Any]], list[str]],
        show: Callable[..., None] | None = None,
        asked: bool = True,
    ) -> bool:
        """Print what the coach says, or why it cannot; its thinking costs no time.

        Ctrl-C stops an answer that was asked for, else the program.
        """
        began = time.monotonic()
        try:
            advised = self.analysis.advise(advice)
            self.saver.helped(self.match)
            (show or self.console.aside)(*advised)
            return True
        except ZerosumError as error:
            self.console.problem(f"There is no coach for this game. {error}")
        except KeyboardInterrupt:
            if not asked:
                raise
            self.console.problem("\nStopped. The game goes on.")
        finally:
            self.stop_clock(began)
        return False

    def _worth(self, coach: Coach[Any]) -> list[str]:
        """Say how things stand, why, and what every move is worth, if it is known."""
        state = self.match.state
        known = coach.solution.find(state) is not None
        if known:
            lines = [coach.standing(state)]
        else:
            lines = [coach.advised(state), coach.expectation(state)]
        if coach.theory is not None and coach.solution.is_exact(state):  # a law is slow to find
            lines += filter(None, [coach.reason(state)])
        lines += self.counts(coach)
        if any(coach.solution.known_moves(state).values()):
            lines += coach.moves(state, self.console.plain)
        return lines

    def counts(self, coach: Coach[Any]) -> list[str]:
        """Say once how moves are counted, when the coach first gives a number."""
        told = "" if self._counted else coach.counts(self.match.state)
        self._counted = self._counted or told != ""
        return [told] if told else []

    def _moves(self) -> list[str]:
        """List moves for Tab to complete."""
        return list(map(str, self.match.game.moves(self.match.state)[:MOST_LISTED]))

    def _bot(self, level: str) -> None:
        """Let the computer make its move, and report it in a line."""
        from zerosum.players.asked import PlayerFault

        match = self.match
        try:
            move = self.analysis.move(match, level)
        except PlayerFault as fault:
            if fault.kind != "late" or match.clock is None:
                raise
            self.console.problem(str(fault))
            self.apply(Event("time"))
            return
        report = computer_move(self.words, match.players[match.mover], match.state, move)
        self.apply(Event("move", move))
        if not self.quiet:
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
        self.apply(Event("endless"))
        if not self.quiet:
            self._tell_repetition()
        return True

    def _tell_repetition(self) -> None:
        """Say that the position repeats itself, and what the rule is."""
        from zerosum.players.autoplay import repetition

        if text := repetition(self.match):
            self.console.aside(text)

    def show(self) -> None:
        """Show the position to the player to move."""
        match = self.told
        for block in ask(self.words, match.state, match.seated, self._fresh):
            if self._after_bot and not block.startswith("\n") and not self.console.plain:
                self.console.line()
            self._after_bot = False
            self.say(block)
        self._fresh = False

    def _answer(self, typed: str) -> None:
        """Play the move that was typed; or say why it is not one, or not legal."""
        before = self.match
        try:
            move = read_move(before.game, before.state, typed)
            self.apply(Event("move", move))
        except MoveError as error:
            legal = legal_now(before.game, before.state)
            told = suggestion(typed, PROMPT_COMMANDS)
            if told and not self._is_move(typed):
                self.console.problem(f"{told} {legal}")
            elif isinstance(error, UnreadableMove):
                hint = f"{legal} Type 'help' for the commands."
                if typed:
                    reason = misread(before.game, before.state, typed, error)
                    hint = f"{reason} {hint}"
                self.console.problem(hint)
            else:
                self.console.problem(str(error))
        else:
            seated = self.told.seated
            self.say(self.words.moved(before.state, move, self.match.state, seated))

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
        if not self.quiet or match.games == 1:
            self.say(self.words.finish(self.told, match.round))
            self._sum_up()
        elif not match.over:
            self._status.show(f"Game {match.number} of {match.games} …")
        if match.over:
            self._status.clear()
        if match.games > 1 and (match.over or not self.quiet):
            self._score()
        if match.over:
            return True
        if self.prompt.reader.terminal and None in match.bots:
            self.ask(f"{READY}: ", f"{READY}.", ("",))
            if self.match is not match:
                return False
        self.match = match.next_game()
        if not self.quiet:
            self.console.line()
        self._open()
        return False

    def _sum_up(self) -> None:
        """Say in a line how the player against the computer did."""
        match, played = self.told, self.match.round
        if match.bots.count(None) != 1 or played.end is None or not played.moves:
            return
        player, winner = match.bots.index(None), played.end.winner
        did = "drew" if winner is None else "won" if winner == player else "lost"
        good, every = self.analysis.decisions(match, player)
        right = f"; {good} of {counted(every, 'decision')} right" if every else ""
        told = f"{match.players[player]} {did} in {counted(len(played.moves), 'move')}{right}."
        self.console.paragraph(told, "strong")
        if match.over and every:
            self._place(match.players[player])

    def _place(self, name: str) -> None:
        """Say where the player stands in this game, once that can be told."""
        from zerosum.cli.careers import judged, strength_in
        from zerosum.players.scale import placed

        entry = entry_of(self.match.game)
        with suppress(ZerosumError):  # nothing is saved, or nothing of this can be read
            store = self.saver.settings.store(write=False)
            found = judged(self.saver.settings, store, [entry], entry.name).games
            strength = strength_in(found.get((name, entry.name), []))
            if strength.like:
                self.console.paragraph(placed(strength, name, title_of(self.match.game)))

    def _score(self) -> None:
        """Announce the score of a series."""
        match = self.told
        points = map(half_points, match.score)
        scores = ", ".join(map(" ".join, zip(match.players, points, strict=True)))
        if not self.quiet:
            self.console.line()
        self.console.aside(f"Score after game {match.number} of {match.games}: {scores}.")
        if match.over and match.champion is not None:
            final = score(sorted(match.score, reverse=True))
            self.say(f"{match.players[match.champion]} is the champion, {final}!")
        elif match.over:
            final = score(match.score)
            self.console.line(f"The match is tied, {final}: there is no champion.")
