"""One report, written for a pipe, a terminal, a screen reader, a document, a page and a picture."""

import xml.etree.ElementTree as ET

import pytest

from zerosum.pictures.reports import to_html, to_svg
from zerosum.reports import (
    Bar,
    Bars,
    Grid,
    Medium,
    Picture,
    Place,
    Places,
    Report,
    Section,
    Sentence,
    to_markdown,
    to_text,
)

BARS = Bars(
    "Moves in a game",
    [
        Bar("1", {"bar": 0.25}, "25%", "1 move: 25%"),
        Bar("12", {"bar": 0.5}, "50%", "12 moves: 50%"),
    ],
    scaled=True,
)
SHARES = Bars(
    "Right decisions",
    [Bar("easy", {"bar": 0.5, "warn": 0.1}, "50%", "easy: 50%", 0.3, (0.4, 0.6))],
    key={"bar": "right", "warn": "mistake", "alarm": "blunder"},
    mark="random play",
    interval="95% confidence",
    half=True,
    drawn=True,
)
SCALE = Places(
    "One scale",
    {"random": 0.0, "medium": 0.5, "hard": 0.55, "perfect": 1.0},
    [
        Place("Ada <3", 0.5, "25%", "Ada <3: 25%", (0.4, 0.6)),
        Place("easy", 0.25, "50%", "easy: 50%"),
    ],
    "95% confidence",
)
GRID = Grid(("Both", "First"), [("easy", "5|1"), ("", "2")], figures=True)
REPORT = Report(
    "Audit of <Nim>",
    [
        Section("", ["The first player wins.", "It is fair | square."], "verdict"),
        Section("Faults", [Sentence("One.", "error"), Sentence("Two.", "note")]),
        Section("Size", [GRID, BARS, SHARES, SCALE]),
        Section("Map", [Picture("Map", lambda: to_svg(Report("A map", [])), lambda n: "=" * n)]),
        Section("", [Sentence("Add --positions N.", "aside")]),
    ],
    about="Take & win.",
)
MEDIA = {
    "pipe": Medium(),
    "plain": Medium(plain=True),
    "terminal": Medium(90, color=True, boxes=True),
    "narrow": Medium(40, boxes=True),
}


def test_a_pipe_gets_columns_and_bars() -> None:
    assert to_text(REPORT).split("\n") == [
        "Audit of <Nim>",
        "The first player wins.",
        "It is fair | square.",
        "",
        "Faults",
        "One.",
        "Two.",
        "",
        "Size",
        "Both  First",
        "easy  5|1",
        "      2",
        "Moves in a game:",
        f" 1  {'█' * 20} 25%",
        f"12  {'█' * 40} 50%",
        "",
        "Map",
        "=" * 80,
        "",
        "Add --positions N.",
        "",
    ]


def test_a_screen_reader_gets_sentences() -> None:
    text = to_text(REPORT, MEDIA["plain"])
    assert "Both: easy. First: 5|1.\nFirst: 2.\nMoves in a game: 1: 25%, 12: 50%.\n" in text
    assert "=" not in text
    assert "█" not in text


def test_a_terminal_gets_boxes_and_colour_and_a_narrow_one_labelled_rows() -> None:
    drawn = to_text(REPORT, MEDIA["terminal"])
    assert "╭" in drawn
    assert "\x1b[1mAudit of <Nim>\x1b[0m" in drawn
    narrow = to_text(REPORT, MEDIA["narrow"])
    assert "Both: easy. First: 5|1." in narrow
    assert max(map(len, narrow.split("\n"))) <= 51  # a bar with its label and figure


@pytest.mark.parametrize("medium", MEDIA.values(), ids=MEDIA)
def test_words_of_a_game_are_shown_never_obeyed(medium: Medium) -> None:
    grid = Grid(("\x1b[2J",), [("\x1b[3J",)])
    bars = Bars("\x1b[4J", [Bar("\x1b[5J", {}, "", "")])
    picture = Picture("", None, lambda width: "\x1b[6J")
    report = Report("\x1b[7J", [Section("\x1b[8J", ["\x1b[9J", grid, bars, picture])])
    assert not [code for code in range(2, 10) if f"\x1b[{code}J" in to_text(report, medium)]


def test_markdown_has_paragraphs_lists_tables_and_text() -> None:
    assert to_markdown(REPORT, 3).startswith(
        "### Audit of &lt;Nim>\n\nThe first player wins. It is fair | square.\n\n"
        "#### Faults\n\n- One.\n- Two.\n\n"
        "#### Size\n\n| Both | First |\n| --- | --- |\n| easy | 5\\|1 |\n|  | 2 |\n\n"
        "Moves in a game:\n\n```text\n 1  ████"
    )
    assert to_markdown(REPORT).endswith("=\n```")


def test_a_page_is_well_formed_and_has_everything_but_asides() -> None:
    page = to_html(REPORT, "zerosum audit ./nim.py", "Exact.")
    body = page[page.index("<main>") : page.index("</main>") + len("</main>")]
    words = " ".join(ET.fromstring(body).itertext())
    for said in ("<Nim>", "Take & win.", "5|1", "1 move: 25%", "A map", "Exact.", "./nim.py"):
        assert said in words
    assert "--positions" not in words
    assert '<p class="fault error">One.</p>' in body


def test_a_picture_draws_bars_with_their_key_and_says_them_in_words() -> None:
    drawn = to_svg(Report("Easy", [Section("Errors", ["Move 3 is wrong.", SHARES])]))
    words = list(ET.fromstring(drawn).itertext())
    for said in ("Easy", "Errors", "Move 3 is wrong.", "right", "mistake", "random play", "50%"):
        assert said in words
    assert "blunder" not in words
    assert "Right decisions.\neasy: 50%" in words[1]


def test_a_picture_puts_places_on_one_scale() -> None:
    drawn = to_svg(Report("Players", [Section("", [SCALE])]))
    root = ET.fromstring(drawn)
    words = list(root.itertext())
    for said in ("One scale", *SCALE.ticks, "Ada <3", "25%", "easy", "50%", "95% confidence"):
        assert said in words
    assert "One scale.\nAda <3: 25%\neasy: 50%" in words[1]
    spots = [float(spot.get("cx", 0)) for spot in root.iter() if spot.tag.endswith("circle")]
    ticks = [path.get("d", "") for path in root.iter() if path.get("class") == "rule"]
    random, medium, *_ = (float(tick[1:].split()[0]) for tick in ticks)
    assert spots == [medium, pytest.approx((random + medium) / 2, abs=0.01)]
    heights = {
        text.text: float(text.get("y", 0)) for text in root.iter() if text.text in SCALE.ticks
    }
    # The names of two close ticks are not on one line.
    assert heights["random"] == heights["medium"] == heights["perfect"] < heights["hard"]
    assert to_text(Report("", [Section("", [SCALE])])) == ""
    assert to_markdown(Report("", [Section("", [SCALE])])) == ""
