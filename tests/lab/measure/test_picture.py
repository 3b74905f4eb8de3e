"""Pictures of measurements: everything that is drawn is also said, and fits."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

import zerosum
from tests.games import Hotseat, WildRow
from tests.lab.measure.players import always, any_player, perfect_player, right_in_its_own_games
from tests.pictures.test_map import SVG
from zerosum.bulk import Table
from zerosum.errors import ZerosumError
from zerosum.lab.measure import Measurement, measure_player, measurement_svg
from zerosum.lab.measure.pictures.measurement_chart import WIDTH
from zerosum.lab.measure.sentences import error_sentence, errors_heading
from zerosum.pictures.svg import text_width
from zerosum.protocol import Game


def measured(game: Game[Any], fault: float = 0.0, budget: int | None = None) -> Measurement:
    return measure_player(game, any_player(game, 3, fault), budget=budget)


def exact() -> Measurement:
    return measured(zerosum.game("dual-digits"))


def with_draws_and_faults() -> Measurement:
    return measured(WildRow(), fault=0.2)


def sample() -> Measurement:
    return measured(zerosum.game("dual-digits", start=40), budget=30)


def without_decisions() -> Measurement:
    return measured(Hotseat())


def perfect() -> Measurement:
    return measure_player(zerosum.game("even-steven"), "perfect")


@pytest.mark.parametrize(
    "kinds",
    [[exact], [with_draws_and_faults], [sample], [without_decisions], [perfect], [perfect, sample]],
)
def test_everything_drawn_is_said_and_inside(kinds: list[Callable[[], Measurement]]) -> None:
    measurements = [kind() for kind in kinds]
    drawn = measurement_svg(*measurements)
    root = ElementTree.fromstring(drawn)
    height = float(root.get("height", 0))
    said = root.findtext(f"{SVG}desc") or ""
    for group in root.findall(f"{SVG}g"):
        top = float(re.findall(r"translate\(0 (.*)\)", group.get("transform", ""))[0])
        for text in group.iter(f"{SVG}text"):
            x, y, words = float(text.get("x", 0)), float(text.get("y", 0)), text.text or ""
            wide = text_width(words, float(text.get("font-size", 12)))
            left = x - wide if text.get("text-anchor") == "end" else x
            assert 0 <= left <= left + wide <= WIDTH
            assert 0 < top + y < height
        for bar in group.iter(f"{SVG}rect"):
            assert float(bar.get("x", 0)) + float(bar.get("width", 0)) <= WIDTH
    for title in root.iterfind(f".//{SVG}g/{SVG}title"):
        assert (title.text or "") in said
    for part in measurements:
        for error in part.errors[:5]:
            assert error_sentence(part.game, error) in said


def test_bars_are_as_long_as_the_shares() -> None:
    part = with_draws_and_faults()
    root = ElementTree.fromstring(measurement_svg(part))
    bars = [g for g in root.iter(f"{SVG}g") if g.find(f"{SVG}title") is not None]
    groups = [*(band.group for band in part.difficulty), *(ply.group for ply in part.plies)]
    for group, bar in zip(groups, bars[: len(groups)], strict=True):
        ground, *rects = bar.findall(f"{SVG}rect")
        wide = float(ground.get("width", 0))
        shares = {rect.get("class"): float(rect.get("width", 0)) / wide for rect in rects}
        assert group.good is not None
        assert shares.get("win-sign", 0) == pytest.approx(group.good.value, abs=1e-3)
        assert shares.get("alarm", 0) == pytest.approx(group.thrown["win-loss"], abs=1e-3)
        assert sum(shares.values()) == pytest.approx(1, abs=1e-3)


def test_only_a_sample_has_intervals_and_only_what_occurs_is_in_the_key() -> None:
    assert "95% confidence" in measurement_svg(sample())
    drawn = measurement_svg(exact())
    assert "95% confidence" not in drawn
    assert 'class="line"' not in drawn
    assert "mistake" not in drawn
    assert "blunder (a whole point)" in drawn
    assert "mistake (half a point)" in measurement_svg(with_draws_and_faults())


def test_sentences_of_errors() -> None:
    table = Table(zerosum.game("even-steven", start=4))

    def sentences(player: Any) -> list[str]:
        return [error_sentence(table.game, error) for error in measure_player(table, player).errors]

    assert sentences(always(lambda game, state: game.moves(state)[0]))[0] == (
        "At the start: plays 1; right: 2."
    )
    assert (
        sentences(lambda game, state: 1)[0] == "At the start: wrong in 10 of 10 answers; right: 2."
    )
    assert sentences(lambda game, state: 9)[0] == "At the start: an illegal answer; right: 2."
    assert sentences("random")[0] == "At the start: wrong 50.0% of the time; right: 2."


def test_headings_of_errors() -> None:
    table = Table(zerosum.game("dual-digits"))

    def heading(player: Any, budget: int | None = None) -> str:
        return errors_heading(measure_player(table, player, budget=budget))

    @always
    def largest(game: Game[Any], state: Any) -> Any:
        return max(game.moves(state))

    assert heading(largest) == "Where it errs first"
    assert heading(largest, 40) == "Errors closest to the start, in the sample"
    assert heading(largest, 103) == "Errors closest to the start"
    assert heading("perfect") == "No errors"
    assert heading(perfect_player(table), 40) == "No errors in the sample"
    assert (
        errors_heading(measure_player(table, right_in_its_own_games(table)))
        == "No errors in its own games; the closest elsewhere"
    )


def test_drawing_no_measurements_is_refused() -> None:
    with pytest.raises(ZerosumError, match="no measurement"):
        measurement_svg()
