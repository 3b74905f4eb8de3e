"""The elements of SVG that the pictures are made of, and their colours."""

import html
from collections.abc import Iterable

from zerosum.pictures.labels import Kind, kind_of
from zerosum.protocol import Value

XMLNS = "http://www.w3.org/2000/svg"
WIDEST = 900
MARGIN = 24
ROOM = WIDEST - 2 * MARGIN
NARROWEST = 420
TITLE, TEXT, SMALL = 16, 12, 11
# The size of signs, and the most plies beside one; more are in a title.
SIGN, MOST_PLIES = 4.5, 999
PLIES_LEGEND = "number beside the sign: moves to the end"
# The widths of letters in ems, in the widest usual sans-serif fonts.
LETTER, NARROW, BROAD = 0.62, 0.38, 0.98

# The style of each class, in light and in dark. A test computes the contrast with the background:
# at least 4.5 for every letter, and 3 for every sign.
STYLES = {
    "paper": ("fill:#ffffff", "fill:#14181e"),
    "ink": ("fill:#1c2430", "fill:#e6eaf0"),
    "soft": ("fill:#586273", "fill:#a3adbb"),
    "rule": ("stroke:#c9d0da", "stroke:#3a434f"),
    "win": ("fill:#dfebf7", "fill:#1d344a"),
    "win-sign": ("fill:#1d5c94;stroke:#1d5c94", "fill:#8cc4f5;stroke:#8cc4f5"),
    "win-text": ("fill:#1a527f", "fill:#a9d2f7"),
    "loss": ("fill:#f8c59d", "fill:#7d4019"),
    "loss-sign": ("fill:none;stroke:#7a2f00", "fill:none;stroke:#ffe0c7"),
    "loss-text": ("fill:#6b2a00", "fill:#ffe6d3"),
    "draw": ("fill:#e7e8ec", "fill:#31363f"),
    "draw-sign": ("fill:none;stroke:#565c69", "fill:none;stroke:#c3c9d4"),
    "draw-text": ("fill:#4a505c", "fill:#cdd3dd"),
    "none": ("fill:#f3f5f8", "fill:#1e242c"),
    "line": ("fill:none;stroke:#586273", "fill:none;stroke:#a3adbb"),
    "mark": ("fill:#1c2430;stroke:#1c2430", "fill:#e6eaf0;stroke:#e6eaf0"),
    "hollow": ("fill:#ffffff;stroke:#1c2430", "fill:#14181e;stroke:#e6eaf0"),
    "warn": ("fill:#ffd24d;stroke:#1c2430", "fill:#ffd24d;stroke:#14181e"),
    "alarm": ("fill:#c3202f;stroke:#ffffff", "fill:#ff5c66;stroke:#14181e"),
    "turn": ("stroke:#1c2430", "stroke:#e6eaf0"),
    "first": ("fill:#e8f0f9", "fill:#1b2c3d"),
    "second": ("fill:#fceadb", "fill:#3b281b"),
    "bar": ("fill:#1d5c94", "fill:#8cc4f5"),
    "bar-second": ("fill:#b4540a", "fill:#ffb27a"),
    "bar-nobody": ("fill:#7d8594", "fill:#7f8897"),
}
LIGHT = {kind: light for kind, (light, _) in STYLES.items()}
DARK = {kind: dark for kind, (_, dark) in STYLES.items()}
FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"


def escape(text: str) -> str:
    """Make any text safe for XML: forbidden characters replaced, reserved ones escaped.

    >>> escape("Tom & <Ada>")
    'Tom &amp; &lt;Ada&gt;'
    """
    fit = "".join(c if c.isprintable() or c in " \n" else "�" for c in text)
    return html.escape(fit, quote=False).replace('"', "&quot;")


def decimal(value: float) -> str:
    """Write a number with two decimals, or fewer if that is exact."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def across(percent: float) -> str:
    """Write a place or a width in a picture that is as wide as its box."""
    return f"{decimal(percent)}%"


def tag(name: str, *inside: str, **attributes: str | float | None) -> str:
    """Write an element; its content is XML already, its attributes text.

    >>> tag("text", "hi", x=1.5, class_="ink", text_anchor="end")
    '<text x="1.5" class="ink" text-anchor="end">hi</text>'
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="'
        f'{escape(value) if isinstance(value, str) else decimal(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if inside:
        return f"<{name}{written}>{''.join(inside)}</{name}>"
    return f"<{name}{written}/>"


def write(
    x: float, y: float, text: str, kind: str = "ink", size: float = TEXT, at: str | None = None
) -> str:
    """Write a line of text; `at` is middle or end if x is not its start."""
    return tag("text", escape(text), x=x, y=y, class_=kind, font_size=size, text_anchor=at)


def text_width(text: str, size: float = TEXT) -> float:
    """Estimate the width of a string in pixels, rather too large."""
    return size * sum(
        NARROW if c in " .,:;'()[]|fijlrt-" else BROAD if c in "mwMW" or c > "⺀" else LETTER
        for c in text
    )


def title_width(title: str) -> float:
    """Return the width of a picture that has room for its title, up to the widest."""
    return min(WIDEST, 2 * MARGIN + text_width(title, TITLE))


def fitted(text: str, width: float, size: float = TEXT) -> str:
    """Shorten a string to a width.

    >>> fitted("short", 50), fitted("not so short", 50)
    ('short', 'not so…')
    """
    if text_width(text, size) <= width:
        return text
    while text and text_width(f"{text}…", size) > width:
        text = text[:-1]
    return f"{text.rstrip()}…" if text else ""


def fold(text: str, width: float, size: float = TEXT) -> list[str]:
    """Break a string between words, into lines of a maximum width."""
    lines: list[str] = []
    for long in text.split():
        word = fitted(long, width, size)
        if lines and text_width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def sign(kind: Kind, x: float, y: float, radius: float = SIGN) -> str:
    """Draw a sign: a disc for a win, a ring for a loss, two bars for a draw, a wave for endless."""
    if kind == "draw":
        wide = decimal(2 * radius * 0.8)
        bars = f"M{decimal(x - radius * 0.8)} {decimal(y - radius * 0.45)}h{wide}"
        bars += f"m-{wide} {decimal(radius * 0.9)}h{wide}"
        return tag("path", d=bars, class_="draw-sign")
    if kind == "endless":
        step = radius * 0.6
        wave = f"M{decimal(x - 2 * step)} {decimal(y)}q{decimal(step)} {decimal(-2 * step)} "
        wave += f"{decimal(2 * step)} 0t{decimal(2 * step)} 0"
        return tag("path", d=wave, class_="draw-sign")
    return tag("circle", cx=x, cy=y, r=radius - thickness(radius) / 2, class_=f"{kind}-sign")


def sign_with_plies(value: Value, x: float, y: float) -> str:
    """Draw the sign of a value with its plies beside it, centred on x."""
    if value.plies is None or value.plies > MOST_PLIES:
        return sign(kind_of(value), x, y)
    word = str(value.plies)
    left = x - (2 * SIGN + 4 + len(word) * 7) / 2
    plies = write(left + 13, y + 4, word, f"{value.result}-text", SMALL)
    return sign(kind_of(value), left + SIGN, y) + plies


def thickness(radius: float = SIGN) -> float:
    """Return the stroke width of signs, for the group around them."""
    return max(1.2, radius * 0.4)


def tile(x: float, y: float, wide: float, high: float, kind: str) -> str:
    """Draw the background of a sign."""
    corner = min(4.0, min(wide, high) / 9)
    return tag("rect", x=x, y=y, width=wide, height=high, rx=corner, class_=kind)


def heading(title: str, about: str, width: float) -> tuple[list[str], float]:
    """Write the title and a line about it; return where they end."""
    parts, y = [], 18.0
    for text, kind, size in ((title, "ink", TITLE), (about, "soft", TEXT)):
        for line in fold(text, width - 2 * MARGIN, size):
            y += 20
            parts.append(write(MARGIN, y, line, kind, size))
    return parts, y


def legend(entries: Iterable[tuple[str, str]], width: float, y: float) -> tuple[list[str], float]:
    """Write what signs mean, each drawn in a square of 18; return where it ends.

    What has no sign is a remark.
    """
    x, y, parts = float(MARGIN), y + 28, []
    for mark, word in entries:
        room = 24 if mark else 0
        if x + room + text_width(word) > width - MARGIN:
            x, y = MARGIN, y + 22
        at = f"translate({decimal(x)} {decimal(y - 13)})"
        drawn = [tag("g", mark, stroke_width=thickness(), transform=at)] if mark else []
        text = write(x + room, y, word, "ink" if mark else "soft")
        parts.append(tag("g", *drawn, text, data_part="key"))
        x += room + text_width(word) + 16
    return parts, y


def picture(width: float, height: float, title: str, about: Iterable[str], body: str) -> str:
    """Assemble a picture, with its text alternative first."""
    return (
        tag(
            "svg",
            tag("title", escape(title)),
            tag("desc", escape("\n".join(about))),
            tag("style", svg_stylesheet()),
            tag("rect", width=width, height=height, rx=8, class_="paper"),
            body,
            xmlns=XMLNS,
            class_="zerosum",
            role="img",
            width=width,
            height=height,
            viewBox=f"0 0 {decimal(width)} {decimal(height)}",
        )
        + "\n"
    )


def wide_picture(
    height: float, kind: str, title: str, about: Iterable[str], parts: Iterable[str]
) -> str:
    """Assemble a picture as wide as its box, for a page with the colours."""
    texts = [tag("title", escape(title)), *(tag("desc", escape(line)) for line in about)]
    named = {"xmlns": XMLNS, "class_": f"zerosum {kind}", "role": "img"}
    return tag("svg", *texts, *parts, **named, width="100%", height=height)


def size_of(drawn: str) -> tuple[float, float]:
    """Return the width and the height of a picture.

    >>> size_of(picture(360, 200, "A", ["a picture"], ""))
    (360.0, 200.0)
    """
    width, height = drawn.split('viewBox="0 0 ', 1)[1].split('"', 1)[0].split()
    return float(width), float(height)


def placed(drawn: str, x: float, y: float) -> str:
    """Put a picture into another one.

    >>> placed(picture(10, 10, "A", ["a picture"], ""), 5, 7)[:19]
    '<svg x="5" y="7" xm'
    """
    return drawn.rstrip().replace("<svg", f'<svg x="{decimal(x)}" y="{decimal(y)}"', 1)


def svg_stylesheet() -> str:
    """Return the colours of all pictures, light and dark, for a style sheet."""
    light = f".zerosum text{{{FONT}}}{_rules(LIGHT)}"
    return f"{light}@media (prefers-color-scheme:dark){{{_rules(DARK)}}}"


def inline_svg(drawn: str) -> str:
    """Remove a picture's colours, for a page with its own style sheet.

    >>> inline_svg(picture(10, 10, "A", ["a picture"], "")).count("style")
    0
    """
    return drawn.replace(tag("style", svg_stylesheet()), "", 1)


def _rules(styles: dict[str, str]) -> str:
    """Write the CSS rules of a colour scheme, for these pictures only."""
    return "".join(f".zerosum .{kind}{{{rule}}}" for kind, rule in styles.items())
