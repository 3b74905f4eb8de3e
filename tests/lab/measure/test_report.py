"""Reports of measurements: their sentences, and pictures in which everything drawn is said."""

from collections.abc import Callable
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest

import zerosum
from tests.figures import strange_numbers
from tests.games import Hotseat, WildRow
from tests.lab.measure.players import always, any_player
from tests.pictures.test_map import SVG
from tests.test_numbers import CONSTANTS
from zerosum.documents import to_dict
from zerosum.errors import ZerosumError
from zerosum.lab.measure import Measurement, measure_player, measurement_svg
from zerosum.lab.measure.measurement_report import (
    error_sentence,
    measurement_report,
    measurements_report,
)
from zerosum.pictures.svg import text_width
from zerosum.protocol import Game
from zerosum.reports import Bars, to_text


def measured(game: Game[Any], fault: float = 0.0, budget: int | None = None) -> Measurement:
    return measure_player(game, any_player(game, 3, fault), budget=budget)


MEASURED: dict[str, Callable[[], Measurement]] = {
    "exact": lambda: measured(zerosum.game("dual-digits")),
    "faulty": lambda: measured(WildRow(), fault=0.2),  # which has draws too
    "sample": lambda: measured(zerosum.game("dual-digits", start=40), budget=30),
    "drawn": lambda: measure_player(zerosum.game("even-steven"), lambda game, state: 1),
    "empty": lambda: measured(Hotseat()),
    "perfect": lambda: measure_player(zerosum.game("even-steven"), "perfect"),
}
SHOWN = [*MEASURED, "exact faulty drawn", "perfect sample"]


@cache
def found(name: str) -> Measurement:
    return MEASURED[name]()


@pytest.mark.parametrize("names", SHOWN)
def test_everything_drawn_is_said_and_inside(names: str) -> None:
    shown = [*map(found, names.split())]
    root = ElementTree.fromstring(measurement_svg(*shown))
    width, height = (float(root.get(side, 0)) for side in ("width", "height"))
    said = root.findtext(f"{SVG}desc") or ""
    for text in root.iterfind(f"{SVG}text"):
        words, wide = text.text or "", float(text.get("font-size", 12))
        assert 0 <= float(text.get("x", 0)) + text_width(words, wide) <= width
        assert 0 < float(text.get("y", 0)) < height
    for title in root.iterfind(f".//{SVG}g/{SVG}title"):
        assert (title.text or "") in said
    for error in (error for part in shown for error in part.errors[:5]):
        assert error_sentence(error) in said
    assert ("95% confidence" in said) == any(not part.exact for part in shown)


@pytest.mark.parametrize("names", SHOWN)
def test_every_number_of_a_report_is_in_the_document(names: str) -> None:
    shown = [*map(found, names.split())]
    several = len(shown) > 1
    report = measurements_report(shown) if several else measurement_report(shown[0])
    totals = [sum(part.faults.values()) for part in shown]
    known = [*map(to_dict, shown)]
    assert strange_numbers(to_text(report), known, [*CONSTANTS, *totals]) == []


def test_bars_are_as_long_as_the_shares() -> None:
    faulty = found("faulty")
    pieces = [piece for section in measurement_report(faulty).sections for piece in section.pieces]
    drawn = [bar for piece in pieces if isinstance(piece, Bars) for bar in piece.bars]
    groups = [*faulty.difficulty, *faulty.plies]
    for group, bar in zip(groups, drawn[: len(groups)], strict=True):
        assert group.good is not None
        assert bar.parts["win-sign"] == group.good.value
        assert bar.parts["alarm"] == group.thrown["win-loss"]
        assert sum(bar.parts.values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("player", "sentence"),
    [
        (always(lambda game, state: game.moves(state)[0]), "plays 1"),
        (lambda game, state: 1, "wrong in 10 of 10 answers"),
        (lambda game, state: 9, "an illegal answer"),
        ("random", "wrong 50.0% of the time"),
    ],
)
def test_sentences_of_errors(player: Any, sentence: str) -> None:
    error = measure_player(zerosum.game("even-steven", start=4), player).errors[0]
    assert error_sentence(error) == f"At the start: {sentence}; right: 2."


def test_drawing_no_measurements_is_refused() -> None:
    with pytest.raises(ZerosumError, match="no measurement"):
        measurement_svg()
