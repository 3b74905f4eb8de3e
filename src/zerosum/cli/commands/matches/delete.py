"""`zerosum delete`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import NoReturn

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.console import Console
from zerosum.cli.documents import DeletionDocument
from zerosum.cli.prompt import Prompt, Quit
from zerosum.documents import to_json
from zerosum.errors import StoreError
from zerosum.store import Damaged, Store, Summary
from zerosum.text import counted

# How many matches are listed where none was named.
MOST_LISTED = 10
# What Tab completes.
ANSWERS = ("yes", "no", "help", "quit")


@flags.command()
@click.argument(
    "matches", metavar="ID...", nargs=-1, required=False, shell_complete=flags.complete_match
)
@click.option("--yes", is_flag=True, help="Delete without asking.")
@flags.json_option
@flags.common
def delete(settings: Settings, matches: tuple[str, ...], yes: bool, as_json: bool) -> None:
    """Delete the matches with these IDs. This cannot be undone.

    A match that is being played in the browser is not deleted. One that is open in another
    terminal is; its next move there is refused.
    """
    store = settings.store()
    if not matches:
        latest = store.listing(most=MOST_LISTED)
        _list(settings.err, latest)
        raise click.UsageError(
            "Name the matches to delete by their IDs; zerosum history lists them all."
            if latest
            else "There is no saved match to delete."
        )
    ids = list(dict.fromkeys(map(store.identify, matches)))
    live = next((id_ for id_ in ids if store.is_live(id_)), None)
    with _not_served(settings, live):
        if not yes and not _agreed(settings, store, ids):
            _leave(settings, 1)
        for id_ in ids:
            store.delete(id_)
    if as_json:
        settings.out.line(to_json(DeletionDocument(ids=ids)))
    else:
        settings.out.line(f"Deleted {counted(len(ids), 'match')}: {', '.join(ids)}.")


def _list(console: Console, matches: Sequence[Summary | Damaged]) -> None:
    """Print each of some matches in a line."""
    for match in matches:
        about = "unreadable"
        if isinstance(match, Summary):
            about = f"{match.game}, {' - '.join(match.players)}, {counted(match.plies, 'move')}"
        console.paragraph(f"{match.id}: {about}")


@contextmanager
def _not_served(settings: Settings, live: str | None) -> Iterator[None]:
    """Refuse a match of the browser while a server runs, and let none start meanwhile."""
    if live is None:
        yield
        return
    from zerosum.store.address import is_address
    from zerosum.web.http.sockets import LockFile

    start = f"Match {live} is open in the browser. Nothing was deleted."
    if is_address(settings.db):
        raise StoreError(f"{start} Delete it after its table has expired.")
    try:
        lock = LockFile(settings.db)
    except StoreError as error:
        raise StoreError(f"{start} Stop `zerosum web` first.") from error
    with closing(lock):
        yield


def _agreed(settings: Settings, store: Store, ids: list[str]) -> bool:
    """Show what would be deleted, and ask until the answer is clear."""
    if not sys.stdin.isatty():
        raise click.UsageError("Add --yes to delete without being asked.")
    console = settings.out if settings.out.terminal else settings.err
    listed = {match.id: match for match in store.listing()}
    _list(console, [listed.get(id_, Damaged(id_, "")) for id_ in ids])
    noun = "this match" if len(ids) == 1 else f"these {len(ids)} matches"
    prompt, question = Prompt(console), f"Delete {noun} for good? (yes or no) [no]: "
    try:
        while True:
            answer = prompt.ask(question, words=lambda: ANSWERS).lower()
            if answer in ("y", "yes"):
                return True
            if answer in ("", "n", "no", "q", "quit", "exit"):
                return False
            console.aside(f"Type yes to delete {noun}, or no, or 'quit' to exit.")
    except Quit:
        return False
    except KeyboardInterrupt:
        console.line()
        console.stream.flush()
        _leave(settings, 130)


def _leave(settings: Settings, code: int) -> NoReturn:
    """End the command with nothing deleted."""
    settings.err.line("Nothing was deleted.")
    click.get_current_context().exit(code)
