"""The commands that work at every prompt of every game."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from zerosum.cli.prompt import Quit
from zerosum.errors import MatchError, ZerosumError
from zerosum.match import Event
from zerosum.text import brief
from zerosum.wording.rulebook import rulebook_of

if TYPE_CHECKING:
    from zerosum.cli.session import Session
    from zerosum.coach.advice import Coach


def help_(session: Session) -> None:
    """List what can be typed."""
    session.console.aside(f"Type your move. {session.legal()} Or type a command:")
    listed = PROMPT_COMMANDS.items()
    session.console.aside(*(f"  {name}: {text}" for name, (_, text) in listed if text))


def rules(session: Session) -> None:
    """Show the rules, and the position again."""
    session.console.page(rulebook_of(session.match.game))
    session.console.line()
    session.show()


def moves(session: Session) -> None:
    """Show what is legal, and why the rest is not."""
    session.console.aside(*session.words.list_moves(session.match.state))
    if not session.match.game.lists_all(session.match.state):
        session.console.aside("Not every legal move can be listed; any that you type is checked.")


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
    player = before.players[session.match.mover]
    move = brief(before.round.moves[session.match.ply])
    taken = f"{player}'s {move}" if before.bots == (None, None) else f"your {move}"
    if before.ply - session.match.ply > 1:
        taken += " and the computer's reply"
    session.console.aside(f"Took back {taken}. {session.position()}".rstrip())


def draw(session: Session) -> None:
    """Offer a draw to the other player; the clock waits meanwhile."""
    began = time.monotonic()
    opponent = 1 - session.match.mover
    name, level = session.match.players[opponent], session.match.bots[opponent]
    answer = ""
    if level is not None:
        answer = "yes" if session.analysis.accepts_draw(session.match, level) else "no"
    while answer not in ("y", "yes", "n", "no"):
        answer = session.prompt.ask(f"{name}, do you accept the draw? (yes or no): ").lower()
    if answer in ("y", "yes"):
        session.apply(Event("agreement"))
        return
    session.console.aside(f"{name} declined the draw. The game goes on.")
    session.stop_clock(began)


def resign(session: Session) -> None:
    """Give up the game for the player to move."""
    session.apply(Event("resignation"))


def save(session: Session) -> None:
    """Show how to resume the match; it is always saved."""
    session.console.aside(session.saver.farewell(session.match, "Every move is saved at once."))


def quit_(session: Session) -> None:
    """Leave the match for later."""
    raise Quit


def hint(session: Session) -> None:
    """Name a best move."""
    _advise(session, lambda coach: [coach.hint(session.match.state)])


def why(session: Session) -> None:
    """Show who is winning, and why."""
    _advise(session, lambda coach: coach.why(session.match.state))


def _advise(session: Session, advice: Callable[[Coach[Any]], list[str]]) -> None:
    """Print what the coach says, or why it cannot; the clock waits while it thinks."""
    began = time.monotonic()
    try:
        session.console.aside(*advice(session.analysis.coach))
    except ZerosumError as error:
        session.console.problem(f"There is no coach for this game. {error}")
    except KeyboardInterrupt:
        session.console.problem("\nStopped. The game goes on.")
    session.stop_clock(began)


# What each command does, and what 'help' says of it; those without a text are synonyms.
PROMPT_COMMANDS: dict[str, tuple[Callable[[Session], None], str]] = {
    "help": (help_, "this list"),
    "rules": (rules, "the rules of this game"),
    "moves": (moves, "the legal moves, and why others are not legal"),
    "hint": (hint, "a best move"),
    "why": (why, "who is winning, and why"),
    "undo": (undo, "take back the last move"),
    "draw": (draw, "offer a draw"),
    "resign": (resign, "give up this game"),
    "save": (save, "how to resume this match; every move is saved at once"),
    "quit": (quit_, "stop here; the match is saved"),
    "?": (help_, ""),
    "exit": (quit_, ""),
}
