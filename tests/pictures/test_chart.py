"""Charts of games: every position is drawn, and every verdict has its own mark and word."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from tests.pictures.test_map import BOXES, SVG
from zerosum.coach.verdicts import VERDICTS, Verdict
from zerosum.pictures.chart import Chart
from zerosum.pictures.chart_svg import HIGH, chart_svg, marker, page_chart
from zerosum.pictures.chart_text import chart_text
from zerosum.pictures.svg import text_width
from zerosum.protocol import Move, Result, Value

NAMES = ("Ada", "Bob")
EACH: tuple[list[Value], list[Move], list[Verdict | None]] = (
    [
        Value("win", 4),
        Value("win", 3),
        Value("win", 4),
        Value("draw"),
        Value("draw", endless=True),
        Value("loss", 2),
        Value("win", 1),
        Value("win", 0),
    ],
    [1, 2, 3, 4, "b5", "c6", 7],
    ["best", "good", "mistake", "forced", "mistake", "blunder", "only"],
)


def long(plies: int) -> Chart:
    """Return a chart of any length, with every result and verdict."""
    results: tuple[Result, ...] = ("win", "win", "draw", "loss")
    values = [
        Value(result, None if result == "draw" else 1 + at % 17)
        for at in range(plies + 1)
        for result in [results[at // 7 % 4]]
    ]
    verdicts = [VERDICTS[at % 6] for at in range(plies)]
    return Chart(values, [at % 9 for at in range(plies)], verdicts)


def groups(drawn: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(drawn)
    return [group for group in root.iter(f"{SVG}g") if group.get("data-ply")]


def marks(root: ElementTree.Element) -> list[ElementTree.Element]:
    return [mark for group in root.iter(f"{SVG}g") for mark in group.iter(f"{SVG}svg")]


@pytest.mark.parametrize("plies", [0, 1, 2, 13, 80, 500])
def test_chart_of_any_number_of_plies_is_valid_and_fits(plies: int) -> None:
    chart = long(plies)
    drawn = chart_svg(chart)
    root = ElementTree.fromstring(drawn)
    assert root.get("role") == "img"
    assert float(root.get("width", "")) <= 900
    assert [group.get("data-ply") for group in groups(drawn)] == [*map(str, range(plies + 1))]
    assert drawn == chart_svg(chart)
    assert re.findall('https?:[^"]*', drawn) == ["http://www.w3.org/2000/svg"]
    for text in root.iter(f"{SVG}text"):
        assert float(text.get("font-size", "")) >= 11
        x = text.get("x", "")
        assert 0 <= float(x.rstrip("%")) <= (100 if "%" in x else float(root.get("width", "")))
    for width in (40, 80):
        lines = chart_text(chart, width).splitlines()
        assert all(len(line) <= width for line in lines)


def test_each_verdict_has_its_mark_and_word() -> None:
    shapes = [marker(verdict, 5) for verdict in VERDICTS]
    assert len(set(shapes[:4])) == 4
    assert {*shapes[4:]} == {marker(None, 5)}
    drawn = chart_svg(Chart(*EACH, NAMES))
    text = chart_text(Chart(*EACH, NAMES))
    words = ("best", "good (same result)", "mistake", "blunder", "no real choice")
    for word, sign in zip(words, "●○▲×•", strict=True):
        assert f">{word}</text>" in drawn
        assert f"{sign} {word}" in text
    assert text.split("after move")[0].count("▲") == 3  # two, and the legend's
    assert "<title>Move 6, Bob plays c6, a blunder: win for Ada in 1</title>" in drawn
    assert "no real choice" not in chart_svg(Chart(EACH[0], EACH[1]))


def test_bands_and_nearness() -> None:
    def height(value: Value) -> float:
        values = [Value("win", 9), value]
        path = next(
            path
            for path in ElementTree.fromstring(chart_svg(Chart(values, [1]))).iter(f"{SVG}path")
            if path.get("class") == "turn"
        )
        return float((path.get("d") or "").split()[-1])

    order = [Value("win", 0), Value("win", 3), Value("win", None), Value("win", 9)]
    order += [Value("draw", None), Value("loss", 9), Value("loss", None), Value("loss", 0)]
    heights = [height(value) for value in order]
    assert heights == sorted(heights)
    assert len(set(heights)) == len(heights)


def test_plain_has_no_boxes() -> None:
    plain = chart_text(Chart(*EACH, NAMES), plain=True)
    assert not BOXES.search(plain)
    assert plain.isascii()
    assert plain.splitlines()[1:] == [
        "Start: win for Ada in 4.",
        "Move 1, Ada plays 1, best: win for Ada in 3.",
        "Move 2, Bob plays 2, good: win for Ada in 4.",
        "Move 3, Ada plays 3, a mistake: draw.",
        "Move 4, Bob plays 4, forced: draw (endless).",
        "Move 5, Ada plays b5, a mistake: win for Bob in 2.",
        "Move 6, Bob plays c6, a blunder: win for Ada in 1.",
        "Move 7, Ada plays 7, the only move: win for Ada, the game is over.",
        "The turning point is move 6.",
    ]


def test_names_and_moves_of_any_kind() -> None:
    names = ("<&\"'>" * 8, "山田太郎")
    values = [Value("win", 5), Value("loss", None)]
    drawn = chart_svg(Chart(values, [10**5000], ["blunder"], names))
    assert names[0] in (ElementTree.fromstring(drawn)[1].text or "")
    assert "a number of about 5001 digits" in drawn
    assert "win for 山田太郎 (length unknown)" in drawn
    rows = chart_text(Chart(values, ["a name as long as 20"], names=names)).splitlines()
    assert "山田太郎 wins │" in "".join(rows)


def test_movers_who_do_not_take_turns() -> None:
    values = [Value("win", 3), Value("win", 2), Value("win", 1)]
    plain = chart_text(Chart(values, [1, 1], names=NAMES, movers=[0, 0]), plain=True)
    assert plain.count("Ada plays") == 2


@pytest.mark.parametrize("top", [0, 1])
def test_charts_have_you_on_top(top: int) -> None:
    values, moves, verdicts = EACH
    names = ("Ada", "You") if top else NAMES
    chart = Chart(values, moves, verdicts, names)
    drawn = chart_text(chart).split(" draw │")
    assert [f"{name} win" in half for name, half in zip(("You", "Ada"), drawn, strict=True)] == [
        bool(top)
    ] * 2
    root = ElementTree.fromstring(page_chart(chart))
    owners = [text for text in root.iter(f"{SVG}text") if "owner" in text.get("class", "")]
    assert [owner.text for owner in owners] == [names[top], names[1 - top]]
    heights = [float(mark.get("y", "")) for mark in marks(root)]
    for value, height in zip(values, heights, strict=True):
        ahead = {"win": 0, "loss": 1}.get(value.result)
        assert (height < HIGH / 2) == (ahead == top)
        assert (height == HIGH / 2) == (ahead is None)


@pytest.mark.parametrize("plies", [0, 1, 2, 52, 400])
def test_chart_for_a_page_stays_in_its_box_and_its_numbers_apart(plies: int) -> None:
    root = ElementTree.fromstring(page_chart(long(plies)))
    places = [float(mark.get("x", "").rstrip("%")) for mark in marks(root)]
    assert len(places) == plies + 1
    assert all(0 < place < 100 for place in places)
    for area in (group.find(f"{SVG}rect") for group in root.iter(f"{SVG}g")):
        assert area is not None
        left, wide = (float(area.get(name, "").rstrip("%")) for name in ("x", "width"))
        assert 0 <= left < left + wide <= 100.1
    texts = list(root.iter(f"{SVG}text"))
    assert all(float(text.get("font-size", "")) >= 12 for text in texts)
    numbers = [text for text in texts if text.get("class") == "soft"]
    at = [float(text.get("x", "").rstrip("%")) for text in numbers]
    for (here, then), text in zip(pairwise(at), numbers, strict=False):
        assert (then - here) * 260 / 100 > text_width(text.text or "")
