"""`zerosum import`."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.documents import ImportDocument
from zerosum.cli.files import read_record
from zerosum.documents import to_json
from zerosum.errors import StoreError
from zerosum.match import Match
from zerosum.players.levels import check_level
from zerosum.record import from_record, to_record
from zerosum.store import Saved, Store


@flags.command(name="import")
@click.argument("file", type=click.Path())
@flags.record_game_option
@flags.json_option
@flags.common
def import_(settings: Settings, file: str, game: str | None, as_json: bool) -> None:
    """Read a record from FILE (- for standard input), check it, and save it."""
    record = read_record(file)
    match = from_record(record, game)
    for bot in filter(None, match.bots):
        check_level(bot)
    store = settings.store()
    id_ = record.get("id") or _digest(record)
    known = _known(store, id_, game)
    new = known is None or not _same(known, match)
    if known is None or new:
        usable = _is_id(id_) and known is None
        times = record.get("started"), record.get("updated")
        known = store.create(match, id_ if usable else None, *times)
    if as_json:
        settings.out.line(to_json(ImportDocument(id=known.id, new=new)))
        return
    done = "Imported" if new else "Already imported"
    show = settings.match_command("show", known)
    settings.out.line(f"{done}: match {known.id}. Show it with: {show}")


def _is_id(wanted: Any) -> bool:
    """Return whether an id from a document can be used as one here."""
    return isinstance(wanted, str) and re.fullmatch("[a-z0-9]{6,40}", wanted) is not None


def _digest(record: Any) -> str:
    """Make an id from the contents of a record, so that it is known again."""
    import json
    from hashlib import sha256

    return sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()[:8]


def _known(store: Store, wanted: Any, game: str | None) -> Saved | None:
    """Find the match that already has a record's id."""
    if _is_id(wanted):
        with suppress(StoreError):
            saved = store.load(wanted, game)
            return saved if saved.id == wanted else None
    return None


def _same(saved: Saved, match: Match[Any]) -> bool:
    """Return whether two matches have the same moves; a game not yet begun does not count."""
    ours, theirs = ({**to_record(m), "rounds": list(m.events)} for m in (saved.match, match))
    return ours == theirs
