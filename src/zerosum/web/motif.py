"""A small picture of any game, drawn from its rules alone: moves as arcs over a line of numbers."""

from __future__ import annotations

from typing import Any

from zerosum.pictures.svg import number, tag
from zerosum.protocol import Game
from zerosum.states import leaves

WIDTH, HEIGHT, EDGE = 320.0, 132.0, 18.0
MOST_STATES, MOST_ARCS = 300, 110
# Numbers further apart than this do not fit on one line.
WIDEST = 10**9


def motif_of(game: Game[Any]) -> str:
    """Draw a game's moves as SVG: those that lower a number above the line, others below it.

    >>> import zerosum
    >>> motif_of(zerosum.game("even-steven", start=2)).count("<path")
    2
    """
    try:
        arcs = _arcs(game)
    except Exception:  # rules that a user has not finished yet; the card does without a picture
        arcs = []
    return _drawn(arcs) if arcs else ""


def _arcs(game: Game[Any]) -> list[tuple[int, int]]:
    """Walk from the start, and note from which number to which the moves lead."""
    states, arcs = [game.initial()], {}
    seen = set(states)
    for state in states:
        for move in () if game.outcome(state) else game.moves(state)[:20]:
            after = game.play(state, move)
            step = _step(state, after)
            if step is not None:
                arcs[step] = True
            if after not in seen and len(states) < MOST_STATES:
                seen.add(after)
                states.append(after)
        if len(arcs) >= MOST_ARCS:
            break
    ends = [end for arc in arcs for end in arc]
    return [] if not ends or max(ends) - min(ends) > WIDEST else list(arcs)[:MOST_ARCS]


def _step(state: Any, after: Any) -> tuple[int, int] | None:
    """Give the first number of a state that a move changes, before and after."""
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
        path = f"M{number(across(old))} {number(line)}A{number(wide)} {number(rise)} 0 0 0 "
        path += f"{number(across(new))} {number(line)}"
        parts.append(tag("path", d=path, class_="falls" if falls else "rises"))
    radius = max(1.4, min(4.2, step * 0.32))
    parts += [tag("circle", cx=across(place), cy=line, r=radius) for place in places]
    first = arcs[0][0]
    parts.append(tag("circle", cx=across(first), cy=line, r=max(6.0, radius * 1.6), class_="start"))
    return tag(
        "svg",
        *parts,
        class_="motif",
        viewBox=f"0 0 {number(WIDTH)} {number(HEIGHT)}",
        aria_hidden="true",
    )
