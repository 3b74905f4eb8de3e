"""What `zerosum starts` prints: the same rows as a table, as CSV and as a document."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from zerosum.lab.audit.fairness import Fairness, Handicap
from zerosum.options import option_values, written
from zerosum.players.levels import LEVELS
from zerosum.protocol import Game, Value
from zerosum.text import plain_name, short


class Listing(NamedTuple):
    """What the command prints: a table, records for CSV, or the contents of a document."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    header: Sequence[str]
    records: Sequence[Sequence[Any]]
    contents: dict[str, Any]

    def csv(self) -> str:
        """Write the records as comma-separated values."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([self.header, *self.records])
        return text.getvalue().rstrip("\n")


def value_listing(rows: Sequence[tuple[int, Value]]) -> Listing:
    """List who wins each start, and how fast."""
    return Listing(
        "Starts",
        ("Start", "Won by", "Moves"),
        [(short(str(start)), _winner(value), _length(value)) for start, value in rows],
        ("start", "result", "plies", "endless"),
        [(start, value.result, value.plies, str(value.endless).lower()) for start, value in rows],
        {"kind": "values", "starts": [{"start": start, **v._asdict()} for start, v in rows]},
    )


def fair_listing(game: Game[Any], rows: Sequence[Fairness]) -> Listing:
    """List the expected scores of the first player between equals, from the fairest on."""
    names = _varied(rows)
    scores = [[row.chances[level].score for level in LEVELS] for row in rows]
    texts = [
        [f"{score:.3f}" for score in (*of, row.bias)] for row, of in zip(rows, scores, strict=True)
    ]
    records = [(*map(repr, of), repr(row.bias)) for row, of in zip(rows, scores, strict=True)]
    listed = [
        {
            "options": option_values(row.game),
            "bias": row.bias,
            "levels": {
                level: {**ends.document(), "score": ends.score}
                for level, ends in row.chances.items()
            },
        }
        for row in rows
    ]
    return Listing(
        "What the first player scores between equals: fairest variants",
        (*map(str.capitalize, map(plain_name, names)), *map(str.capitalize, LEVELS), "Bias"),
        [(*map(short, _chosen(row, names)), *text) for row, text in zip(rows, texts, strict=True)],
        (*option_values(game), *LEVELS, "bias"),
        [
            (*_chosen(row, option_values(game)), *record)
            for row, record in zip(rows, records, strict=True)
        ],
        {"kind": "fair", "starts": listed},
    )


def handicap_listing(
    game: Game[Any], weaker: str, stronger: str, rows: Sequence[Handicap]
) -> Listing:
    """List what the weaker level scores, from the variant in which that is nearest to ½ on."""
    names = _varied(rows)
    listed = [
        {
            "options": option_values(row.game),
            "first": row.first,
            "score": row.score,
            "bias": row.bias,
            **row.chances.document(),
        }
        for row in rows
    ]
    return Listing(
        f"What {weaker} scores against {stronger}: fairest variants",
        (*map(str.capitalize, map(plain_name, names)), "Moves first", "Score", "Bias"),
        [
            (*map(short, _chosen(row, names)), row.first, f"{row.score:.3f}", f"{row.bias:.3f}")
            for row in rows
        ],
        (*option_values(game), "first", "score", "bias"),
        [
            (*_chosen(row, option_values(game)), row.first, repr(row.score), repr(row.bias))
            for row in rows
        ],
        {"kind": "handicap", "weaker": weaker, "stronger": stronger, "starts": listed},
    )


def _varied(rows: Sequence[Fairness] | Sequence[Handicap]) -> list[str]:
    """Return the options in which some rows differ."""
    values = [option_values(row.game) for row in rows]
    names = values[0] if values else ()
    return [name for name in names if any(v[name] != values[0][name] for v in values)]


def _chosen(row: Fairness | Handicap, names: Iterable[str]) -> list[str]:
    """Write some options of a row's variant."""
    return [written(getattr(row.game, name)) for name in names]


def _winner(value: Value) -> str:
    """Name who wins a start: the first or the second player, or nobody."""
    if value.result == "draw":
        return "nobody (endless)" if value.endless else "nobody (draw)"
    return "first" if value.result == "win" else "second"


def _length(value: Value) -> str:
    """Write how long a game takes: a number, '?' where it is unknown, '-' for a draw."""
    if value.result == "draw":
        return "-"
    return "?" if value.plies is None else short(str(value.plies))
