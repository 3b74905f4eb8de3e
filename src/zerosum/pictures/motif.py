"""A small picture of any game, drawn from its rules: moves as arcs over a number line."""

from __future__ import annotations

from typing import Any

from zerosum.pictures.svg import decimal, tag
from zerosum.protocol import Game
from zerosum.states import leaves, walk

WIDTH, HEIGHT, EDGE = 320.0, 132.0, 18.0
MOST_STATES, MOST_ARCS = 300, 110
# Numbers further apart than this do not fit on a line.
WIDEST = 10**9


def motif_of(game: Game[Any]) -> str:
    """Draw a game's moves as SVG: those that lower a number above the line, others below.

    >>> import zerosum
    >>> motif_of(zerosum.game("even-steven", start=2)).count("<path")
    2
    """
    try:
        arcs = _arcs(game)
    except Exception:  # unfinished rules; the card has no picture then
        arcs = []
    return _drawn(arcs) if arcs else ""


def _arcs(game: Game[Any]) -> list[tuple[int, int]]:
    """Search from the start, and collect the changes of number that moves make."""
    arcs: dict[tuple[int, int], None] = {}

    def after(state: Any) -> list[Any]:
        states = [game.play(state, move) for move in game.moves(state)[:20]]
        arcs.update(dict.fromkeys(filter(None, (_step(state, then) for then in states))))
        return states

    for _ in walk(game, limit=MOST_STATES, after=after):
        if len(arcs) >= MOST_ARCS:
            break
    ends = [end for arc in arcs for end in arc]
    return [] if not ends or max(ends) - min(ends) > WIDEST else list(arcs)[:MOST_ARCS]


def _step(state: Any, after: Any) -> tuple[int, int] | None:
    """Return the first number that a move changes, before and after."""
    then = dict(leaves(after))
    for name, old in leaves(state):
        new = then.get(name)
        if name != "player" and old != new and isinstance(old, int) and isinstance(new, int):
            return old, new
    return None


def _drawn(arcs: list[tuple[int, int]]) -> str:
    """Draw the arcs over the line, and a dot for each number."""
    places = sorted({end for arc in arcs for end in arc})
    low, high = places[0], places[-1]
    step = (WIDTH - 2 * EDGE) / (high - low)
    longest = [max((abs(a - b) for a, b in arcs if (a > b) == down), default=0) for down in (1, 0)]
    room, whole = HEIGHT - 2 * EDGE, longest[0] + longest[1]
    tall = [min(room * part / whole, part * step * 1.1) for part in longest]
    line = (HEIGHT + tall[0] - tall[1]) / 2

    def across(place: int) -> float:
        return EDGE + (place - low) * step

    parts = []
    for old, new in sorted(arcs, key=lambda arc: -abs(arc[0] - arc[1])):
        falls = old > new
        rise = max(3.0, tall[not falls] * abs(old - new) / max(1, longest[not falls]))
        wide = abs(old - new) * step / 2
        # From the old number to the new one, above the line for a fall, below it for a rise.
        path = f"M{decimal(across(old))} {decimal(line)}A{decimal(wide)} {decimal(rise)} 0 0 0 "
        path += f"{decimal(across(new))} {decimal(line)}"
        parts.append(tag("path", d=path, class_="falls" if falls else "rises"))
    radius = max(1.4, min(4.2, step * 0.32))
    parts += [tag("circle", cx=across(place), cy=line, r=radius) for place in places]
    first = arcs[0][0]
    parts.append(tag("circle", cx=across(first), cy=line, r=max(6.0, radius * 1.6), class_="start"))
    return tag(
        "svg",
        *parts,
        class_="motif",
        viewBox=f"0 0 {decimal(WIDTH)} {decimal(HEIGHT)}",
        aria_hidden="true",
    )
