"""The history of one game as a chart: who was winning after each move, and how soon."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zerosum.match import NAMES
from zerosum.pictures.history_text import text_of
from zerosum.pictures.svg import (
    MARGIN,
    SMALL,
    TEXT,
    TITLE,
    WIDEST,
    clean,
    document,
    heading,
    length,
    tag,
    write,
)
from zerosum.pictures.track import BAD, Label, Track, track
from zerosum.pictures.words import cut, tick
from zerosum.protocol import Move, Value

__all__ = ["history_svg", "history_text"]

WIDEST_STEP, NARROWEST_PLOT = 44.0, 320.0
BAND, MIDDLE, PAD, GAP = 112.0, 40.0, 14.0, 3.0
# What a label is drawn as; every other position is a dot.
KINDS: dict[Label, str] = {"best": "mark", "good": "hollow", "mistake": "warn", "blunder": "alarm"}
# Positions nearer to each other than this are marked only where a move was bad.
EVERY_MARK = 6.0


def history_svg(
    values: Sequence[Value],
    moves: Sequence[Move] = (),
    labels: Sequence[Label | None] | None = None,
    names: tuple[str, str] = NAMES,
    movers: Sequence[int] | None = None,
    title: str | None = None,
) -> str:
    """Draw the history of a game as SVG.

    `values` are those of all positions, seen from the first seat, one more than `moves`;
    `labels` are the verdicts of a review on each move, or None; `names` are in the order of the
    seats; `movers` are the seats that moved, where they did not simply take turns.
    Each position is a group with its number in `data-ply`, for a page that lets it be clicked.

    >>> drawn = history_svg([Value("loss", 2), Value("loss", 1), Value("loss", 0)], [1, 1])
    >>> "<title>Move 2, Player 2 plays 1: win for Player 2, the game is over</title>" in drawn
    True
    """
    played = track(values, moves, labels, names, movers, title)
    left = MARGIN + max(length(cut(name)) for name in (*names, "after move")) + 14
    plot = WIDEST - MARGIN - left
    step = min(WIDEST_STEP, (plot - 2 * PAD) / max(1, len(moves)))
    plot = max(min(plot, len(moves) * step + 2 * PAD), NARROWEST_PLOT)
    width = max(left + plot + MARGIN, min(WIDEST, 2 * MARGIN + length(played.title, TITLE)))
    head, top = _head(played, width, step)
    at = [left + PAD + step * ply for ply in range(len(values))]
    parts = [*head, *_bands(played, left, top, width - MARGIN - left)]
    parts += _turn(played, at, top, width)
    heights = [top + _height(played, ply) for ply in range(len(values))]
    spots = zip(at, heights, strict=True)
    line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
    parts.append(tag("path", d=line, class_="line", stroke_width=1.8, stroke_linejoin="round"))
    parts += _points(played, at, heights, top, step)
    low = top + 2 * BAND + MIDDLE + 2 * GAP
    axis, low = _axis(played, at, low, step)
    return document(width, low + MARGIN, played.title, played.sentences(), "\n".join(parts + axis))


def history_text(
    values: Sequence[Value],
    moves: Sequence[Move] = (),
    labels: Sequence[Label | None] | None = None,
    names: tuple[str, str] = NAMES,
    movers: Sequence[int] | None = None,
    title: str | None = None,
    width: int = 80,
    plain: bool = False,
) -> str:
    """Draw the history of a game in characters, or with `plain` as sentences, one a line.

    >>> values = [Value("loss", 2), Value("loss", 1), Value("loss", 0)]
    >>> print(history_text(values, [1, 1], names=("Ada", "Bob"), plain=True))
    Ada against Bob: the values, move by move
    Start: win for Bob in 2.
    Move 1, Ada plays 1: win for Bob in 1.
    Move 2, Bob plays 1: win for Bob, the game is over.
    No move changed the result.
    """
    played = track(values, moves, labels, names, movers, title)
    if not plain:
        return text_of(played, width)
    lines = [played.title, *(f"{played.position(at)}." for at in range(len(values)))]
    if played.turn:
        lines.append(f"The turning point is move {played.turn}.")
    elif moves:
        lines.append("No move changed the result.")
    return "\n".join(lines)


def _head(played: Track, width: float, step: float) -> tuple[list[str], float]:
    """Write the title and the legend; and say where they end."""
    about = "Closer to the edge = ends sooner."
    shown = played.legend
    if step < EVERY_MARK and any(played.labels):
        about += " Only mistakes and blunders are marked."
        shown = {label: word for label, word in shown.items() if label in BAD}
    parts, y = heading(played.title, about, width)
    x, y = MARGIN + 6.0, y + 28
    for label, word in shown.items():
        if x + 14 + length(word) > width - MARGIN:
            x, y = MARGIN + 6.0, y + 22
        parts += [marker(label, x, y - 4, 5.5), write(x + 13, y, word)]
        x += 13 + length(word) + 22
    return parts, y + (40 if played.turn else 18) - (0 if shown else 20)


def marker(label: Label | None, x: float, y: float, radius: float) -> str:
    """Draw the mark of a label: disc, ring, triangle, or a square with a cross; else a dot."""
    kind = KINDS.get(label, "mark") if label else "mark"
    if label == "mistake":
        r = radius * 1.25
        d = f"M{x:.1f} {y - r:.1f}l{r:.1f} {r * 1.75:.1f}h{-2 * r:.1f}z"
        return tag("path", d=d, class_=kind, stroke_width=1.4, stroke_linejoin="round")
    if label == "blunder":
        r, c = radius * 1.1, radius * 0.5
        square = tag("rect", x=x - r, y=y - r, width=2 * r, height=2 * r, rx=2, class_=kind)
        cross = f"M{x - c:.1f} {y - c:.1f}l{2 * c:.1f} {2 * c:.1f}m0 {-2 * c:.1f}"
        cross += f"l{-2 * c:.1f} {2 * c:.1f}"
        return square + tag("path", d=cross, class_=kind, stroke_width=1.8, stroke_linecap="round")
    radius = radius if label in KINDS else radius * 0.6
    return tag("circle", cx=x, cy=y, r=radius * 0.9, class_=kind, stroke_width=1.6)


def _height(played: Track, ply: int) -> float:
    """Find how far below the top a position is drawn."""
    result, inner = played.values[ply].result, BAND - 2 * PAD
    if result == "draw":
        return BAND + GAP + MIDDLE / 2
    late = (1 - played.nearness(ply)) * inner + PAD
    return late if result == "win" else 2 * BAND + MIDDLE + 2 * GAP - late


def _bands(played: Track, left: float, top: float, plot: float) -> Iterator[str]:
    """Draw the three bands with what they mean at their left."""
    first, second = (cut(name) for name in played.names)
    below = top + BAND + MIDDLE + 2 * GAP
    bands = (
        ("first", top, BAND, (first, "wins")),
        ("draw", top + BAND + GAP, MIDDLE, ("draw",)),
        ("second", below, BAND, (second, "wins")),
    )
    for kind, y, high, words in bands:
        yield tag("rect", x=left, y=y, width=plot, height=high, rx=4, class_=kind)
        for at, word in enumerate(words):
            line = y + high / 2 + 4 + (at - (len(words) - 1) / 2) * 17
            yield write(left - 12, line, word, "ink" if not at else "soft", at="end")


def _turn(played: Track, at: list[float], top: float, width: float) -> Iterator[str]:
    """Mark the turning point with a line through all bands and a word above them."""
    if not played.turn:
        return
    x, high = at[played.turn], 2 * BAND + MIDDLE + 2 * GAP
    words = f"turning point: move {played.turn}"
    half = length(words) / 2
    middle = min(max(x, MARGIN + half), width - MARGIN - half)
    yield write(middle, top - 10, words, at="middle")
    d = f"M{x:.1f} {top - 5:.1f}v{high + 5:.1f}"
    yield tag("path", d=d, class_="turn", stroke_width=1.4, stroke_dasharray="3 4")


def _points(
    played: Track, at: list[float], heights: list[float], top: float, step: float
) -> Iterator[str]:
    """Draw every position: where it can be pointed at, and its mark if there is room for it."""
    radius = 5.5 if step >= 15 else 4.0 if step >= 9 else 3.2
    high = 2 * BAND + MIDDLE + 2 * GAP
    for ply, (x, y) in enumerate(zip(at, heights, strict=True)):
        label = played.labels[ply - 1] if ply else None
        bad = label in BAD
        mark = marker(label, x, y, max(radius, 4.5) if bad else radius)
        yield tag(
            "g",
            tag("title", clean(played.position(ply))),
            tag("rect", x=x - step / 2, y=top, width=step, height=high, fill_opacity=0),
            mark if bad or step >= EVERY_MARK or not ply else "",
            data_ply=str(ply),
        )


def _axis(played: Track, at: list[float], y: float, step: float) -> tuple[list[str], float]:
    """Write the numbers of the positions, and the moves where there is room for them all."""
    left = at[0] - PAD - 12
    widest = length(str(len(at) - 1), SMALL) + 6
    every = next((n for n in (1, 2, 5, 10, 20, 50, 100) if n * step >= widest), 200)
    parts = [write(left, y + 18, "after move", "soft", SMALL, "end")]
    parts += [
        write(at[ply], y + 18, str(ply), "soft", SMALL, "middle")
        for ply in range(0, len(at), every)
    ]
    said = [tick(move) for move in played.moves]
    if not said or max(length(word, TEXT) for word in said) + 4 > step:
        return parts, y + 18
    parts.append(write(left, y + 38, "played", "soft", SMALL, "end"))
    parts += [write(x, y + 38, word, at="middle") for x, word in zip(at[1:], said, strict=True)]
    return parts, y + 38
