"""An audit as one HTML page: self-contained, without scripts, in light and dark."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any

from zerosum.errors import ZerosumError
from zerosum.lab.audit.document import Document
from zerosum.lab.audit.rendering.charts import bar_colours, equals_chart, lengths_chart, skill_chart
from zerosum.lab.audit.rendering.sections import Section, Table, sections
from zerosum.pictures.map_svg import map_svg
from zerosum.pictures.svg import escape, inline_svg, svg_stylesheet, tag
from zerosum.protocol import Game
from zerosum.solver.solution import Solution
from zerosum.wording.rulebook import summary_of

# The mark of these pages, by which they can be told from a user's own.
GENERATOR = '<meta name="generator" content="zerosum audit">'
# A larger picture would make the page slow to open.
LARGEST_PICTURE = 1_000_000
# Up to this width, a picture is made to fit a phone; a wider one scrolls.
SMALL_PICTURE = 500
# The sections whose tables have figures in every column but the first.
FIGURES = ("fairness", "measures")


def audit_page(
    document: Document, arguments: Sequence[str], game: Game[Any], solution: Solution[Any] | None
) -> str:
    """Write an audit as a page; `arguments` name the variant on a command line."""
    parts = sections(document, arguments)
    title = f"Audit of {document['title']}"
    body = "\n".join(
        _section(part, document, _pictures(document, part, solution)) for part in parts
    )
    command = " ".join(("zerosum audit", *arguments))
    style = (files("zerosum.lab.audit.rendering") / "page.css").read_text()
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
{GENERATOR}
<title>{escape(title)}</title>
<style>{style}{svg_stylesheet()}{bar_colours()}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
<p class="about">{escape(_summary(game))}</p>
{body}
<footer><p>Every figure is exact up to rounding.
Made by: <code>{escape(command)}</code></p></footer>
</main>
</body>
</html>
"""


def _summary(game: Game[Any]) -> str:
    """Say what the game is, if its rules can be read."""
    try:
        return summary_of(game)
    except ZerosumError:
        return ""


def _section(part: Section, document: Document, pictures: str) -> str:
    """Write a section: sentences and table on the left, pictures beside or below them."""
    texts = "\n".join(_sentences(part, document))
    table = _table(part.table, part.key in FIGURES, part.title) if part.table else ""
    content = f"{texts}\n{table}"
    if pictures and part.key != "winner":
        content = f'<div class="split"><div>{content}</div><div>{pictures}</div></div>'
    else:
        content += pictures
    kind = ' class="verdict"' if part.key == "verdict" else ""
    return f'<section id="{part.key}"{kind}>\n<h2>{escape(part.title)}</h2>\n{content}\n</section>'


def _sentences(part: Section, document: Document) -> Iterator[str]:
    """Write the sentences of a section; faults show their severity by colour too."""
    kinds = [f"fault {fault['severity']}" for fault in document["faults"]]
    for number, sentence in enumerate(part.sentences):
        kind = kinds[number] if part.key == "faults" else None
        yield tag("p", escape(sentence), class_=kind)


def _table(table: Table, figures: bool, title: str) -> str:
    """Write a table, which scrolls where it is too wide."""
    head = "".join(tag("th", escape(column), scope="col") for column in table.columns)
    rows = "".join(
        tag("tr", *(tag("td", escape(cell) or " ") for cell in row)) for row in table.rows
    )
    made = tag(
        "table",
        f"<thead><tr>{head}</tr></thead>",
        f"<tbody>{rows}</tbody>",
        class_="figures" if figures else None,
    )
    return _scrolling(made, title)


def _scrolling(wide: str, title: str) -> str:
    """Let a part of the page scroll sideways where it is too wide, by keys too."""
    return tag("div", wide, class_="wide", tabindex="0", role="region", aria_label=title)


def _pictures(document: Document, part: Section, solution: Solution[Any] | None) -> str:
    """Draw the pictures of a section."""
    if part.key == "size" and part.bars:
        return _chart(lengths_chart(part.bars))
    if part.key == "fairness" and document["levels"]:
        return _chart(equals_chart(document["levels"]))
    if part.key == "skill":
        return _chart(skill_chart(document["skill"]["scores"]))
    if part.key != "winner" or solution is None or document["environment"]:
        return ""  # the axes of an environment would be attributes, and no words
    return _map(solution)


def _chart(drawn: str) -> str:
    """Put a chart on the page, which has its colours."""
    return tag("figure", inline_svg(drawn), class_="chart")


def _map(solution: Solution[Any]) -> str:
    """Draw the map of a game's values, or its board, unless it is too large or has none."""
    try:
        drawn = map_svg(solution)
    except ZerosumError:
        return ""
    if len(drawn) > LARGEST_PICTURE:
        return ""
    scrolls = _scrolling(inline_svg(drawn), "Map")
    width = re.search(r'viewBox="0 0 (\d+)', drawn)
    small = width and int(width[1]) <= SMALL_PICTURE
    return tag("figure", scrolls, class_="map small" if small else "map")
