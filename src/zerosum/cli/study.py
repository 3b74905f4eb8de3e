"""`zerosum review` and `zerosum puzzle`: learning from what was played, and from what was not."""

from __future__ import annotations

import os
from typing import Any

import click

from zerosum.cli.archive import read_document
from zerosum.cli.flags import Whole, complete_game
from zerosum.cli.play import complete_match
from zerosum.cli.reader import Reader
from zerosum.cli.settings import Settings, as_json, common, write_file
from zerosum.cli.solving import limit_option, solved
from zerosum.coach.advice import Coach
from zerosum.coach.review import Judged, Review
from zerosum.coach.review import review as judge
from zerosum.coach.telling import MARKS, better, drawn, shares, turning_point
from zerosum.errors import ZerosumError
from zerosum.match import Match, Round
from zerosum.record import from_record, loads
from zerosum.registry import entry_of, games
from zerosum.store import open_store
from zerosum.wording import spoken, title_of


@click.command()
@click.argument("match", metavar="ID|FILE|-", shell_complete=complete_match)
@click.option("--number", type=Whole(), metavar="N", help="Only game N of a series.")
@click.option("--game", metavar="GAME", help="The game, or its file, if its name is not known.")
@limit_option
@click.option("--svg", metavar="FILE", help="Write the chart of the values to this file.")
@as_json
@common
def review(
    settings: Settings,
    match: str,
    number: int | None,
    game: str | None,
    limit: int,
    svg: str | None,
    as_json: bool,
) -> None:
    """Judge every move of a match: by its ID, from a record in FILE, or from standard input.

    A best move keeps the result, and wins soonest; one that wins later is good too. A mistake
    turns a win into a draw, or a draw into a loss; a blunder a win into a loss. Where every move
    has the same result, that is said instead: only move, all moves lose, longest defence.
    """
    found = _match(settings, match, game)
    chosen = _chosen(found, number)
    solution = solved(settings, found.game, limit)
    judged = [(n, played, judge(solution, played)) for n, played in chosen]
    if svg is not None:
        if len(judged) > 1:
            raise click.UsageError("--svg draws one game: choose it with --number N.")
        write_file(svg, _chart(found, judged[0][1], judged[0][2]))
    if as_json:
        from zerosum.record import dumps

        settings.out.say(dumps(_document(found, judged)))
        return
    for n, played, reviewed in judged:
        if found.games > 1:
            settings.out.say(f"Game {n} of {found.games}", "strong")
        _tell(settings, found, played, reviewed, Coach(solution))


def _match(settings: Settings, match: str, game: str | None) -> Match[Any]:
    """Find a match: a file, standard input, or one of the store."""
    if match == "-" or os.path.exists(match) or "/" in match or match.endswith(".json"):
        return from_record(loads(read_document(match)), game)
    return open_store(settings.path, write=False).load(match, game).match


def _chosen(match: Match[Any], number: int | None) -> list[tuple[int, Round[Any]]]:
    """Choose the games of a match that have moves in them."""
    numbered = list(enumerate(match.rounds, 1))
    if number is not None:
        if not 1 <= number <= len(numbered):
            raise click.UsageError(f"--number: the match has the games 1 to {len(numbered)}.")
        numbered = [numbered[number - 1]]
    played = [(n, game) for n, game in numbered if game.moves]
    if not played:
        raise ZerosumError("There is nothing to review: no move was made.")
    return played


def _tell(
    settings: Settings, match: Match[Any], played: Round[Any], reviewed: Review, coach: Coach[Any]
) -> None:
    """Tell a review to a person."""
    out, names = settings.out, match.names_of(played)
    out.say(f"{title_of(match.game)}: {' against '.join(names)}", "strong")
    rows = [
        (
            str(judged.ply),
            names[judged.seat],
            coach.named(played.states[judged.ply - 1], judged.move),
            _verdict(judged, settings.plain),
            spoken(judged.value),
            better(judged),
        )
        for judged in reviewed.moves
    ]
    columns = ("Ply", "Player", "Move", "Verdict", "Value", "Better")
    out.table("Moves", columns, rows)
    if not settings.plain:  # which has just been told move by move
        from shutil import get_terminal_size

        from zerosum.pictures.history import history_text

        width = min(get_terminal_size().columns, 100) if out.terminal else 80
        out.say(history_text(**drawn(names, played, reviewed), width=width))
        out.say()
    for line in (*turning_point(coach, names, played, reviewed), *shares(names, reviewed)):
        out.remark(line, "")


def _verdict(judged: Judged, plain: bool) -> str:
    """Write the verdict on a move: a word, and a mark where it was a mistake."""
    word = judged.word or judged.verdict
    return word if plain else f"{word} {MARKS[judged.verdict]}".strip()


def _chart(match: Match[Any], played: Round[Any], reviewed: Review) -> str:
    """Draw the chart of a game."""
    from zerosum.pictures.history import history_svg

    made_of = drawn(match.names_of(played), played, reviewed)
    return history_svg(**made_of, title=f"{title_of(match.game)}: the values")


def _document(match: Match[Any], games: list[tuple[int, Round[Any], Review]]) -> dict[str, Any]:
    """Write a review down."""
    listed = []
    for number, played, reviewed in games:
        moves = [
            {
                "ply": judged.ply,
                "player": played.player(judged.seat),
                "move": judged.move,
                "verdict": judged.verdict,
                "word": judged.word,
                "before": judged.before._asdict(),
                "value": judged.value._asdict(),
                "best": list(judged.best),
                "decision": judged.decision,
            }
            for judged in reviewed.moves
        ]
        shares = [reviewed.decisions(played.player(player)) for player in (0, 1)]
        listed.append(
            {
                "game": number,
                "first": played.first,
                "moves": moves,
                "turning_point": reviewed.turning_point,
                "good": [good for good, _ in shares],
                "decisions": [every for _, every in shares],
            }
        )
    return {
        "format": "zerosum-review",
        "version": 2,
        "game": entry_of(match.game).name,
        "players": list(match.players),
        "games": listed,
    }


@click.command()
@click.argument("game", required=False, shell_complete=complete_game)
@click.option("--grade", type=click.Choice(["easy", "medium", "hard"]), help="Difficulty.")
@click.option("--seed", type=Whole(), metavar="N", help="Random seed, for reproducible puzzles.")
@as_json
@common
def puzzle(
    settings: Settings, game: str | None, grade: str | None, seed: int | None, as_json: bool
) -> int:
    """Find the one move that keeps the result, in a position of GAME or of any game.

    Progress is saved: a puzzle that was solved does not come again. 'hint', 'why', 'skip' and
    'quit' work at the prompt. With --json the puzzle is printed with its answer.
    """
    from random import Random

    from zerosum.cli.puzzling import Puzzling

    names = [game] if game else list(games())
    sitting = Puzzling(settings, names, grade, Random(seed), Reader.stdin())  # noqa: S311
    if as_json:
        from zerosum.record import dumps

        settings.out.say(dumps(sitting.document()))
        return 0
    return sitting.run()
