"""`zerosum games`."""

from __future__ import annotations

from typing import Any

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.documents import document
from zerosum.errors import ZerosumError
from zerosum.options import option_values, options_of, written
from zerosum.registry import Entry, find
from zerosum.registry import games as names
from zerosum.wording.rulebook import summary_of
from zerosum.wording.words import title_of


@flags.command()
@flags.json_option
@flags.common
def games(settings: Settings, as_json: bool) -> None:
    """List the games, built in or added by other packages, and their options."""
    rows, options, listed = [], [], []
    for name in names():
        try:
            entry = find(name)
        except ZerosumError as error:
            rows.append((name, f"could not be loaded: {error}"))
            continue
        listed.append(_about(entry))
        rows.append((name, summary_of(entry.variant())))
        options += [
            (name, f"--{option.flag}", written(option.default), option.about)
            for option in options_of(entry.game)
        ]
    if as_json:
        settings.out.line(document("games", games=listed))
        return
    with settings.paged() as out:
        out.table("Games", ("Game", "What it is"), rows)
        out.table("Options", ("Game", "Option", "Default", "What it is"), options)


def _about(entry: Entry) -> dict[str, Any]:
    """Describe a game for a program."""
    variant = entry.variant()
    defaults = option_values(variant)
    options = [
        {**option._asdict(), "kind": option.kind, "default": defaults[option.name]}
        for option in options_of(entry.game)
    ]
    title, summary = title_of(variant), summary_of(variant)
    return {"name": entry.name, "title": title, "summary": summary, "options": options}
