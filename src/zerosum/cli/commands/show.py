"""`zerosum show`."""

from __future__ import annotations

from typing import Any

from zerosum.cli import flags
from zerosum.cli.config import Settings
from zerosum.match import Match
from zerosum.record import dumps, to_record
from zerosum.text import half_points
from zerosum.wording import title_of, transcript


@flags.command()
@flags.match_argument
@flags.moved_option
@flags.json_option
@flags.common
def show(settings: Settings, match_id: str, game: str | None, as_json: bool) -> None:
    """Show the match with this ID, move by move; the beginning of an ID is enough."""
    store = settings.store(write=False)
    saved = store.load(match_id, game)
    match, out = saved.match, settings.out
    if as_json:
        out.say(dumps(to_record(match, id=saved.id, started=saved.started, updated=saved.updated)))
        return
    started = saved.started[:16].replace("T", " ")
    out.say(f"Match {saved.id}, {title_of(match.game)}, started {started} UTC.\n", "aside")
    for number, played in enumerate(match.rounds, 1):
        if match.games > 1:
            out.say(f"Game {number} of {match.games}.\n", "aside")
        for block in transcript(match, played):
            out.tell(block)
        if match.games > 1:
            out.say()
    if match.over:
        end = _end(match)
    elif store.live_version(saved.id) is not None:
        end = "Unfinished. It is being played in the browser."
    else:
        end = f"Unfinished. Resume with: {settings.command('resume', saved.id)}"
    out.say(f"\n{end}", "aside")


def _end(match: Match[Any]) -> str:
    """Say how a match ended."""
    end = match.round.end
    if match.games == 1 and end is not None:
        how = "Draw" if end.winner is None else f"{match.players[end.winner]} won"
        return f"{how}: {end.reason}."
    score = " to ".join(map(half_points, sorted(match.score, reverse=True)))
    if match.champion is None:
        return f"The match was tied, {score}."
    return f"{match.players[match.champion]} won the match, {score}."
