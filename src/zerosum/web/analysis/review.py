"""The document of a review: every position of a game, and every move judged."""

from __future__ import annotations

from typing import Any

from zerosum.coach.advice import Coach
from zerosum.coach.review import MARKS, Review, reason, shares, turning_point
from zerosum.coach.review import review as judge
from zerosum.match import Match, Round
from zerosum.pictures.chart import Chart
from zerosum.pictures.chart_svg import chart_svg
from zerosum.pictures.chart_text import chart_text
from zerosum.pictures.svg import inline_svg
from zerosum.protocol import Move
from zerosum.record import from_record
from zerosum.text import short
from zerosum.web.analysis.budget import TooHard
from zerosum.web.analysis.documents import Document, shown, unknown, value_of
from zerosum.web.analysis.solutions import here
from zerosum.web.refusals import Refused
from zerosum.wording.words import title_of, words_of

MOST_PLIES = 2000
MOST_BEST = 12


def review(record: Document, game: int = 0) -> Document:
    """Review one game of a match; if its values are unknown, return the positions only."""
    match = _replayed(record)
    if not 0 <= game < match.number:
        games = "1 game" if match.number == 1 else f"{match.number} games"
        raise Refused("invalid", f"This match has {games}.")
    played = match.rounds[game]
    if len(played.moves) > MOST_PLIES:
        raise TooHard(f"A game of more than {MOST_PLIES:,} moves is too long to review.")
    names = match.names_of(played)
    about = {"game": game, "names": list(names)}
    try:
        coach = here().coach(match.game)
    except TooHard as error:
        return {**unknown(error), **about, "plies": _positions(match, played)}
    return {"exact": True, **about, **_judged(coach, match, played, judge(coach.solution, played))}


def _replayed(record: Document) -> Match[Any]:
    """Replay a match."""
    file = here().files.get(str(record.get("game")))
    if file is not None:
        here().entry(str(record["game"]))  # refuses a file that has changed
    return from_record(record, None if file is None else file.path)


def _positions(match: Match[Any], played: Round[Any]) -> list[Document]:
    """Return every position of a game, with the move played there."""
    words, names = words_of(match.game), match.names_of(played)
    moves: list[Move | None] = [*played.moves, None]
    return [
        {
            "ply": ply,
            **shown(words, state, names),
            "mover": state.player,
            "over": match.game.outcome(state) is not None,
            "move": None if move is None else str(move),
            "label": None if move is None else short(words.label(state, move)),
            "value": None,
            "verdict": None,
            "word": "",
            "glyph": "",
            "best": [],
            "reason": "",
        }
        for ply, (state, move) in enumerate(zip(played.states, moves, strict=True))
    ]


def _judged(coach: Coach[Any], match: Match[Any], played: Round[Any], judged: Review) -> Document:
    """Return a review in numbers, in words and as a picture."""
    names = match.names_of(played)
    chart = Chart.reviewed(names, played, judged, f"{title_of(match.game)}: the values")
    plies = _positions(match, played)
    for ply, value in zip(plies, judged.history, strict=True):
        ply["value"] = value_of(value)
    for ply, move in zip(plies, judged.moves, strict=False):
        ply["verdict"], ply["word"] = move.verdict, move.word
        ply["glyph"] = MARKS.get(move.verdict, "")
        ply["best"] = [str(best) for best in move.best[:MOST_BEST]]
        ply["reason"] = reason(coach, names, played, move)
    return {
        "svg": inline_svg(chart_svg(chart)),
        "text": chart_text(chart, plain=True).split("\n"),
        "turning_point": judged.turning_point,
        "plies": plies,
        "decisions": [list(judged.decisions(seat)) for seat in (0, 1)],
        "summary": [*turning_point(coach, names, played, judged), *shares(names, judged)],
    }
