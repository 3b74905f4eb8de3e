"""The document of a review: every position of a game, and every move judged."""

from __future__ import annotations

from typing import Any

from zerosum.coach.review import MARKS, reason, shares, turning_point
from zerosum.coach.review import review as judge
from zerosum.match import Match, Round
from zerosum.pictures.chart import Chart
from zerosum.pictures.chart_svg import chart_svg
from zerosum.pictures.chart_text import chart_text
from zerosum.pictures.svg import inline_svg
from zerosum.protocol import Move
from zerosum.record import from_record
from zerosum.text import short
from zerosum.web.analysis.answers import TooHard
from zerosum.web.analysis.documents import Document, shown, unknown, value_of
from zerosum.web.analysis.solutions import solutions
from zerosum.wording.words import title_of, words_of

MOST_PLIES = 2000
MOST_BEST = 12


def review(record: Document, game: int) -> Document:
    """Review one game of a match; if its values are unknown, return the positions only."""
    match = from_record(record, solutions().entry(record["game"]).game)
    played = match.rounds[game]
    if len(played.moves) > MOST_PLIES:
        raise TooHard(f"A game of more than {MOST_PLIES:,} moves is too long to review.")
    names = match.names_of(played)
    plies = _positions(match, played)
    about = {"game": game, "names": list(names), "plies": plies}
    try:
        coach = solutions().coach(match.game)
    except TooHard as error:
        return {**unknown(error), **about}
    judged = judge(coach.solution, played)
    for ply, value in zip(plies, judged.history, strict=True):
        ply["value"] = value_of(value)
    for ply, move in zip(plies, judged.moves, strict=False):
        ply["verdict"], ply["word"] = move.verdict, move.word
        ply["glyph"] = MARKS.get(move.verdict, "")
        ply["best"] = [str(best) for best in move.best[:MOST_BEST]]
        ply["reason"] = reason(coach, names, played, move)
    chart = Chart.reviewed(names, played, judged, f"{title_of(match.game)}: the values")
    return {
        "exact": True,
        **about,
        "svg": inline_svg(chart_svg(chart)),
        "text": chart_text(chart, plain=True).split("\n"),
        "turning_point": judged.turning_point,
        "decisions": [list(judged.decisions(seat)) for seat in (0, 1)],
        "summary": [*turning_point(coach, names, played, judged), *shares(names, judged)],
    }


def _positions(match: Match[Any], played: Round[Any]) -> list[Document]:
    """Return every position of a game, with the move played there."""
    words, names = words_of(match.game), match.names_of(played)
    moves: list[Move | None] = [*played.moves, None]
    return [
        {
            "ply": ply,
            **shown(words, state, names),
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
