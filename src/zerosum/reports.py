"""A result as people read it: as text, Markdown, HTML or SVG.

A command computes a document (see zerosum.documents); a function makes a report from that document
alone, so that every number shown is in it; and one of these shows it:

    settings.out.show(report)   # a terminal or a pipe, as the flags and the width ask for
    to_text(report)             # the same as a string
    to_markdown(report)         # for the documents
    to_latex(report)            # for a paper (in zerosum.latex)
    to_html(report, command)    # a page of its own (in zerosum.pictures.reports)
    to_svg(report)              # a picture: titles, sentences and bars, no tables (likewise)

A section consists of pieces, in their order: sentences (a string, or a `Sentence` with a style),
a `Grid` (a table), `Bars`, `Places` (on a scale), or a `Picture`. The first section needs no title.
Sections after it are set off by an empty line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import groupby
from typing import Any, Literal, NamedTuple

from zerosum.text import styled, visible

# Below this width, a table's row is a line of labelled values; no picture is wider.
NARROW_TERMINAL, WIDE_TERMINAL = 72, 100
# How wide a picture is in characters without a terminal.
NO_TERMINAL = 80
# The width of the longest bar in characters.
LONGEST_BAR = 40

Style = Literal["", "strong", "aside", "problem", "error", "warning", "note"]
# How far an item's further lines are indented, by its first.
ITEMS = {"- ": "  ", "  ": "     "}
# The styles of sentences that stand for themselves, in a list.
FAULTS: tuple[Style, ...] = ("error", "warning", "note")


class Sentence(NamedTuple):
    """A sentence with a style; an aside is about the command, and shown by terminals only."""

    text: str
    style: Style = ""


class Grid(NamedTuple):
    """A table of strings; with `figures`, all columns but the first are numbers.

    `spoken` has a sentence for each row, if its values make none.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    figures: bool = False
    spoken: Sequence[str] = ()


class Bar(NamedTuple):
    """A bar: its label, its parts' shares, the figure after it, and all of it in words.

    The parts are named by their classes in the style sheet of pictures. A `mark` is drawn on the
    bar, and an `interval` below it.
    """

    label: str
    parts: Mapping[str, float]
    figure: str
    about: str
    mark: float | None = None
    interval: tuple[float, float] | None = None


class Bars(NamedTuple):
    """Bars below a title; `key` says what the parts mean, `mark` and `interval` what those are.

    With `scaled`, the longest bar fills the width; `half` draws a line at one half. What a table
    beside it says too is `drawn` only in pictures.
    """

    title: str
    bars: Sequence[Bar]
    about: str = ""
    key: Mapping[str, str] = {}
    mark: str = ""
    interval: str = ""
    scaled: bool = False
    half: bool = False
    drawn: bool = False


class Place(NamedTuple):
    """A place on a scale from 0 to 1: whose it is, the figure after it, and all of it in words."""

    label: str
    at: float
    figure: str
    about: str
    interval: tuple[float, float] | None = None


class Places(NamedTuple):
    """Places on one scale, a line each, with names at some of its ticks; only in pictures.

    A table beside it says the same. `interval` says what the intervals are.
    """

    title: str
    ticks: Mapping[str, float]
    places: Sequence[Place]
    interval: str = ""
    about: str = ""


class Picture(NamedTuple):
    """A picture: its title, and functions that draw it as SVG and as text."""

    title: str
    svg: Callable[[], str] | None = None
    text: Callable[[int], str] | None = None


Piece = str | Sentence | Grid | Bars | Places | Picture


class Section(NamedTuple):
    """A part of a report; `key` names it for a page's style sheet and links."""

    title: str
    pieces: Sequence[Piece]
    key: str = ""


class Report(NamedTuple):
    """A title and sections; `about` is what a page says below its title."""

    title: str
    sections: Sequence[Section]
    about: str = ""


class Medium(NamedTuple):
    """What text is written for: a terminal's width, and whether it has boxes and colour.

    In plain text, rows and charts are sentences, for a screen reader.
    """

    columns: int | None = None
    plain: bool = False
    color: bool = False
    boxes: bool = False


PIPE = Medium()


def to_text(report: Report, medium: Medium = PIPE) -> str:
    """Write a report for a terminal, a pipe or a screen reader; it ends with a line end.

    >>> grid = Grid(("Level", "Score"), [("easy", "0.25"), ("hard", "0.75")])
    >>> print(to_text(Report("Scores", [Section("", ["Of 1.", grid])])), end="")
    Scores
    Of 1.
    Level  Score
    easy   0.25
    hard   0.75
    """
    lines = [paragraph(report.title, medium, "strong")] if report.title else []
    for number, section in enumerate(report.sections):
        if lines and (number or section.title):
            lines.append("")
        if section.title:
            lines.append(paragraph(section.title, medium, "strong"))
        for piece in section.pieces:
            lines += _piece_text(piece, medium)
    return "".join(f"{line}\n" for line in lines)


def paragraph(text: str, medium: Medium = PIPE, style: str = "", indent: str = "") -> str:
    """Write text, wrapped to the terminal's width; an item's lines are indented."""
    if medium.columns is not None and not medium.plain:
        from textwrap import fill

        width = max(20, medium.columns - 1)
        text = "\n".join(
            fill(line, width, subsequent_indent=ITEMS.get(line[:2], indent))
            for line in text.split("\n")
        )
    return styled(text, style, medium.color)


def grid_text(grid: Grid, medium: Medium = PIPE) -> str:
    """Write a table: drawn on a wide terminal, a labelled line a row in plain, else columns."""
    narrow = medium.columns is not None and medium.columns < NARROW_TERMINAL
    if medium.plain or (medium.boxes and narrow):
        said = [paragraph(sentence, medium, indent="  ") for sentence in grid.spoken]
        return "\n".join(said or (labelled(grid.columns, row, medium) for row in grid.rows))
    if medium.boxes:
        return _boxed(grid, medium)
    rows = [[visible(cell) for cell in row] for row in (grid.columns, *grid.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


def labelled(columns: Sequence[str], row: Sequence[str], medium: Medium = PIPE) -> str:
    """Write a row of a table as a line of labelled values.

    >>> labelled(("Level", "Score"), ("easy", "0.25"))
    'Level: easy. Score: 0.25.'
    """
    cells = zip(columns, row, strict=True)
    fields = [f"{column}: {value.rstrip('.')}" for column, value in cells if value]
    return paragraph(". ".join(fields) + ".", medium, indent="  ")


def _boxed(grid: Grid, medium: Medium) -> str:
    """Draw a table with lines around it."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=box.ROUNDED)
    for number, column in enumerate(grid.columns):
        drawn.add_column(Text(visible(column)), overflow="fold", no_wrap=number == 0)
    for row in grid.rows:
        drawn.add_row(*(Text(visible(value)) for value in row))
    return typeset(drawn, medium)


def typeset(content: Any, medium: Medium) -> str:
    """Write what rich draws, such as a table, for a terminal."""
    from rich.console import Console

    stream = StringIO()
    Console(
        file=stream,
        width=medium.columns,
        force_terminal=True,
        no_color=not medium.color,
        color_system="auto" if medium.color else None,
        highlight=False,
    ).print(content)
    return stream.getvalue().rstrip("\n")


def _piece_text(piece: Piece, medium: Medium) -> Iterator[str]:
    """Write a piece for a terminal."""
    if isinstance(piece, Grid):
        yield grid_text(piece, medium)
    elif isinstance(piece, Bars):
        if piece.drawn:
            return
        if medium.plain:
            listed = ", ".join(f"{bar.label}: {bar.figure}" for bar in piece.bars)
            yield visible(f"{piece.title}: {listed}.")
        else:
            yield visible(f"{piece.title}:")
            yield from map(visible, bars_text(piece))
    elif isinstance(piece, Places):
        return
    elif isinstance(piece, Picture):
        if piece.text is not None and not medium.plain:
            width = NO_TERMINAL if medium.columns is None else medium.columns
            yield visible(piece.text(min(width, WIDE_TERMINAL)))
    else:
        text, style = (piece, "") if isinstance(piece, str) else piece
        yield paragraph(text, medium, style)


def bars_text(bars: Bars) -> list[str]:
    """Draw bars in characters, without their title.

    >>> bars_text(Bars("Moves", [Bar("1", {"bar": 0.5}, "50%", ""), Bar("10", {}, "0%", "")]))
    [' 1  ████████████████████ 50%', '10  ▏ 0%']
    """
    longest = longest_bar(bars) if bars.scaled else 1.0
    width = max((len(bar.label) for bar in bars.bars), default=0)
    lines = []
    for bar in bars.bars:
        drawn = "█" * round(LONGEST_BAR * sum(bar.parts.values()) / longest) or "▏"
        lines.append(f"{bar.label.rjust(width)}  {drawn} {bar.figure}")
    return lines


def longest_bar(bars: Bars) -> float:
    """Return the length of the longest bar."""
    return max((sum(bar.parts.values()) for bar in bars.bars), default=0.0) or 1.0


def to_markdown(report: Report, level: int = 1) -> str:
    """Write a report as Markdown; `level` is that of its title.

    >>> print(to_markdown(Report("Scores", [Section("Easy", ["It is weak.", "It errs."])]), 3))
    ### Scores
    <BLANKLINE>
    #### Easy
    <BLANKLINE>
    It is weak. It errs.
    """
    parts = [f"{'#' * level} {_told(report.title)}"] if report.title else []
    for section in report.sections:
        if section.title:
            parts.append(f"{'#' * (level + 1)} {_told(section.title)}")
        for between, pieces in groupby(section.pieces, _separator):
            parts.append(between.join(filter(None, map(_piece_markdown, pieces))))
    return "\n\n".join(filter(None, parts))


def _told(text: str) -> str:
    """Write text so that Markdown shows it: <Nim> would be a tag of HTML, and <.01 is none."""
    return re.sub(r"<(?=[A-Za-z/!?])", "&lt;", text)


def _separator(piece: Piece) -> str:
    """Return what stands between such pieces: a paragraph has sentences, and a list has faults."""
    if isinstance(piece, Sentence):
        return "\n" if piece.style in FAULTS else "\n\n"
    return " " if isinstance(piece, str) else "\n\n"


def _piece_markdown(piece: Piece) -> str:
    """Write a piece as Markdown."""
    if isinstance(piece, Grid):
        rows = (piece.columns, ["---"] * len(piece.columns), *piece.rows)
        lines = (" | ".join(_told(cell).replace("|", "\\|") for cell in row) for row in rows)
        return "\n".join(f"| {line} |" for line in lines)
    if isinstance(piece, Bars):
        drawn = "" if piece.drawn else "\n".join(bars_text(piece))
        return drawn and f"{piece.title}:\n\n```text\n{drawn}\n```"
    if isinstance(piece, Places):
        return ""
    if isinstance(piece, Picture):
        if piece.text is None:
            return ""
        return f"```text\n{piece.text(NO_TERMINAL)}\n```"
    text, style = (piece, "") if isinstance(piece, str) else piece
    if style == "aside":
        return ""
    text = _told(text)
    if style in FAULTS:
        return f"- {text}"
    return f"**{text}**" if style == "strong" else text
