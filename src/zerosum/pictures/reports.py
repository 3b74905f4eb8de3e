"""A report as an HTML page, and as one picture."""

from importlib.resources import files
from itertools import chain

from zerosum.pictures import svg
from zerosum.pictures.bars import WIDE, bars_svg, drawn_bars, place, rows_of
from zerosum.reports import FAULTS, Bars, Grid, Picture, Places, Report, Section

# By this line, a page is known that may be replaced.
GENERATOR = '<meta name="generator" content="zerosum audit">'
# A picture up to this width is made to fit a phone; others scroll.
SMALL_PICTURE = 500


def to_html(report: Report, command: str, note: str = "") -> str:
    """Write a report as one page: self-contained, scriptless, light and dark.

    `command` makes the page. A `note` is about the whole page, and stands at its foot.
    """
    style = (files("zerosum.pictures") / "page.css").read_text(encoding="utf-8")
    body = "\n".join(map(_section_html, report.sections))
    about = ""
    if report.about:
        about = svg.tag("p", svg.escape(report.about), class_="about")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
{GENERATOR}
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>{svg.escape(report.title)}</title>
<style>{style}{svg.svg_stylesheet()}</style>
</head>
<body>
<main>
<h1>{svg.escape(report.title)}</h1>
{about}
{body}
<footer><p>{svg.escape(note)}
Made by: <code>{svg.escape(command)}</code></p></footer>
</main>
</body>
</html>
"""


def _section_html(section: Section) -> str:
    """Write a section: sentences and tables, charts beside them, pictures below."""
    told, charts, pictures = [], [], []
    for piece in section.pieces:
        if isinstance(piece, Bars | Places):
            drawn = svg.inline_svg(bars_svg(piece))
            charts.append(svg.tag("figure", drawn, class_="chart"))
        elif isinstance(piece, Picture):
            pictures.append(_picture_html(piece))
        elif isinstance(piece, Grid):
            told.append(_grid_html(piece, section.title))
        else:
            text, style = (piece, "") if isinstance(piece, str) else piece
            kind = f"fault {style}" if style in FAULTS else style or None
            if style != "aside":
                told.append(svg.tag("p", svg.escape(text), class_=kind))
    content = "\n".join(told)
    if charts:
        content = f'<div class="split"><div>{content}</div><div>{"".join(charts)}</div></div>'
    title = svg.tag("h2", svg.escape(section.title)) if section.title else ""
    key = section.key or None
    return svg.tag("section", f"\n{title}\n{content}{''.join(pictures)}\n", id=key, class_=key)


def _grid_html(grid: Grid, title: str) -> str:
    """Write a table, which scrolls if it is too wide."""
    head = "".join(svg.tag("th", svg.escape(column), scope="col") for column in grid.columns)
    rows = "".join(
        svg.tag("tr", *(svg.tag("td", svg.escape(cell) or " ") for cell in row))
        for row in grid.rows
    )
    content = f"<thead><tr>{head}</tr></thead>", f"<tbody>{rows}</tbody>"
    kind = "figures" if grid.figures else None
    return _scrolling(svg.tag("table", *content, class_=kind), title)


def _picture_html(picture: Picture) -> str:
    """Put a picture on the page, which has its colours."""
    if picture.svg is None:
        return ""
    drawn = picture.svg()
    kind = "map small" if svg.size_of(drawn)[0] <= SMALL_PICTURE else "map"
    return svg.tag("figure", _scrolling(svg.inline_svg(drawn), picture.title), class_=kind)


def _scrolling(wide: str, title: str) -> str:
    """Let a part of the page that is too wide scroll, by keys too."""
    return svg.tag("div", wide, class_="wide", tabindex="0", role="region", aria_label=title)


def to_svg(report: Report) -> str:
    """Draw a report as a picture: what it says and draws, one below the other; no tables."""
    width = WIDE
    parts, y = svg.heading(report.title, report.about, width)
    words = [report.about] if report.about else []
    pieces = chain.from_iterable(part.pieces for part in report.sections)
    where = place([p for p in pieces if isinstance(p, Bars | Places)], width, svg.MARGIN)
    for section in report.sections:
        if section.title and not all(isinstance(piece, Grid) for piece in section.pieces):
            y += 26
            parts.append(svg.write(svg.MARGIN, y, section.title))
            words.append(f"{section.title.rstrip('.')}.")
        for piece in section.pieces:
            if isinstance(piece, Bars | Places):
                parts.append(svg.write(svg.MARGIN, y + 26, piece.title))
                drawn, y = drawn_bars(piece, y + 38, width, where)
                parts += drawn
                words += [f"{piece.title}.", *(row.about for row in rows_of(piece))]
            elif isinstance(piece, Picture) and piece.svg is not None:
                inside = svg.inline_svg(piece.svg())
                parts.append(svg.placed(inside, 0, y + 10))
                wide, high = svg.size_of(inside)
                width, y = max(width, wide), y + 10 + high
            elif isinstance(piece, str):
                words.append(piece)
                for line in svg.fold(piece, width - 2 * svg.MARGIN):
                    y += 19
                    parts.append(svg.write(svg.MARGIN, y, line, "soft"))
    return svg.picture(width, y + svg.MARGIN, report.title, words, "\n".join(parts))
