"""How often a player slips: the estimate, its interval, and its place on the scale."""

from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from bench.strength import careers, measured
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.figures import strange_numbers
from zerosum.bulk import Table
from zerosum.documents import to_dict
from zerosum.players.levels import LEVELS, SLIPS
from zerosum.players.scale import explained, placed, strength_of
from zerosum.players.slips import Decision, slip_rate

CAREERS = 120


@st.composite
def made(draw: st.DrawFn, least: int = 1, most: int = 40) -> list[Decision]:
    """Some decisions."""
    found = []
    for _ in range(draw(st.integers(least, most))):
        legal = draw(st.integers(2, 12))
        found.append(Decision(draw(st.booleans()), draw(st.integers(1, legal - 1)), legal))
    return found


@given(made())
def test_the_interval_holds_the_estimate_within_the_scale(decisions: list[Decision]) -> None:
    found = slip_rate(decisions)
    assert found is not None
    assert 0 <= found.low <= found.rate <= found.high <= 1
    right = [decision.right for decision in decisions]
    assert (found.rate == 0) == all(right)
    assert found.low == 0 or not all(right)
    assert found.high == 1 or any(right)


@given(made(), st.data())
def test_an_error_more_moves_everything_towards_random(
    decisions: list[Decision], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(decisions) - 1))
    right, wrong = (
        slip_rate([*decisions[:at], decisions[at]._replace(right=right), *decisions[at + 1 :]])
        for right in (True, False)
    )
    assert right is not None
    assert wrong is not None
    assert all(better <= worse for better, worse in zip(right, wrong, strict=True))


@given(made(), st.randoms())
def test_the_order_of_decisions_does_not_matter(decisions: list[Decision], rng: Random) -> None:
    shuffled = list(decisions)
    rng.shuffle(shuffled)
    assert slip_rate(shuffled) == slip_rate(decisions)


def test_many_decisions_are_told_as_a_few_are() -> None:
    """The approximation for many decisions continues the exact interval."""
    rates = [
        slip_rate([Decision(number % 8 > 0, 1, 2) for number in range(count)])
        for count in (192, 208)
    ]
    for exact, approximate in zip(*map(tuple, filter(None, rates)), strict=True):
        assert exact == pytest.approx(approximate, abs=0.02)


def test_nothing_is_told_without_a_decision() -> None:
    assert slip_rate([]) is None


@cache
def table_of(name: str) -> Table[Any]:
    return Table(zerosum.game(name))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", ["dual-digits", "docs/examples/noughts_and_crosses.py"])
def test_the_rates_of_the_levels_are_found_out(name: str, level: str) -> None:
    """The full simulation is bench/strength.py; docs/levels.md has its table."""
    table = table_of(name)
    for games in (3, 20):
        found = careers(table, level, CAREERS, games)
        _, holds, shown = measured(found, games, SLIPS[level])
        for right in (holds, shown):
            assert sum(right) >= 0.93 * len(right)
        assert len(shown) > 0.4 * CAREERS or games == 3
    together = slip_rate([decision for decisions in found for decision in decisions])
    assert together is not None
    assert together.rate == pytest.approx(SLIPS[level], abs=0.03)
    assert together.high - together.low < 0.06


@given(made(0), st.integers(1, 50), st.sampled_from(["You", "Ada"]))
def test_every_number_said_is_in_the_document(
    decisions: list[Decision], games: int, name: str
) -> None:
    strength = strength_of(decisions, games)
    said = f"{placed(strength, name, 'Nim')} {explained(strength)}"
    assert strange_numbers(said, to_dict(strength)) == []
    if decisions:
        assert strength.needed is not None
        assert not strength.like or len(decisions) > strength.needed - 5
        assert strength.like or len(decisions) < strength.needed
    if strength.like:
        assert strength.rate is not None
        assert strength.high - strength.low <= 0.8
        rates = [SLIPS[level] for level in strength.like]
        assert len(rates) == 1 or max(rates) > strength.rate > min(rates)


def test_a_place_is_the_level_nearby_or_between_two() -> None:
    many = 1000
    places = []
    for errors in range(0, many // 2 + 1, 4):
        found = [Decision(number >= errors, 1, 2) for number in range(many)]
        places.append(tuple(strength_of(found, 50).like))
    order = list(dict.fromkeys(places))
    levels = list(reversed(LEVELS))
    wanted: list[tuple[str, ...]] = [(levels[0],)]
    for better, worse in pairwise(levels):
        wanted += [(worse, better), (worse,)]
    assert order == wanted
