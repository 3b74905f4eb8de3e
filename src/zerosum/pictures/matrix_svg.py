"""Who beats whom, as a picture: a row and a column for each player, a tile for each score."""

from collections.abc import Mapping, Sequence

from zerosum.pictures import svg

# The side of a tile, and the widest name beside one.
TILE, WIDEST_NAME = 34.0, 150.0
# The tile of a score of 0 or 1 is as strong as this; that of ½ has no colour.
STRONGEST = 0.55
# Names above the columns are turned by this many degrees.
SLOPE = 40


def matrix_svg(title: str, names: Sequence[str], scores: Mapping[tuple[str, str], float]) -> str:
    """Draw the score of each player, on the left, against each other one, above.

    >>> drawn = matrix_svg("Who beats whom", ["Ada", "Bob"], {("Ada", "Bob"): 0.75})
    >>> "<title>Ada against Bob: 0.750</title>" in drawn
    True
    """
    widest = max((svg.text_width(name) for name in names), default=0.0)
    left = svg.MARGIN + min(WIDEST_NAME, widest) + 10
    top = svg.MARGIN + 16 + min(WIDEST_NAME, widest) * 0.72
    side = TILE * len(names)
    parts, told = [], []
    for row, player in enumerate(names):
        y = top + TILE * row
        shown = svg.fitted(player, WIDEST_NAME)
        parts.append(svg.write(left - 10, y + TILE / 2 + 4, shown, at="end"))
        x = left + TILE * row
        turned = f"rotate({-SLOPE} {svg.decimal(x + TILE / 2)} {svg.decimal(top - 8)})"
        word = svg.write(x + TILE / 2, top - 8, shown, "soft")
        parts.append(svg.tag("g", word, transform=turned))
        for column, opponent in enumerate(names):
            score = scores.get((player, opponent))
            about = "" if score is None else f"{player} against {opponent}: {score:.3f}"
            told += [about] if about else []
            parts.append(_tile(left + TILE * column, y, score, about))
    width = max(left + side + 0.8 * min(WIDEST_NAME, widest) + svg.MARGIN, svg.title_width(title))
    head = svg.write(svg.MARGIN, svg.MARGIN, title, "soft")
    body = "\n".join([head, *parts])
    return svg.picture(width, top + side + svg.MARGIN, title, told, body)


def _tile(x: float, y: float, score: float | None, about: str) -> str:
    """Draw a score: the further from ½, the stronger; blue if it is won, orange if it is lost."""
    inner = {"x": x + 1, "y": y + 1, "width": TILE - 2, "height": TILE - 2, "rx": 4.0}
    ground = svg.tag("rect", **inner, class_="none")
    if score is None:
        return ground
    kind = "bar" if score > 0.5 else "bar-second"
    strength = svg.decimal(STRONGEST * abs(2 * score - 1))
    colour = svg.tag("rect", **inner, class_=kind, fill_opacity=strength)
    figure = svg.write(
        x + TILE / 2, y + TILE / 2 + 4, two_digits(score), size=svg.SMALL, at="middle"
    )
    return svg.tag("g", svg.tag("title", svg.escape(about)), ground, colour, figure)


def two_digits(score: float) -> str:
    """Write a score from 0 to 1 in little room; only what is 1 or 0 is written so.

    >>> two_digits(0.254), two_digits(1.0), two_digits(0.999), two_digits(0.001)
    ('.25', '1', '>.99', '<.01')
    """
    if score in (0.0, 1.0):
        return f"{score:.0f}"
    rounded = f"{score:.2f}"
    return {"0.00": "<.01", "1.00": ">.99"}.get(rounded, rounded[1:])
