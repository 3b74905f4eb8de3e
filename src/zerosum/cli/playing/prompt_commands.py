"""The commands that work at every prompt of every game."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from zerosum.cli.playing.match_setup import NOBODY, position_of
from zerosum.cli.playing.prompt import YES_OR_NO, Quit
from zerosum.errors import MatchError
from zerosum.match import NAMES, Event, is_engine
from zerosum.protocol import legal_now

if TYPE_CHECKING:
    from zerosum.cli.playing.session import Session
    from zerosum.coach.advice import Coach

Command = Callable[["Session"], None]
# In the `meta` of a click context: whether the menu started a command.
FROM_MENU = "zerosum.menu"
OVER = "The game is over."
UNNAMED = "To be called by your names, begin with --names A B."
OFFER_DRAW = "Offer a draw? (yes or no): "
RESIGN = "Resign? Your opponent wins this game. (yes or no): "


class ToMenu(Exception):
    """The player returns to the menu."""


def help_(session: Session) -> None:
    """List what can be typed."""
    expects, match = session.expects, session.match
    if session.playing and not session.offered_draw:
        expects += f" {legal_now(match.game, match.state)}"
    session.console.aside(f"{expects} Or type a command, or its beginning:")
    listed = PROMPT_COMMANDS.items()
    session.console.aside(*(f"  {name}: {text}" for name, (_, text) in listed if text))
    if match.players == NAMES:
        session.console.aside(UNNAMED)


def rules(session: Session) -> None:
    """Show the rules, and the position again."""
    from zerosum.wording.texts import rulebook_of

    with session.saver.settings.paged(session.console) as console:
        console.show(rulebook_of(session.match.game))
    session.console.line()
    if session.playing:
        session.show()


def moves(session: Session) -> None:
    """Show what is legal, and why the rest is not."""
    session.console.aside(*session.words.list_moves(session.match.state))
    if not session.match.game.lists_all(session.match.state):
        session.console.aside("Not every legal move can be listed, but you can type any of them.")


def undo(session: Session) -> None:
    """Take back the last move; against the computer, one's own move and the reply to it."""
    before = session.match
    seats = {state.player for state in before.round.states[:-1]}
    try:
        if all(before.bots[before.round.player(seat)] is not None for seat in seats):
            raise MatchError("There is nothing to undo: you have made no move in this game.")
        session.apply(Event("undo"))
    except MatchError as error:
        session.console.problem(str(error))
        return
    while session.match.ply and session.match.bots[session.match.mover] is not None:
        session.apply(Event("undo"))
    after = session.match
    move = session.words.step(after.state, before.round.moves[after.ply]).text
    whose = "your" if before.bots != NOBODY else f"{before.players[after.mover]}'s"
    taken = f"{whose} {move}"
    if before.ply - after.ply > 1:
        taken += " and the computer's reply"
    position = position_of(session.words, after.state, after.seated)
    session.console.aside(f"Took back {taken}. {position}".rstrip())


def draw(session: Session) -> None:
    """Offer a draw to the other player; the clock waits for the answer."""
    if session.offered_draw:
        session.console.problem("A draw has already been offered: type yes or no.")
        return
    match = session.match
    opponent = 1 - match.mover
    name, level = match.players[opponent], match.bots[opponent]
    if is_engine(level):
        session.console.problem(f"{name} only chooses moves: it cannot be offered a draw.")
        return
    if level is not None and not confirmed(session, OFFER_DRAW, "draw"):
        return
    began = time.monotonic()  # the clock runs while one decides whether to offer
    question = f"{name}, do you accept the draw? (yes or no): "
    session.offered_draw = True
    try:
        if level is None:
            answer = session.ask(question, YES_OR_NO, ("yes", "no"))
        else:
            answer = "yes" if session.analysis.accepts_draw(match, level) else "no"
    finally:
        session.offered_draw = False
    if session.match is not match:
        return
    if answer == "yes":
        session.apply(Event("agreement"))
        return
    session.console.aside(f"{name} declined the draw. The game goes on.")
    session.stop_clock(began)


def resign(session: Session) -> None:
    """Resign for the player at the prompt; on a terminal, ask first."""
    if confirmed(session, RESIGN, "resign"):
        session.apply(Event("concession" if session.offered_draw else "resignation"))


def confirmed(session: Session, question: str, command: str) -> bool:
    """Ask on a terminal whether to do what would end the game; elsewhere it is done at once.

    To type the command again means yes.
    """
    match = session.match
    if not session.prompt.reader.terminal:
        return True
    answer = session.ask(question, YES_OR_NO, ("yes", "no", command))
    if session.match is match and answer == "no":
        session.console.aside("The game goes on.")
    return session.match is match and answer != "no"


def save(session: Session) -> None:
    """Show how to resume the match; it is always saved."""
    session.console.aside(session.saver.where(session.match, "Every move is saved at once."))


def quit_(session: Session) -> None:
    """Leave the match for later."""
    raise Quit


def menu(session: Session) -> None:
    """Leave the match for the menu, or say how."""
    if FROM_MENU in click.get_current_context().meta:
        raise ToMenu
    command = session.saver.settings.command_line()
    session.console.problem(f"Type 'quit' first, then open the menu with: {command}")


def coach(session: Session) -> None:
    """Switch the coach on or off."""
    session.switch_coach(not session.saver.coach)


def hint(session: Session) -> None:
    """Name a best move."""
    _tell_for_whom(session)
    session.advise(lambda coach: [coach.hint(session.match.state)])


def why(session: Session) -> None:
    """Show who is winning, and why."""
    _tell_for_whom(session)
    state = session.match.state

    def told(coach: Coach[Any]) -> list[str]:
        unknown = coach.solution.find(state) is None
        expected = [coach.advised(state), coach.expectation(state)] if unknown else []
        return [*coach.why(state), *session.counts(coach), *expected]

    session.advise(told)


def _tell_for_whom(session: Session) -> None:
    """Say whom the advice is for, if the one who asks is not to move."""
    if session.offered_draw:
        session.console.aside(f"For {session.match.players[session.match.mover]}, who is to move:")


WHILE_PLAYING: set[Command] = {moves, hint, why, draw, resign}
# What each command does, and what 'help' says about it, if anything.
PROMPT_COMMANDS: dict[str, tuple[Command, str]] = {
    "help": (help_, "this list"),
    "rules": (rules, "the rules of this game"),
    "moves": (moves, "the legal moves, and why others are not legal"),
    "hint": (hint, "a best move"),
    "why": (why, "who is winning, and why"),
    "coach": (coach, "switch the coach on or off: what every move is worth"),
    "undo": (undo, "take back the last move"),
    "draw": (draw, "offer a draw"),
    "resign": (resign, "give up this game"),
    "save": (save, "how to resume this match; every move is saved at once"),
    "menu": (menu, "back to the menu; the match is saved"),
    "quit": (quit_, "stop here; the match is saved"),
    "coach on": (lambda session: session.switch_coach(True), ""),
    "coach off": (lambda session: session.switch_coach(False), ""),
}
