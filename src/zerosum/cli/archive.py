"""`zerosum history`, `show`, `stats`, `export` and `import`: matches that were played."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

import click

from zerosum.cli.flags import Whole, complete_game
from zerosum.cli.play import complete_match
from zerosum.cli.settings import Settings, as_json, common, write_file
from zerosum.errors import RecordError
from zerosum.match import Match
from zerosum.players.levels import check_level
from zerosum.record import dumps, from_record, loads, to_record
from zerosum.registry import find, is_path
from zerosum.store import Saved, StoreError, Summary, events_of, open_store
from zerosum.store.ids import ID_LENGTH
from zerosum.text import half_points
from zerosum.wording import title_of, transcript

LARGEST_RECORD = 64 * 1024 * 1024


rules_moved = click.option(
    "--game", metavar="FILE", help="Where the rules are now, if they have moved."
)


@click.command()
@click.option(
    "--game", metavar="GAME", shell_complete=complete_game, help="Only matches of this game."
)
@click.option("--unfinished", is_flag=True, help="Only matches that can be resumed.")
@click.option(
    "--most", type=Whole(least=1), default=50, show_default=True, help="Show at most this many."
)
@as_json
@common
def history(
    settings: Settings, game: str | None, unfinished: bool, most: int, as_json: bool
) -> None:
    """List the matches that were played, the latest first."""
    store = open_store(settings.path, write=False)
    name = find(game).name if game and is_path(game) else game
    listed = store.matches(name, unfinished)
    found = listed[:most]
    if as_json:
        matches = [match._asdict() for match in found]
        settings.out.say(dumps({"format": "zerosum-history", "version": 3, "matches": matches}))
        return
    if not found:
        settings.err.say(f"No matches{' of that kind' * bool(game or unfinished)} yet.")
        return
    ids = _short([match.id for match in listed])
    rows = [
        (
            ids[match.id],
            match.updated[:16].replace("T", " "),
            match.game,
            " - ".join(match.players),
            _result(match),
        )
        for match in found
    ]
    settings.out.table("Matches", ("ID", "Last played (UTC)", "Game", "Players", "Result"), rows)
    if len(found) < len(listed):
        settings.err.say(f"{len(found)} of {len(listed)} matches; --most N shows more.")


@click.command()
@click.argument("match_id", metavar="ID", shell_complete=complete_match)
@rules_moved
@as_json
@common
def show(settings: Settings, match_id: str, game: str | None, as_json: bool) -> None:
    """Show the match ID again, move by move; the beginning of an ID is enough."""
    store = open_store(settings.path, write=False)
    saved = store.load(match_id, game)
    if as_json:
        settings.out.say(dumps(_record(saved)))
        return
    match = saved.match
    out = settings.out
    out.say(f"Match {saved.id}, {title_of(match.game)}, begun {saved.started[:16]} UTC.\n", "aside")
    for number, played in enumerate(match.rounds, 1):
        if match.games > 1:
            out.say(f"Game {number} of {match.games}.\n", "aside")
        for block in transcript(match, played):
            out.tell(block)
        if match.games > 1:
            out.say()
    live = store.live_version(saved.id) is not None
    out.say(f"\n{_verdict(settings, match, saved.id, live)}", "aside")


@click.command()
@as_json
@common
def stats(settings: Settings, as_json: bool) -> None:
    """Count finished games, wins and draws: by game, by seat and by player."""
    results = open_store(settings.path, write=False).results()
    document = _count(results)
    if as_json:
        settings.out.say(dumps(document))
        return
    if not results:
        settings.err.say("No finished games yet.")
        return
    seats = [tuple(map(str, row.values())) for row in document["games"]]
    columns = ("Game", "Finished", "Won moving first", "Won moving second", "Drawn")
    settings.out.table("Games", columns, seats)
    people = [tuple(map(str, row.values())) for row in document["players"]]
    settings.out.table("Players", ("Player", "Finished", "Won", "Drawn"), people)


@click.command()
@click.argument("match_id", metavar="ID", shell_complete=complete_match)
@click.option("--output", "-o", type=click.Path(), metavar="FILE", help="Write to this file.")
@rules_moved
@as_json
@common
def export(
    settings: Settings, match_id: str, output: str | None, game: str | None, as_json: bool
) -> None:
    """Write the match ID as a record: a JSON document that `zerosum import` reads."""
    saved = open_store(settings.path, write=False).load(match_id, game)
    text = dumps(_record(saved))
    if output is None or output == "-":
        settings.out.say(text)
        return
    write_file(output, text)


@click.command(name="import")
@click.argument("file", type=click.Path())
@click.option("--game", metavar="GAME", help="The game, or its file, if its name is not known.")
@as_json
@common
def import_(settings: Settings, file: str, game: str | None, as_json: bool) -> None:
    """Read a record from FILE (- for standard input), check it, and keep it."""
    document = loads(read_document(file))
    match = from_record(document, game)
    for bot in match.bots:
        if bot is not None:
            check_level(bot)
    store = open_store(settings.path)
    wanted = document.get("id") or _own_id(document)
    known = _known(store, wanted)
    if known is not None and _same(known, match):
        news, id_ = "already there", known.id
    else:
        keep_id = _is_id(wanted) and known is None
        news, id_ = (
            "imported",
            store.create(
                match, wanted if keep_id else None, document.get("started"), document.get("updated")
            ),
        )
    if as_json:
        about = {"format": "zerosum-import", "version": 1, "id": id_}
        settings.out.say(dumps({**about, "new": news == "imported"}))
    else:
        look = settings.command("show", id_)
        settings.out.say(f"{news.capitalize()}: match {id_}. Show it with: {look}")


def read_document(file: str) -> bytes:
    """Read a whole document, if it is of a size that a match can have."""
    try:
        if file == "-":
            data = sys.stdin.buffer.read(LARGEST_RECORD + 1)
        else:
            with open(file, "rb") as source:
                data = source.read(LARGEST_RECORD + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise RecordError(f"{file[:200]} cannot be read: {reason}") from error
    if len(data) > LARGEST_RECORD:
        raise RecordError(f"{file[:200]} is larger than any record ({LARGEST_RECORD} bytes).")
    return data


def _is_id(wanted: Any) -> bool:
    """Tell whether an id from a document can be used as one here."""
    return (
        isinstance(wanted, str)
        and 6 <= len(wanted) <= 40
        and wanted.isalnum()
        and (wanted.isascii() and wanted == wanted.lower())
    )


def _own_id(document: Any) -> str:
    """Make an id from what a record says, so that it is known again."""
    import json
    from hashlib import sha256

    return sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()[:8]


def _known(store: Any, wanted: Any) -> Saved | None:
    """Find the match that already has a document's id."""
    if not _is_id(wanted):
        return None
    try:
        saved: Saved = store.load(wanted)
    except StoreError:
        return None
    return saved if saved.id == wanted else None


def _same(saved: Saved, match: Match[Any]) -> bool:
    """Tell whether two matches are the same, move by move; a game not yet begun says nothing."""
    kept, read = ({**to_record(m), "rounds": list(events_of(m))} for m in (saved.match, match))
    return kept == read


def _record(saved: Saved) -> dict[str, Any]:
    """Write a stored match down."""
    return to_record(saved.match, id=saved.id, started=saved.started, updated=saved.updated)


def _result(match: Summary) -> str:
    """Tell a match's result in a few words."""
    series = match.games > 1
    if not match.over:
        stood = f" at {_score(match.score)}" if series else ""
        return f"unfinished{stood}, {match.plies} {'move' if match.plies == 1 else 'moves'}"
    mine, yours = match.score
    if mine == yours:
        return f"tied, {_score(match.score)}" if series else "draw"
    winner = match.players[int(yours > mine)]
    return f"{winner} won" + (f", {_score(sorted(match.score, reverse=True))}" if series else "")


def _score(score: Sequence[float]) -> str:
    """Write a score, with half a point for a draw."""
    return " to ".join(map(half_points, score))


def _short(ids: list[str]) -> dict[str, str]:
    """Cut long ids down to a beginning that no other has, since that is enough to type."""
    shared = Counter(id_[:ID_LENGTH] for id_ in ids)
    return {id_: id_[:ID_LENGTH] if shared[id_[:ID_LENGTH]] == 1 else id_ for id_ in ids}


def _verdict(settings: Settings, match: Match[Any], id_: str, live: bool) -> str:
    """Say how a match ended, or how to resume it."""
    if live and not match.over:
        return "Unfinished. It is being played in the browser."
    if not match.over:
        return f"Unfinished. Resume with: {settings.command('resume', id_)}"
    end = match.round.end
    if match.games == 1 and end is not None:
        how = "Draw" if end.winner is None else f"{match.players[end.winner]} won"
        return f"{how}: {end.reason}."
    if match.champion is None:
        return f"The match was tied, {_score(match.score)}."
    score = _score(sorted(match.score, reverse=True))
    return f"{match.players[match.champion]} won the match, {score}."


def _count(results: list[tuple[str, str, str, int | None, int]]) -> dict[str, Any]:
    """Count wins and draws by game, seat and player."""
    games: dict[str, Counter[str]] = {}
    people: dict[str, Counter[str]] = {}
    for game, *names, winner, first in results:
        seat = "draws" if winner is None else ("first", "second")[winner ^ first]
        games.setdefault(game, Counter()).update(("games", seat))
        for player, name in enumerate(names):
            how = "draws" if winner is None else "wins" if winner == player else "losses"
            people.setdefault(name, Counter()).update(("games", how))
    best = sorted(people.items(), key=lambda item: (-item[1]["wins"], -item[1]["draws"], item[0]))
    return {
        "format": "zerosum-stats",
        "version": 2,
        "games": [
            {"game": game, **{key: count[key] for key in ("games", "first", "second", "draws")}}
            for game, count in sorted(games.items())
        ],
        "players": [
            {"name": name, **{key: count[key] for key in ("games", "wins", "draws")}}
            for name, count in best
        ],
    }
