"""A match at this keyboard, and what follows it: its review, the same again, or the menu."""

from __future__ import annotations

from os import urandom
from typing import TYPE_CHECKING, Any

import click

from zerosum.cli import is_ctrl_c
from zerosum.cli.console import problems_told
from zerosum.cli.playing.match_setup import NOBODY
from zerosum.cli.playing.prompt import Quit
from zerosum.cli.playing.prompt_commands import FROM_MENU, ToMenu
from zerosum.cli.playing.saver import SAVED, Saver
from zerosum.cli.playing.session import Session
from zerosum.errors import Conflict, StoreError, ZerosumError
from zerosum.match import Match
from zerosum.registry import entry_of
from zerosum.text import either

if TYPE_CHECKING:
    from zerosum.cli.playing.analysis import Analysis


def play_match(
    match: Match[Any], saver: Saver, as_json: bool, opening: str = "", quiet: bool = False
) -> None:
    """Play a match at this keyboard; if it is left, exit with its code."""
    settings = saver.settings
    console = settings.err if as_json else settings.out
    session = Session(match, saver, console, quiet)
    against_computer = None in match.bots and match.bots != NOBODY
    if match.bots != NOBODY:
        session.analysis.prepare(match)
    saver.open()
    goal = session.words.aim() if against_computer else ""
    if told := "\n".join(filter(None, (opening, goal))):
        console.aside(f"{told}\n")
    asks = not as_json and None in match.bots and session.prompt.reader.terminal
    try:
        code = _play(session, asks)
        console.stream.flush()
    except BaseException as error:  # a game may raise anything
        lost = isinstance(error, StoreError) and not isinstance(error, Conflict)
        if session.saver.saved is not None and not lost:
            error.add_note(session.saver.where(session.match, SAVED))
        raise
    if not session.match.over:
        settings.err.paragraph(session.saver.where(session.match))
    if as_json and code != 130:
        from zerosum.documents import dumps
        from zerosum.record import to_record

        about = {"id": saver.saved.id} if saver.saved else {}
        settings.out.line(dumps(to_record(session.match, **about)))
    if code is not None:
        raise click.exceptions.Exit(code)


def _play(session: Session, asks: bool) -> int | None:
    """Play, and what follows; return the exit code, or None to go on."""
    try:
        session.run()
        while asks:
            answer = _ask_what_next(session)
            if answer == "menu":
                break
            if answer == "review":
                _review(session)
                continue
            if answer == "again":
                _begin_again(session)
            session.run()  # from the start, or since the last move was taken back
    except ToMenu:
        pass
    except Quit:
        return 0
    except KeyboardInterrupt as error:
        if not is_ctrl_c(error):
            raise
        session.console.write("\n")
        return 130
    return None


def _ask_what_next(session: Session) -> str:
    """Ask what to do after a match; an empty string means to play on."""
    menu = FROM_MENU in click.get_current_context().meta
    choices = ["review", "again", *["menu"] * menu, "quit"]
    default = "again" if menu else "quit"
    question = f"\n{either(choices).capitalize()}? [{default}]: "
    answer = session.ask(question, f"Type {either(choices)}.", ("", *choices))
    if session.match.over and (answer or default) == "quit":
        raise Quit
    return (answer or default) if session.match.over else ""


def _review(session: Session) -> None:
    """Review the match that has just been played."""
    from zerosum.cli.commands import load_command

    saved, ctx = session.saver.saved, click.get_current_context()
    if saved is None:
        session.console.problem(session.saver.where(session.match))
        return
    file = entry_of(session.match.game).file
    args = [saved.id, *(("--game", file) if file else ())]
    with (
        problems_told(session.console),
        load_command("review").make_context("review", args, parent=ctx) as chosen,
    ):
        chosen.command.invoke(chosen)


def _begin_again(session: Session) -> None:
    """Begin the same match again; the other player moves first, unless the start is lost."""
    match, saver = session.match, session.saver
    first = 1 - match.rounds[0].first
    bots = [player for player in (0, 1) if match.bots[player] is not None]
    reason = why_computer_begins(session.analysis) if bots else ""
    if reason:
        first = bots[0]
    seed = None if match.seed is None else int.from_bytes(urandom(4), "big")
    session.match = Match.new(
        match.game, match.players, first, match.games, match.clock, match.bots, seed
    )
    session.saver = Saver(saver.settings, saver.store, coach=saver.coach)
    session.console.line()
    if reason:
        session.console.aside(f"{reason}\n")


def why_computer_begins(analysis: Analysis) -> str:
    """Return why the computer should move first, so that a person can win; or nothing."""
    from zerosum.coach.lesson import why_second

    try:
        return why_second(analysis.soon) if analysis.soon.is_whole else ""
    except ZerosumError:
        return ""  # who wins from this start is unknown
