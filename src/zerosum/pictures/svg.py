"""The few words of SVG that the pictures are written in, and the colours they share."""

from __future__ import annotations

from collections.abc import Iterable

from zerosum.pictures.words import WORDS, Kind, kind_of
from zerosum.protocol import Value

WIDEST = 900
MARGIN = 24
ROOM = WIDEST - 2 * MARGIN
NARROWEST = 420
TITLE, TEXT, SMALL = 16, 12, 11
# The size of signs, and the most plies that have room beside one; more are in a title.
SIGN, MOST_PLIES = 4.5, 999
PLIES = "number beside the sign: moves to the end"
# The widths of letters in ems, in the widest of the usual sans-serif fonts.
LETTER, NARROW, BROAD = 0.62, 0.38, 0.98

# What each class looks like, in light and in dark; every letter has a contrast of 4.5 or more on
# what it stands on, and every sign of 3 or more (a test computes it).
LIGHT = {
    "paper": "fill:#ffffff",
    "ink": "fill:#1c2430",
    "soft": "fill:#586273",
    "rule": "stroke:#c9d0da",
    "win": "fill:#dfebf7",
    "win-sign": "fill:#1d5c94;stroke:#1d5c94",
    "win-text": "fill:#1a527f",
    "loss": "fill:#f8c59d",
    "loss-sign": "fill:none;stroke:#7a2f00",
    "loss-text": "fill:#6b2a00",
    "draw": "fill:#e7e8ec",
    "draw-sign": "fill:none;stroke:#565c69",
    "draw-text": "fill:#4a505c",
    "none": "fill:#f3f5f8",
    "line": "fill:none;stroke:#586273",
    "mark": "fill:#1c2430;stroke:#1c2430",
    "hollow": "fill:#ffffff;stroke:#1c2430",
    "warn": "fill:#ffd24d;stroke:#1c2430",
    "alarm": "fill:#c3202f;stroke:#ffffff",
    "turn": "stroke:#1c2430",
    "first": "fill:#e8f0f9",
    "second": "fill:#fceadb",
}
DARK = {
    "paper": "fill:#14181e",
    "ink": "fill:#e6eaf0",
    "soft": "fill:#a3adbb",
    "rule": "stroke:#3a434f",
    "win": "fill:#1d344a",
    "win-sign": "fill:#8cc4f5;stroke:#8cc4f5",
    "win-text": "fill:#a9d2f7",
    "loss": "fill:#7d4019",
    "loss-sign": "fill:none;stroke:#ffe0c7",
    "loss-text": "fill:#ffe6d3",
    "draw": "fill:#31363f",
    "draw-sign": "fill:none;stroke:#c3c9d4",
    "draw-text": "fill:#cdd3dd",
    "none": "fill:#1e242c",
    "line": "fill:none;stroke:#a3adbb",
    "mark": "fill:#e6eaf0;stroke:#e6eaf0",
    "hollow": "fill:#14181e;stroke:#e6eaf0",
    "warn": "fill:#ffd24d;stroke:#14181e",
    "alarm": "fill:#ff5c66;stroke:#14181e",
    "turn": "stroke:#e6eaf0",
    "first": "fill:#1b2c3d",
    "second": "fill:#3b281b",
}
FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"


def clean(text: str) -> str:
    """Make any text fit for XML: what it forbids is replaced, what it reserves is escaped.

    >>> clean("Tom & <Ada>")
    'Tom &amp; &lt;Ada&gt;'
    """
    fit = "".join(c if c.isprintable() or c in " \n" else "�" for c in text)
    for sign, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        fit = fit.replace(sign, name)
    return fit


def number(value: float) -> str:
    """Write a length: two decimals, and no more than it needs."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def tag(name: str, *inside: str, **attributes: str | float | None) -> str:
    """Write an element; what is inside is XML already, what is an attribute is not.

    >>> tag("text", "hi", x=1.5, class_="ink", text_anchor="end")
    '<text x="1.5" class="ink" text-anchor="end">hi</text>'
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="'
        f'{clean(value) if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{given}>{''.join(inside)}</{name}>" if inside else f"<{name}{given}/>"


def write(
    x: float, y: float, text: str, kind: str = "ink", size: float = TEXT, at: str | None = None
) -> str:
    """Write a line of text; `at` is middle or end where x is not its beginning."""
    return tag("text", clean(text), x=x, y=y, class_=kind, font_size=size, text_anchor=at)


def length(text: str, size: float = TEXT) -> float:
    """Estimate how wide a text is; rather too much than too little."""
    return size * sum(
        NARROW if c in " .,:;'()[]|fijlrt-" else BROAD if c in "mwMW" or c > "⺀" else LETTER
        for c in text
    )


def fitted(text: str, width: float, size: float = TEXT) -> str:
    """Cut a text short where it has no room.

    >>> fitted("short", 50), fitted("not so short", 50)
    ('short', 'not so…')
    """
    if length(text, size) <= width:
        return text
    while text and length(f"{text}…", size) > width:
        text = text[:-1]
    return f"{text.rstrip()}…" if text else ""


def fold(text: str, width: float, size: float = TEXT) -> list[str]:
    """Break a text into lines of at most a width, between words."""
    lines: list[str] = []
    for long in text.split():
        word = fitted(long, width, size)
        if lines and length(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def sign(kind: Kind, x: float, y: float, radius: float = SIGN) -> str:
    """Draw a sign: a disc for a win, a ring for a loss, two bars for a draw, a wave for endless."""
    if kind == "draw":
        wide = number(2 * radius * 0.8)
        bars = f"M{number(x - radius * 0.8)} {number(y - radius * 0.45)}h{wide}"
        bars += f"m-{wide} {number(radius * 0.9)}h{wide}"
        return tag("path", d=bars, class_="draw-sign")
    if kind == "endless":
        step = radius * 0.6
        wave = f"M{number(x - 2 * step)} {number(y)}q{number(step)} {number(-2 * step)} "
        wave += f"{number(2 * step)} 0t{number(2 * step)} 0"
        return tag("path", d=wave, class_="draw-sign")
    return tag("circle", cx=x, cy=y, r=radius - thickness(radius) / 2, class_=f"{kind}-sign")


def sign_with_plies(value: Value, x: float, y: float) -> str:
    """Draw the sign of a value with its plies beside it, in the middle of x."""
    if value.plies is None or value.plies > MOST_PLIES:
        return sign(kind_of(value), x, y)
    word = str(value.plies)
    left = x - (2 * SIGN + 4 + len(word) * 7) / 2
    plies = write(left + 13, y + 4, word, f"{value.result}-text", SMALL)
    return sign(kind_of(value), left + SIGN, y) + plies


def thickness(radius: float = SIGN) -> float:
    """Give the width of the lines of signs; the group around them has it."""
    return max(1.2, radius * 0.4)


def tile(x: float, y: float, wide: float, high: float, kind: str) -> str:
    """Draw the ground that a sign stands on."""
    corner = min(4.0, min(wide, high) / 9)
    if corner < 2:  # no one sees it, and there may be thousands of them
        d = f"M{number(x)} {number(y)}h{number(wide)}v{number(high)}h{number(-wide)}z"
        return tag("path", d=d, class_=kind)
    return tag("rect", x=x, y=y, width=wide, height=high, rx=corner, class_=kind)


def heading(title: str, about: str, width: float) -> tuple[list[str], float]:
    """Write the title, and below it what the picture shows; and say where they end."""
    parts, y = [], 18.0
    for text, kind, size in ((title, "ink", TITLE), (about, "soft", TEXT)):
        for line in fold(text, width - 2 * MARGIN, size):
            y += 20
            parts.append(write(MARGIN, y, line, kind, size))
    return parts, y


def legend(
    kinds: Iterable[Kind], width: float, y: float, gaps: str = "", about: str = ""
) -> tuple[list[str], float]:
    """Write what the signs mean, what gaps are, and a remark; and say where they end."""
    x, y = float(MARGIN), y + 28
    parts = []
    signs = [(kind, WORDS[kind], sign(kind, 9, 9)) for kind in kinds]
    for kind, word, mark in [*signs, *([("none", gaps, "")] if gaps else [])]:
        if x + 25 + length(word) > width - MARGIN:
            x, y = MARGIN, y + 24
        ground = tile(0, 0, 18, 18, "draw" if kind == "endless" else kind)
        at = f"translate({number(x)} {number(y - 13)})"
        parts.append(tag("g", ground, mark, stroke_width=thickness(), transform=at))
        parts.append(write(x + 25, y, word))
        x += 25 + length(word) + 16
    if about:
        if x + length(about) > width - MARGIN:
            x, y = MARGIN, y + 22
        parts.append(write(x, y, about, "soft"))
    return parts, y + 22


def document(width: float, height: float, title: str, about: Iterable[str], body: str) -> str:
    """Put a picture together, with its text alternative in front."""
    return (
        tag(
            "svg",
            tag("title", clean(title)),
            tag("desc", clean("\n".join(about))),
            tag("style", stylesheet()),
            tag("rect", width=width, height=height, rx=8, class_="paper"),
            body,
            xmlns="http://www.w3.org/2000/svg",
            class_="zerosum",
            role="img",
            width=width,
            height=height,
            viewBox=f"0 0 {number(width)} {number(height)}",
        )
        + "\n"
    )


def stylesheet() -> str:
    """Give the colours of all pictures, in light and in dark, for a page's own style sheet."""
    light = f".zerosum text{{{FONT}}}{_rules(LIGHT)}"
    return f"{light}@media (prefers-color-scheme:dark){{{_rules(DARK)}}}"


def inline(drawn: str) -> str:
    """Take the colours out of a picture, for a page that has them and allows no style inside.

    >>> inline(document(10, 10, "A", ["a picture"], "")).count("style")
    0
    """
    return drawn.replace(tag("style", stylesheet()), "", 1)


def _rules(look: dict[str, str]) -> str:
    """Write the rules of one look; they hold inside our own pictures only."""
    return "".join(f".zerosum .{kind}{{{rule}}}" for kind, rule in look.items())
