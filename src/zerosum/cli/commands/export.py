"""`zerosum export`."""

from __future__ import annotations

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.documents import write_file
from zerosum.record import dumps, to_record


@flags.command()
@flags.match_argument
@click.option("--output", "-o", type=click.Path(), metavar="FILE", help="Write to this file.")
@flags.own_game_option
@click.option("--json", is_flag=True, expose_value=False, help="No effect: a record is JSON.")
@flags.common
def export(settings: Settings, match_id: str, output: str | None, game: str | None) -> None:
    """Write the match with this ID as a record: a JSON document that `zerosum import` reads."""
    saved = settings.load(settings.store(write=False), match_id, game)
    times = {"started": saved.started, "updated": saved.updated}
    write_file(output or "-", dumps(to_record(saved.match, id=saved.id, **times)))
