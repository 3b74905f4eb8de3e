"""`zerosum rules`."""

from __future__ import annotations

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.cli.documents import document
from zerosum.registry import find
from zerosum.wording.rulebook import rulebook_of
from zerosum.wording.words import title_of


@flags.command()
@flags.game_argument
@flags.json_option
@flags.common
def rules(settings: Settings, game: str, as_json: bool) -> None:
    """Show the rules of GAME, a name or a file."""
    entry = find(game)
    made = entry.variant()
    page = rulebook_of(made)
    if as_json:
        settings.out.line(document("rules", game=entry.name, title=title_of(made), text=page))
    else:
        with settings.paged() as out:
            out.page(page)
