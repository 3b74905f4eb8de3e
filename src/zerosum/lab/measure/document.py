"""Measurements as JSON documents with every figure in full; zerosum/schemas describes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, get_args

from zerosum.lab.measure.players import FaultKind
from zerosum.options import option_values
from zerosum.registry import entry_of
from zerosum.wording.words import variant_title

if TYPE_CHECKING:
    from zerosum.lab.measure.answers import Contradiction
    from zerosum.lab.measure.decisions import Group
    from zerosum.lab.measure.first_errors import FirstError
    from zerosum.lab.measure.measurement import Measurement
    from zerosum.lab.measure.sampling import Figure
    from zerosum.lab.measure.scores import Score, Worst
    from zerosum.players.answers import Answer

FORMAT, FORMAT_OF_SEVERAL, VERSION = "zerosum-measurement", "zerosum-measurements", 1

Document = dict[str, Any]


def measurements_document(measurements: Iterable[Measurement]) -> Document:
    """Write several measurements as one document, in their order."""
    listed = [document_of(measured) for measured in measurements]
    return {"format": FORMAT_OF_SEVERAL, "version": VERSION, "measurements": listed}


def document_of(measured: Measurement) -> Document:
    """Write a measurement as a document; what is not known is None."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": entry_of(measured.game).name,
        "options": option_values(measured.game),
        "title": variant_title(measured.game),
        "player": measured.player,
        "budget": measured.budget,
        "seed": measured.seed,
        "positions": measured.positions,
        "decisions": measured.decisions,
        "asked": measured.asked,
        "exact": measured.exact,
        "questions": measured.questions,
        "replies": measured.replies,
        "answers": measured.answers,
        "samples": measured.samples,
        "contradiction": measured.contradiction and _contradiction(measured.contradiction),
        "good": _figure(measured.good),
        "random": measured.random,
        "regret": _figure(measured.regret),
        "random_regret": measured.random_regret,
        "thrown": [{**part._asdict(), "share": _figure(part.share)} for part in measured.thrown],
        "difficulty": [
            {"above": above, "up_to": up_to, **_group(group)}
            for above, up_to, group in measured.difficulty
        ],
        "plies": [
            {"first": first, "last": last, **_group(group)} for first, last, group in measured.plies
        ],
        "faults": {kind: measured.faults.get(kind, 0) for kind in get_args(FaultKind)},
        "listed_faults": [fault._asdict() for fault in measured.listed_faults],
        "scores": measured.scores and [_score(score) for score in measured.scores],
        "worst": measured.worst and _worst(measured.worst),
        "left_out": measured.left_out,
        "errors_in": measured.errors_in,
        "errors": [_error(error) for error in measured.errors],
    }


def _figure(figure: Figure | None) -> Document | None:
    """Write a figure with its interval."""
    return figure and figure._asdict()


def _group(group: Group) -> Document:
    """Write the figures of a group of decisions."""
    return {**group._asdict(), "good": _figure(group.good)}


def _score(score: Score) -> Document:
    """Write the scores against a level."""
    *seats, both = score.figures
    first, second = (
        {**seat._asdict(), "score": seat.score, "low": figure.low, "high": figure.high}
        for seat, figure in zip((score.first, score.second), seats, strict=True)
    )
    overall = {"overall": score.overall, "low": both.low, "high": both.high}
    return {"level": score.level, "first": first, "second": second, **overall}


def _contradiction(found: Contradiction) -> Document:
    """Write what shows that a player is not deterministic."""
    return {**found._asdict(), "first": _plays(found.first), "second": _plays(found.second)}


def _worst(worst: Worst) -> Document:
    """Write the scores against the opponent that does best against the player."""
    return {**worst._asdict(), "overall": (worst.first + worst.second) / 2}


def _error(error: FirstError) -> Document:
    """Write an error."""
    return {**error._asdict(), "plays": _plays(error.plays), "wrong": error.wrong}


def _plays(answer: Answer) -> list[Document]:
    """Write the moves of an answer; JSON has no integers as keys."""
    return [{"move": move, "chance": chance} for move, chance in answer.items()]
