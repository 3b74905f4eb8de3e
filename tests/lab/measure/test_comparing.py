"""Several players on the same decisions: their differences, and what all games say together."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple

import zerosum
from tests.games import Hotseat
from tests.lab.measure.players import any_player
from zerosum.bulk import Table
from zerosum.documents import read, to_json
from zerosum.lab.measure.comparing import measurements_of
from zerosum.lab.measure.measurement import Comparison, Measurements
from zerosum.lab.measure.measuring import Measured, measured_answers
from zerosum.lab.measure.sampling import (
    Draws,
    Figure,
    draw,
    estimate,
    estimate_difference,
    estimate_slips,
    mean_figure,
)
from zerosum.players.levels import SLIPS, Level

GAMES = ("dual-digits", "even-steven", "divisor-duel")
SEEDS = 300


@cache
def table(name: str) -> Table[Any]:
    return Table(zerosum.game(name))


def is_exactly(figure: Figure | None, value: float, **how: Any) -> bool:
    return figure is not None and astuple(figure) == pytest.approx((value,) * 3, **how)


def compared(*measured: Measured) -> Comparison:
    document = measurements_of(measured)
    assert read(Measurements, to_json(document)) == document
    assert document.comparison is not None
    return document.comparison


def test_levels_over_several_games_slip_as_they_do() -> None:
    levels: tuple[Level, ...] = ("easy", "hard", "random")
    every = [measured_answers(table(game), level) for game in GAMES for level in levels]
    found = compared(*every)
    assert found.games == ("Dual Digits", "Even-Steven", "Divisor Duel")
    assert found.decisions == 103 + 6 + 13
    assert [player.player for player in found.players] == ["hard", "easy", "random"]
    for player in found.players:
        good = [m.measurement.good for m in every if m.measurement.player == player.player]
        mean = sum(figure.value for figure in good if figure) / len(GAMES)
        slips = SLIPS[player.player]
        assert player.exact
        assert is_exactly(player.slips, slips, abs=1e-9)
        assert is_exactly(player.right, mean)
    assert found.random == pytest.approx(found.players[-1].right.value)
    assert found.random_regret == pytest.approx(found.players[-1].regret.value)
    hard, easy, random = found.players
    pairs = [(hard, easy), (hard, random), (easy, random)]
    for pair, (one, two) in zip(found.pairs, pairs, strict=True):
        assert (pair.player, pair.other, pair.decisions) == (one.player, two.player, 122)
        right, regret = one.right.value - two.right.value, one.regret.value - two.regret.value
        assert is_exactly(pair.right, right)
        assert is_exactly(pair.regret, regret)


def test_only_games_that_all_played_and_that_have_decisions_count() -> None:
    one = measured_answers(table("dual-digits"), "easy")
    two = measured_answers(table("dual-digits"), "hard")
    also = measured_answers(table("even-steven"), "hard")
    empty = Table(Hotseat())
    none = [measured_answers(empty, level) for level in ("easy", "hard")]
    assert compared(one, two, also, *none).games == ("Dual Digits",)
    assert measurements_of([one, also]).comparison is None
    assert measurements_of([one]).comparison is None
    assert measurements_of([]).comparison is None
    assert measurements_of(none).comparison is None
    alone = compared(two, also)
    assert (alone.games, alone.pairs) == (("Dual Digits", "Even-Steven"), ())
    # Two players of one name are two players; and one in one game has that game's figures.
    twice = compared(one, one)
    assert [player.player for player in twice.players] == ["easy", "easy (2)"]
    assert twice.pairs[0].right == Figure(0.0, 0.0, 0.0)
    assert twice.players[0].slips == one.measurement.slips


def test_samples_are_compared_where_they_meet() -> None:
    game = table("dual-digits").game
    first, second = (
        measured_answers(table("dual-digits"), any_player(game, n), budget=60) for n in (1, 2)
    )
    found = compared(first, second)
    (pair,) = found.pairs
    assert pair.decisions == 60
    assert pair.right is not None
    one, two = found.players
    assert pair.right.value == pytest.approx(one.right.value - two.right.value)
    assert pair.right.low < pair.right.value < pair.right.high
    known = measured_answers(table("dual-digits"), "perfect")
    assert compared(first, known).pairs[0].decisions == 60
    other = measured_answers(table("dual-digits"), any_player(game, 2), budget=60, seed=1)
    assert 0 < compared(first, other).pairs[0].decisions < 60


def test_faults_are_counted_apart_over_all_games() -> None:
    every = []
    for game in GAMES:
        player = any_player(table(game).game, 1, fault=0.3)
        every.append(measured_answers(table(game), player))
    (alone,) = compared(*every).players
    for kind, count in alone.faults.items():
        assert count == sum(m.measurement.faults[kind] for m in every)
    assert sum(alone.faults.values()) > 0


def known(count: int) -> Draws:
    return Draws(np.ones(count, bool), np.zeros(count))


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20))
def test_difference_of_known_figures_is_exact(pairs: list[tuple[float, float]]) -> None:
    first, second = (np.array(part) for part in zip(*pairs, strict=True))
    figure = estimate_difference(first, second, known(len(pairs)), known(len(pairs)))
    assert figure is not None
    assert figure.value == pytest.approx((first - second).mean())
    assert figure.low == figure.value == figure.high


def test_samples_that_do_not_meet_say_nothing() -> None:
    some = np.array([True, False])
    nothing = np.zeros(2)
    one, two = Draws(some, nothing), Draws(~some, nothing)
    assert estimate_difference(nothing, nothing, one, two) is None


@pytest.mark.parametrize(
    ("budget", "answers"), [(60, (0, 0)), (None, (1, 3)), (None, (10, 0)), (100, (0, 5))]
)
@pytest.mark.parametrize(
    ("chances", "alike"), [((0.9, 0.85), 0.9), ((0.99, 0.97), 0.5), ((0.5, 0.3), -0.5)]
)
def test_intervals_of_differences_hold_the_truth(
    budget: int | None,
    answers: tuple[int, int],
    chances: tuple[float, float],
    alike: float,
) -> None:
    # Two players who tend to err in the same decisions, or in others.
    count, rng = 300, np.random.default_rng(7)
    hard = rng.random(count)
    other = np.where(
        rng.random(count) < abs(alike), hard if alike > 0 else 1 - hard, rng.random(count)
    )
    true = [
        np.clip(chance + (luck - 0.5) * (1 - chance), 0, 1) if drawn else luck < chance
        for chance, luck, drawn in zip(chances, (hard, other), answers, strict=True)
    ]
    truth, hits = true[0].mean() - true[1].mean(), 0
    for seed in range(SEEDS):
        draws = np.random.default_rng(seed)
        seen = [
            draws.binomial(drawn, chance) / drawn if drawn else chance.astype(float)
            for chance, drawn in zip(true, answers, strict=True)
        ]
        asked = draw(count, budget, seed)
        noise = [np.full(count, 1 / drawn if drawn else 0.0) for drawn in answers]
        drawn = [Draws(asked, each) for each in noise]
        figure = estimate_difference(seen[0], seen[1], drawn[0], drawn[1])
        assert figure is not None
        hits += figure.low - 1e-9 <= truth <= figure.high + 1e-9
    assert hits >= 0.93 * SEEDS


def test_what_is_common_makes_the_interval_narrower() -> None:
    right = np.arange(200) % 10 > 0
    better = right | (np.arange(200) % 20 == 0)
    asked = Draws(draw(200, 100, 1), np.zeros(200))
    shuffled = np.roll(right, 3)
    paired = estimate_difference(better.astype(float), right.astype(float), asked, asked)
    unlike = estimate_difference(better.astype(float), shuffled.astype(float), asked, asked)
    assert paired is not None
    assert unlike is not None
    assert paired.high - paired.low < 0.8 * (unlike.high - unlike.low)


def test_intervals_over_several_games_hold_the_truth() -> None:
    # Games of different sizes, from each of which a sample of decisions is asked once.
    sizes, budgets, rng = (30, 80, 200), (20, 40, 60), np.random.default_rng(3)
    harm = [rng.choice([0.25, 0.5, 0.75], size) for size in sizes]
    chances = [1 - 0.2 * part for part in harm]
    truth, hits, slips = float(np.mean([part.mean() for part in chances])), 0, 0
    tries = 100
    strata = np.repeat(np.arange(3), sizes)
    for seed in range(tries):
        draws = np.random.default_rng(seed)
        seen = [draws.binomial(1, part).astype(float) for part in chances]
        asked = [draw(size, most, seed) for size, most in zip(sizes, budgets, strict=True)]
        noise = [np.ones(size) for size in sizes]
        samples = [Draws(*part) for part in zip(asked, noise, strict=True)]
        mean = mean_figure(estimate(*part) for part in zip(seen, samples, strict=True))
        every = Draws(np.concatenate(asked), np.ones(sum(sizes)), strata)
        rate = estimate_slips(np.concatenate(seen), np.concatenate(harm), every)
        assert mean is not None
        assert rate is not None
        hits += mean.low <= truth <= mean.high
        slips += rate.low <= 0.2 <= rate.high
    # With a chance of 95%, fewer than 89 of 100 would be seen in less than 1 of 200 cases.
    assert min(hits, slips) >= 89
