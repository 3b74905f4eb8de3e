"""`zerosum export`."""

from __future__ import annotations

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.files import record_of, write_file


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
