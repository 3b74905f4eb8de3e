"""Commands for saved matches: show, export, import, delete."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from hashlib import sha256
from typing import Annotated, Any, Literal

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.console import Findings
from zerosum.cli.playing.match_setup import YOU, called, to_you
from zerosum.cli.user_files import local_time, read_record, record_of, write_file
from zerosum.documents import Document, described
from zerosum.errors import StoreError
from zerosum.match import Match, is_engine
from zerosum.record import from_record, to_record
from zerosum.reports import Report, Section
from zerosum.store import Saved, Store, Summary
from zerosum.text import counted, score
from zerosum.wording.words import ending, title_of, transcript


class ImportDocument(Document, frozen=True, kw_only=True, tag="zerosum-import"):
    """A record that was imported."""

    version: Literal[1] = 1
    id: str
    new: Annotated[bool, described("false if the match was already saved")]


class DeletionDocument(Document, frozen=True, kw_only=True, tag="zerosum-deletion"):
    """The matches that were deleted."""

    version: Literal[1] = 1
    ids: list[str]


@flags.command()
@flags.match_argument
@flags.own_game_option
@flags.json_option
@flags.common
def show(settings: Settings, match_id: str | None, game: str | None, as_json: bool) -> None:
    """Show the match with this ID, or else the latest one, move by move.

    The beginning of an ID is enough; without one, --game shows the latest match of that game.
    """
    store = settings.store(write=False)
    saved = settings.load(store, match_id, game)
    match = saved.match
    if as_json:
        settings.out.line(record_of(saved))
        return
    match = replace(match, players=called(match.players))
    say = to_you if YOU in match.players else str
    if match.over:
        end = _match_ending(match) if match.games > 1 else ending(match, match.round)
    elif store.is_live(saved.id):
        end = "Unfinished. It is being played in the browser."
    else:
        end = f"Unfinished. Resume with: {settings.match_command('resume', saved)}"
    with settings.paged() as out:
        started = local_time(saved.started)
        out.line(f"Match {saved.id}, {title_of(match.game)}, started {started}.\n", "aside")
        for name, bot in zip(match.players, match.bots, strict=True):
            if is_engine(bot):
                out.paragraph(f"{name} is {bot}\n", "aside")
        for number, played in enumerate(match.rounds, 1):
            if match.games > 1:
                out.line(f"Game {number} of {match.games}.\n", "aside")
            for block in transcript(match, played):
                out.game_text(say(block))
            if match.games > 1:
                out.line()
        out.line(f"\n{end}", "aside")


def _match_ending(match: Match[Any]) -> str:
    """Describe how a match of several games ended."""
    points = score(sorted(match.score, reverse=True))
    if match.champion is None:
        return f"The match was tied, {points}."
    return f"{match.players[match.champion]} won the match, {points}."


@flags.command()
@flags.match_argument
@click.option("--output", "-o", type=click.Path(), metavar="FILE", help="Write to this file.")
@flags.own_game_option
@click.option("--json", is_flag=True, expose_value=False, help="No effect: a record is JSON.")
@flags.common
def export(settings: Settings, match_id: str | None, output: str | None, game: str | None) -> None:
    """Write the match with this ID, or else the latest one, as a record.

    A record is a JSON document that `zerosum import` reads. The beginning of an ID is enough;
    without one, --game exports the latest match of that game.
    """
    saved = settings.load(settings.store(write=False), match_id, game)
    write_file(output or "-", record_of(saved))


@flags.command(name="import")
@click.argument("file", type=click.Path())
@flags.record_game_option
@flags.printed
def import_(settings: Settings, file: str, game: str | None) -> Findings:
    """Read a record from FILE (- for standard input), check it, and save it."""
    from zerosum.players.levels import check_level

    record = read_record(file)
    match = from_record(record, game)
    for bot in filter(None, match.bots):
        if not is_engine(bot):  # it is named, not run: only `resume --vs` runs it
            check_level(bot)
    store = settings.store()
    contents = json.dumps(record, sort_keys=True).encode()
    id_ = record.get("id") or sha256(contents).hexdigest()[:8]  # so that it is recognized
    usable = isinstance(id_, str) and re.fullmatch("[a-z0-9]{6,40}", id_) is not None
    known = _known(store, id_, game) if usable else None
    new = known is None or not _same(known, match)
    if known is None or new:
        times = record.get("started"), record.get("updated")
        known = store.create(match, id_ if usable and known is None else None, *times)
    done = f"Match {known.id} is already here."
    if new:
        done = f"Imported match {known.id}."
    shown = f"{done} Show it with: {settings.match_command('show', known)}"
    return Findings(ImportDocument(id=known.id, new=new), Report("", [Section("", [shown])]))


def _known(store: Store, id_: str, game: str | None) -> Saved | None:
    """Find the match that already has a record's id."""
    with suppress(StoreError):
        saved = store.load(id_, game)
        return saved if saved.id == id_ else None
    return None


def _same(saved: Saved, match: Match[Any]) -> bool:
    """Return whether two matches have the same moves; a game not yet begun does not count."""
    ours, theirs = ({**to_record(m), "rounds": list(m.events)} for m in (saved.match, match))
    return ours == theirs


@flags.command()
@click.argument(
    "matches", metavar="ID...", nargs=-1, required=True, shell_complete=flags.complete_match
)
@click.option("--yes", is_flag=True, help="Delete without asking.")
@flags.printed
def delete(settings: Settings, matches: tuple[str, ...], yes: bool) -> Findings:
    """Delete the matches with these IDs (`zerosum history` lists them). This cannot be undone.

    A match that is being played in the browser is not deleted. One that is open in another
    terminal is; its next move there is refused.
    """
    store = settings.store()
    ids = list(dict.fromkeys(map(store.identify, matches)))
    live = next((id_ for id_ in ids if store.is_live(id_)), None)
    with _not_served(settings, live):
        if not yes:
            _ask(settings, store, ids)
        for id_ in ids:
            store.delete(id_)
    deleted = f"Deleted {counted(len(ids), 'match')}: {', '.join(ids)}."
    return Findings(DeletionDocument(ids=ids), Report("", [Section("", [deleted])]))


@contextmanager
def _not_served(settings: Settings, live: str | None) -> Iterator[None]:
    """Refuse a match of the browser while a server runs, and let none start meanwhile."""
    if live is None:
        yield
        return
    from zerosum.store.address import is_address
    from zerosum.store.lock import LockFile

    start = f"Match {live} is open in the browser. Nothing was deleted."
    if is_address(settings.db):
        raise StoreError(f"{start} Delete it after its table has expired.")
    try:
        lock = LockFile(settings.db)
    except StoreError as error:
        raise StoreError(f"{start} Stop `zerosum web` first.") from error
    with closing(lock):
        yield


def _ask(settings: Settings, store: Store, ids: list[str]) -> None:
    """Show what would be deleted, and end the command unless the answer is yes."""
    from zerosum.cli.playing.prompt import Prompt, Quit

    if not sys.stdin.isatty():
        raise click.UsageError("Add --yes to delete without being asked.")
    console = settings.out if settings.out.terminal else settings.err
    listed = {match.id: match for match in store.listing()}
    for id_ in ids:
        match, about = listed.get(id_), "unreadable"
        if isinstance(match, Summary):
            players = " - ".join(called(match.players))
            about = f"{match.game}, {players}, {counted(match.plies, 'move')}"
        console.paragraph(f"{id_}: {about}")
    noun = "this match" if len(ids) == 1 else f"these {len(ids)} matches"
    answer, code = "", 1
    try:
        answer = Prompt(console).ask(f"Delete {noun} for good? (yes or no) [no]: ").lower()
    except Quit:
        pass
    except KeyboardInterrupt:
        console.line()
        console.stream.flush()
        code = 130
    if answer not in ("y", "yes"):
        settings.err.line("Nothing was deleted.")
        click.get_current_context().exit(code)
