"""The words that work at every prompt of every game."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from zerosum.cli.session import Commands, Left, Session, where
from zerosum.errors import MatchError, ZerosumError
from zerosum.match import Event
from zerosum.text import brief
from zerosum.wording import rulebook_of

if TYPE_CHECKING:
    from zerosum.coach.advice import Coach


def help_(session: Session) -> None:
    """List what can be typed."""
    session.aside(f"Type your move. {session.wanted()} Or type a word:")
    for word, (_, text) in session.commands.items():
        if text:
            session.aside(f"  {word}: {text}")


def rules(session: Session) -> None:
    """Show the game's page."""
    session.look.page(rulebook_of(session.match.game))
    session.look.say()
    session.show()


def moves(session: Session) -> None:
    """Show what is legal, and why the rest is not."""
    for line in session.words.survey(session.match.state):
        session.aside(line)
    if not session.match.game.lists_all(session.match.state):
        session.aside("Not every legal move could be listed; any that is typed is checked.")


def undo(session: Session) -> None:
    """Take back the last move."""
    before = session.match
    seats = {state.player for state in before.round.states[:-1]}
    try:
        if all(before.bots[before.round.player(seat)] is not None for seat in seats):
            raise MatchError("There is nothing to undo: you have made no move in this game.")
        session.happen(Event("undo"))
    except MatchError as error:
        session.problem(str(error))
        return
    # Against a program, one's own move is taken back with the reply to it.
    while session.match.ply and session.match.bots[session.match.mover] is not None:
        session.happen(Event("undo"))
    player = before.players[session.match.mover]
    taken = brief(before.round.moves[session.match.ply])
    told = f"{player}'s {taken}" if before.bots == (None, None) else f"your {taken}"
    if before.ply - session.match.ply > 1:
        told += " and the computer's reply"
    at = where(session.words, session.match.state, session.match.seated)
    session.aside(f"Took back {told}. {at}".rstrip())


def draw(session: Session) -> None:
    """Offer a draw to the other player; the clock waits meanwhile."""
    began = time.monotonic()
    other = session.match.players[1 - session.match.mover]
    if session.match.bots[1 - session.match.mover] is not None:
        answer = "yes" if _agreed(session) else "no"
    else:
        answer = ""
    while answer not in ("y", "yes", "n", "no"):
        question = f"{other}, do you accept the draw? (yes or no): "
        answer = session.ask(question).strip().lower()
    if answer in ("y", "yes"):
        session.happen(Event("agreement"))
        return
    session.aside(f"{other} declined the draw. The game goes on.")
    if session.deadline is not None:
        session.deadline += time.monotonic() - began


def _agreed(session: Session) -> bool:
    """Ask a program whether it takes a draw; one that knows nothing does."""
    try:
        return session.minds.agrees(session.match)
    except ZerosumError:
        return True


def resign(session: Session) -> None:
    """Let the player to move give up."""
    session.happen(Event("resignation"))


def save(session: Session) -> None:
    """Say how to resume the match; it is always saved."""
    session.aside(session.keeper.farewell(session.match, "Every move is saved at once."))


def quit_(session: Session) -> None:
    """Leave the match for later."""
    raise Left


def hint(session: Session) -> None:
    """Name one good move."""
    _advise(session, lambda coach: [coach.hint(session.match.state)])


def why(session: Session) -> None:
    """Give the reason for it."""
    _advise(session, lambda coach: coach.why(session.match.state))


def _advise(session: Session, say: Callable[[Coach[Any]], list[str]]) -> None:
    """Say what the coach says, or why it cannot; the clock waits while it thinks."""
    began = time.monotonic()
    try:
        for line in say(session.minds.coach):
            session.aside(line)
    except ZerosumError as error:
        session.problem(f"No coach for this game: {error}")
    except KeyboardInterrupt:
        session.problem("\nStopped. The game goes on.")
    if session.deadline is not None:
        session.deadline += time.monotonic() - began


COMMANDS: Commands = {
    "help": (help_, "this list"),
    "rules": (rules, "the rules of this game"),
    "moves": (moves, "what is legal now, and why the rest is not"),
    "hint": (hint, "one good move"),
    "why": (why, "who is winning, and the reason"),
    "undo": (undo, "take back the last move"),
    "draw": (draw, "offer a draw"),
    "resign": (resign, "give up this game"),
    "save": (save, "how to resume this match; every move is saved at once"),
    "quit": (quit_, "stop here; the match is saved"),
    "?": (help_, ""),
    "exit": (quit_, ""),
}
