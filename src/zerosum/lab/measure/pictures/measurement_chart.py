"""Measurements in SVG: right moves, mistakes and blunders, and the positions where they begin."""

from __future__ import annotations

from typing import NamedTuple

from zerosum.errors import ZerosumError
from zerosum.lab.measure.decisions import Group
from zerosum.lab.measure.measurement import Measurement
from zerosum.lab.measure.sampling import Figure
from zerosum.lab.measure.scores import Score
from zerosum.lab.measure.sentences import (
    DIFFICULTY,
    band_label,
    error_sentence,
    errors_heading,
    faults_sentence,
    percentage,
    scores_title,
    summary,
)
from zerosum.pictures import svg
from zerosum.wording.words import variant_title

WIDTH, LABEL, FIGURE = 600.0, 82.0, 126.0
LEFT = svg.MARGIN + LABEL
ROOM = WIDTH - LEFT - FIGURE - svg.MARGIN
ROW, BAR = 23.0, 13.0
# The most errors that are written out.
MOST_WRITTEN = 5
# The parts of a bar, in their order, and what they mean.
RIGHT, MISTAKE, BLUNDER = "win-sign", "warn", "alarm"
KEY = {
    RIGHT: "right",
    MISTAKE: "mistake (half a point)",
    BLUNDER: "blunder (a whole point)",
}
SCORE = "mark"
PLIES = "By moves from the start"
SCORES = "against each level, over both seats"


class Row(NamedTuple):
    """A bar of parts with their shares, and what is before and after it; random play is a mark."""

    label: str
    parts: dict[str, float]
    figure: str
    about: str
    random: float | None = None
    interval: Figure | None = None


def measurement_svg(*measurements: Measurement) -> str:
    """Draw measurements, one below the other.

    >>> import zerosum
    >>> from zerosum.lab.measure import measure_player
    >>> drawn = measurement_svg(measure_player(zerosum.game("even-steven"), "medium"))
    >>> "Right in 87.5% of 6 decisions (random play: 50.0%)." in drawn
    True
    """
    if not measurements:
        raise ZerosumError("There is no measurement to draw.")
    drawn, about, top = [], [], 0.0
    for measured in measurements:
        parts, height = _section(measured)
        drawn.append(svg.tag("g", *parts, transform=f"translate(0 {svg.decimal(top)})"))
        about += [f"{_title(measured)}. {_about(measured)}", *_alternative(measured)]
        top += height
    title = _title(measurements[0]) if len(measurements) == 1 else "Players measured"
    return svg.picture(WIDTH, top, title, about, "\n".join(drawn))


def _title(measured: Measurement) -> str:
    """Name the player and the game."""
    return f"{measured.player}: {variant_title(measured.game)}"


def _about(measured: Measurement) -> str:
    """Say how good the decisions are, and how many answers were faulty."""
    return f"{summary(measured)} {faults_sentence(measured)}".strip()


def _alternative(measured: Measurement) -> list[str]:
    """Return the sentences that say what is drawn."""
    lines = []
    for title, rows in _panels(measured):
        lines += [f"{title}.", *(row.about for row in rows)]
    return [*lines, f"{errors_heading(measured)}.", *_errors(measured)]


def _section(measured: Measurement) -> tuple[list[str], float]:
    """Draw a measurement, and return its height."""
    parts, y = svg.heading(_title(measured), _about(measured), WIDTH)
    panels = _panels(measured)
    if measured.decisions:
        more, y = _key([row for _, rows in panels for row in rows], measured.sampled, y)
        parts += more
    for title, rows in panels:
        parts.append(svg.write(svg.MARGIN, y + 26, title))
        y += 38
        for row in rows:
            parts.append(_bar(row, y))
            y += ROW
    parts.append(svg.write(svg.MARGIN, y + 26, errors_heading(measured)))
    y += 30
    for sentence in _errors(measured):
        y += 19
        text = svg.fitted(sentence, WIDTH - 2 * svg.MARGIN)
        parts.append(svg.write(svg.MARGIN, y, text, "soft"))
    return parts, y + svg.MARGIN


def _panels(measured: Measurement) -> list[tuple[str, list[Row]]]:
    """Return the rows by difficulty, by the distance from the start, and of the scores."""
    bands = [_row(band_label(above, up_to), group) for above, up_to, group in measured.difficulty]
    groups = [
        _row(str(first) if first == last else f"{first} to {last}", group)
        for first, last, group in measured.plies
    ]
    scores = [_score(score) for score in measured.scores or ()]
    title = f"{scores_title([measured])} {SCORES}"
    panels = (DIFFICULTY, bands), (PLIES, groups), (title, scores)
    return [(title, rows) for title, rows in panels if rows]


def _score(score: Score) -> Row:
    """Return the row of the scores against a level, with their interval if they are estimates."""
    first, second, both = score.figures
    sure = both.low == both.high
    interval = "" if sure else f" (95% confidence: {both.low:.3f} to {both.high:.3f})"
    seats = f"moving first {first.value:.3f}, moving second {second.value:.3f}"
    about = f"{score.level}: {both.value:.3f}{interval}, {seats}."
    figure = f"{both.value:.3f}"
    return Row(score.level, {SCORE: both.value}, figure, about, interval=None if sure else both)


def _row(label: str, group: Group) -> Row:
    """Return the row of some decisions."""
    good, thrown = group.good, group.thrown
    mistakes = thrown.get("win-draw", 0.0) + thrown.get("draw-loss", 0.0)
    shares = {RIGHT: good.value if good else 0.0, MISTAKE: mistakes}
    shares[BLUNDER] = thrown.get("win-loss", 0.0)
    parts = {kind: share for kind, share in shares.items() if share}
    words = [f"{KEY[kind]} {percentage(share)}" for kind, share in parts.items()]
    words.append(f"random play right {percentage(group.random)}")
    asked = "" if group.asked == group.decisions else f", asked: {group.asked:,}"
    return Row(
        label,
        parts,
        _figure(group),
        f"{label}, decisions: {group.decisions:,}{asked}; {', '.join(words)}.",
        group.random,
        good if good and good.low < good.high else None,
    )


def _figure(group: Group) -> str:
    """Write the share of right decisions, and of how many; in a sample, how many were asked."""
    if group.good is None:
        return f"{group.decisions:,}, none asked"
    share = percentage(group.good.value)
    if group.asked == group.decisions:
        return f"{share} of {group.decisions:,}"
    return f"{share} ({group.asked:,} of {group.decisions:,})"


def _errors(measured: Measurement) -> list[str]:
    """Return the sentences of the first errors."""
    errors = measured.errors[:MOST_WRITTEN]
    return [error_sentence(measured.game, error) for error in errors]


def _bar(row: Row, y: float) -> str:
    """Draw a row, with the interval of an estimate below its bar."""
    parts = [
        svg.tag("title", svg.escape(row.about)),
        svg.write(LEFT - 8, y + 11, row.label, "ink", svg.TEXT, "end"),
        svg.tag("rect", x=LEFT, y=y, width=ROOM, height=BAR, class_="none"),
    ]
    x = LEFT
    for kind, share in row.parts.items():
        wide = share * ROOM
        at = {"x": x, "y": y, "width": wide, "height": BAR}
        parts.append(svg.tag("rect", **at, class_=kind, stroke_width=kind == MISTAKE))
        x += wide
    if row.interval is not None:
        left, right = (LEFT + end * ROOM for end in row.interval[1:])
        parts.append(_interval(left, right, y + BAR + 3))
    if row.random is not None:
        parts.append(_random(LEFT + row.random * ROOM, y))
    parts.append(svg.write(LEFT + ROOM + 10, y + 11, row.figure, "soft"))
    return svg.tag("g", *parts)


def _interval(left: float, right: float, y: float) -> str:
    """Draw a confidence interval as a line with ends."""
    ends = "".join(f"M{svg.decimal(x)} {svg.decimal(y - 2)}v4" for x in (left, right))
    line = f"M{svg.decimal(left)} {svg.decimal(y)}H{svg.decimal(right)}{ends}"
    return svg.tag("path", d=line, class_="line", stroke_width=1.2)


def _random(x: float, y: float) -> str:
    """Draw the mark of random play: a diamond on the upper edge of a bar."""
    d = f"M{svg.decimal(x)} {svg.decimal(y - 5)}l5 5l-5 5l-5 -5z"
    return svg.tag("path", d=d, class_="hollow", stroke_width=1.4)


def _key(rows: list[Row], sampled: bool, y: float) -> tuple[list[str], float]:
    """Write what the parts of bars and the marks mean, and return where that ends."""
    x, y = float(svg.MARGIN), y + 26
    box = {"width": 12.0, "height": 12.0, "stroke_width": 0}
    signs = {
        word: svg.tag("rect", x=0, y=-10, **box, class_=kind)
        for kind, word in KEY.items()
        if any(kind in row.parts for row in rows)
    }
    signs["random play"] = _random(6, -4)
    if any(row.interval for row in rows):
        signs[f"95% confidence{' (asked of all)' * sampled}"] = _interval(0, 12, -4)
    parts = []
    for word, sign in signs.items():
        if x + 18 + svg.text_width(word) > WIDTH - svg.MARGIN:
            x, y = svg.MARGIN, y + 20
        drawn = svg.tag("g", sign, transform=f"translate({svg.decimal(x)} {svg.decimal(y)})")
        parts.append(svg.tag("g", drawn, svg.write(x + 18, y, word), data_part="key"))
        x += 18 + svg.text_width(word) + 10
    return parts, y
