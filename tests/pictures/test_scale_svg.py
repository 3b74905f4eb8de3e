"""The scale from random to perfect: the place is within its band, and better is further right."""

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from tests.players.test_slips import made
from zerosum.pictures.scale_svg import course_svg, scale_svg
from zerosum.players.levels import LEVELS, SLIPS
from zerosum.players.scale import along, place, strength_of
from zerosum.players.slips import Decision


@given(st.lists(st.floats(0, 1), min_size=2, max_size=9))
def test_a_player_who_slips_less_stands_further_right(rates: list[float]) -> None:
    placed = [along(rate) for rate in sorted(rates)]
    assert placed == sorted(placed, reverse=True)
    assert all(0 <= at <= 1 for at in placed)
    assert [along(SLIPS[level]) for level in LEVELS] == [0, 0.25, 0.5, 0.75, 1]


@given(made(30, 80))
def test_the_place_is_drawn_within_its_band(decisions: list[Decision]) -> None:
    strength = strength_of(decisions, 9)
    drawn = scale_svg(strength)
    if not strength.like:
        assert drawn == ""
        return
    svg = ElementTree.fromstring(drawn)
    title, *parts = svg
    assert title.text == f"You: {place(strength)}, on the scale from random to perfect"
    _, band = (part for part in parts if part.tag.endswith("rect"))
    (dot,) = (part for part in parts if part.tag.endswith("circle"))
    low, wide, at = (
        float(part.get(name, "").rstrip("%"))
        for part, name in ((band, "x"), (band, "width"), (dot, "cx"))
    )
    assert low - 0.01 <= at <= low + wide + 0.02
    words = [part.text for part in parts if part.tag.endswith("text")]
    assert words == ["You", *LEVELS]


@given(st.lists(made(30, 60), min_size=2, max_size=5))
def test_a_course_has_a_point_for_each_strength(careers: list[list[Decision]]) -> None:
    course = [strength_of(decisions, 9) for decisions in careers]
    svg = ElementTree.fromstring(course_svg(course))
    (plot,) = (part for part in svg if part.tag.endswith("svg"))
    band, line = (part.get("d", "") for part in plot)
    assert line.count("L") + 1 == len(course)
    assert band.count("L") + 1 == 2 * len(course)
    heights = [float(point.split()[1]) for point in line[1:].split("L")]
    rates = [strength.rate for strength in course]
    better = sorted(range(len(course)), key=lambda at: (rates[at] or 0.0, at))
    assert [heights[at] for at in better] == sorted(heights)
