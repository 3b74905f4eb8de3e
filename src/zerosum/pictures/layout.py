"""A map of values before it is drawn: the axes, the panels, and the value of each cell."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeVar

from zerosum.errors import OptionError, ZerosumError
from zerosum.pictures.positions import (
    GRID,
    NAMELESS,
    SMALL_GRID,
    STRIP,
    Positions,
    Ranges,
    positions_of,
)
from zerosum.pictures.words import (
    WORDS,
    Kind,
    full,
    is_long,
    kind_of,
    kinds_of,
    listed,
    order,
    variant_title,
)
from zerosum.protocol import Value
from zerosum.solver.solution import Solution
from zerosum.states import Leaf
from zerosum.text import brief, either, plain_name
from zerosum.wording import spoken

T = TypeVar("T")
PANELS = 12
# What is said of positions, in the order in which it is said.
SAID: dict[Kind, str] = {"loss": "lost", "draw": "drawn", "endless": "endless", "win": "won"}


class Axis(NamedTuple):
    """A field of the state, and its places: numbers in rising order, then texts."""

    name: str
    places: tuple[Leaf, ...]

    def offset(self, a_row: int) -> int:
        """Tell how far into a row a strip begins, so that rows begin at round numbers."""
        first, last = self.places[0], self.places[-1]
        if not isinstance(first, int) or not isinstance(last, int):
            return 0
        if last - first != len(self.places) - 1:
            return 0
        begin = first % a_row
        return begin if begin + len(self.places) > a_row or not first // a_row else 0


class Panel(NamedTuple):
    """One grid: the places of the fields that are no axis, and its cells by across and down.

    `states` has the state that each cell stands for; where both seats share it, the first one's.
    """

    fixed: tuple[tuple[str, Leaf], ...]
    cells: dict[tuple[Leaf, Leaf], Value]
    states: dict[tuple[Leaf, Leaf], Any]

    @property
    def label(self) -> str:
        """The heading of the panel."""
        return ", ".join(f"{name} {full(place)}" for name, place in self.fixed)


class Map(NamedTuple):
    """A map of a game's values; without `down` it is a strip, and its cells have None there."""

    title: str
    whose: str
    across: Axis
    down: Axis | None
    panels: tuple[Panel, ...]
    notes: tuple[str, ...]
    missing: str

    def cell_title(self, panel: Panel, across: Leaf, down: Leaf) -> str:
        """Say a cell: where it is, and its value."""
        value = spoken(panel.cells[across, down])
        if self.down is None:
            return f"{full(across)}: {value}"
        at = [f"{self.across.name} {full(across)}", f"{self.down.name} {full(down)}"]
        return ", ".join([*at, *([panel.label] if panel.label else [])]) + f": {value}"

    def cell_state(self, panel: Panel, across: Leaf, down: Leaf) -> str:
        """Write the state of a cell as JSON."""
        return json.dumps(panel.states[across, down], separators=(",", ":"))

    @property
    def kinds(self) -> list[Kind]:
        """What occurs among the values of all cells."""
        return kinds_of(value for panel in self.panels for value in panel.cells.values())

    @property
    def gaps(self) -> bool:
        """Whether any cell has no value."""
        size = len(self.across.places) * (len(self.down.places) if self.down else 1)
        return any(len(panel.cells) < size for panel in self.panels)

    @property
    def abridged(self) -> list[str]:
        """What is to be said of places that are not written in full along the axes."""
        axes = [axis for axis in (self.across, self.down) if axis]
        long = {type(place) for axis in axes for place in axis.places if is_long(place)}
        said = ["Long numbers are written as … and their last four digits."] if int in long else []
        return [*said, "A text that ends in … is cut short."] if str in long else said

    def sentences(self, full_rows: bool = True) -> list[str]:
        """Say what is lost, drawn, endless and won, a sentence for each row or panel."""
        if self.down is None:
            return [
                f"{said.capitalize()} for the player to move: {self.across.name} {where}."
                for kind, said in SAID.items()
                if (where := self._where(self.panels[0], kind, None))
            ]
        if self.panels[0].fixed and not full_rows:
            return [f"{panel.label}: {_counts(panel)}." for panel in self.panels]
        sentences = []
        for panel in self.panels:
            for down in self.down.places:
                parts = [
                    f"{said} at {self.across.name} {where}"
                    for kind, said in SAID.items()
                    if (where := self._where(panel, kind, down))
                ]
                row = f"{panel.label}, " if panel.label else ""
                row += f"{self.down.name} {full(down)}: "
                sentences += [row + "; ".join(parts) + "."] if parts else []
        return sentences

    def _where(self, panel: Panel, kind: Kind, down: Leaf) -> str:
        """List the places across with values of one kind."""
        cells = panel.cells
        return listed([x for (x, y), v in cells.items() if y == down and kind_of(v) == kind])


def lay_out(solution: Solution[Any], ranges: Ranges | None = None, seat: int | None = None) -> Map:
    """Lay a map out; without a seat, for both where their values are the same, else for seat 0."""
    ranges = ranges or {}
    positions = positions_of(solution, ranges)
    for name, (low, high) in ranges.items():
        if name not in positions.columns:
            there = either(list(positions.columns) or ["none at all"])
            raise OptionError("ranges", f"'{brief(name)}' is not a field; choose {there}")
        if low > high:
            raise OptionError("ranges", f"{name} has no numbers from {full(low)} to {full(high)}")
    if seat not in (None, 0, 1):
        raise OptionError("seat", "must be 0 or 1")
    title = variant_title(solution.game)
    made = _lay_out(positions, ranges, seat, title) or _lay_out(positions, ranges, 0, title)
    if made is None:
        raise ZerosumError("There is no position to draw in that range for that seat.")
    return made


def _lay_out(positions: Positions, ranges: Ranges, seat: int | None, title: str) -> Map | None:
    """Choose axes and panels and fill the cells; None where there are none, or seats differ."""
    columns = positions.columns
    states = enumerate(positions.states)
    keep = [at for at, state in states if seat is None or state.player == seat]
    for name, (low, high) in ranges.items():
        column = columns[name]
        keep = [at for at in keep if isinstance(place := column[at], int) and low <= place <= high]
    if not keep:
        return None
    there = {
        name: sorted({column[at] for at in keep}, key=order) for name, column in columns.items()
    }
    varying = [name for name, places in there.items() if len(places) > 1] or list(there)[:1]
    axes = _axes(there, varying)
    limits = {1: (STRIP,), 2: (GRID, GRID)}.get(len(varying), SMALL_GRID)
    for name, limit in zip(axes, limits, strict=False):
        near = set(_nearest(there[name], limit))
        if len(near) < len(there[name]):
            keep = [at for at in keep if columns[name][at] in near]
    apart = [name for name in varying if name not in axes]
    filled = _fill(positions, keep, axes, apart, seat)
    if filled is None:
        return None
    shown, notes = _chosen(*filled)
    used = [key for panel in shown for key in panel.cells]
    across = _axis(axes[0] if axes else NAMELESS, (x for x, _ in used))
    down = _axis(axes[1], (y for _, y in used)) if len(axes) > 1 else None
    cropped = [
        f"Shown: {axis.name} {_span(axis.places)}"
        + ("." if positions.note else f" of {_span(there[name])}.")
        for name, axis, limit in zip(axes, (across, down), limits, strict=False)
        if axis and len(there[name]) > limit
    ]
    notes = cropped + notes
    notes += [
        f"{plain_name(name)} is {full(there[name][0])} throughout."
        for name in there
        if name not in varying
    ]
    notes += [positions.note] if positions.note else []
    missing = "not reachable" if positions.whole else "not checked"
    whose = "either player" if seat is None else f"Player {seat + 1}"
    whose = f"Values for the player to move ({whose}), with best play."
    return Map(f"{title}: map of values", whose, across, down, shown, tuple(notes), missing)


def _axes(there: dict[str, list[Leaf]], varying: list[str]) -> list[str]:
    """Choose the fields with most places, across and down; in their order if about as long."""
    axes = sorted(varying, key=lambda name: -len(there[name]))[:2]
    in_order = sorted(axes, key=varying.index)
    lengths = [len(there[name]) for name in in_order]
    return in_order if not axes or lengths[0] * 5 >= lengths[-1] * 4 else axes


def _fill(
    positions: Positions, keep: list[int], axes: list[str], apart: list[str], seat: int | None
) -> tuple[list[Panel], int] | None:
    """Put positions into cells, of a few panels where there are many; None where seats differ."""
    columns = positions.columns
    keys = list(zip(*([columns[name][at] for at in keep] for name in apart), strict=True))
    keys = keys or [()] * len(keep)
    there = sorted(set(keys), key=lambda key: [order(place) for place in key])
    names = [plain_name(name) for name in apart]
    panels = {
        key: Panel(tuple(zip(names, key, strict=True)), {}, {})
        for key in _evenly(there, 4 * PANELS)
    }
    shared = False
    for at, key in zip(keep, keys, strict=True):
        if key not in panels:
            continue
        _, cells, states = panels[key]
        across, down = [*(columns[name][at] for name in axes), None, None][:2]
        value = positions.value(at)
        if (across, down) in cells:
            shared = True
            if cells[across, down] != value:
                return None
        cells[across, down] = value
        if (across, down) not in states or positions.states[at].player == 0:
            states[across, down] = positions.states[at]
    if seat is None and not shared:
        return None
    return list(panels.values()), len(there)


def _chosen(panels: list[Panel], count: int) -> tuple[tuple[Panel, ...], list[str]]:
    """Choose the panels to show: where the game goes on, and evenly among those."""
    going = [p for p in panels if any(v.plies != 0 for v in p.cells.values())] or panels
    over = len(panels) - len(going)
    if len(going) > PANELS or len(panels) < count:
        return tuple(_evenly(going, PANELS)), [f"Shown: {PANELS} of {count} panels, evenly chosen."]
    if over:
        return tuple(going), [f"Left out: {over} of {count} panels, in which the game is over."]
    return tuple(going), []


def _evenly(things: list[T], most: int) -> list[T]:
    """Choose evenly, with the first and the last among the chosen."""
    if len(things) <= most:
        return things
    return [things[at * (len(things) - 1) // (most - 1)] for at in range(most)]


def _nearest(places: list[Leaf], limit: int) -> list[Leaf]:
    """Choose the numbers nearest to zero; below it they count as four times as far.

    Anything that is not a number comes before them, texts in their order.
    """

    def far(place: Leaf) -> int:
        if not isinstance(place, int):
            return -1
        return place if place >= 0 else -4 * place

    return sorted(places, key=far)[:limit]


def _axis(name: str, places: Iterable[Leaf]) -> Axis:
    """Make an axis; small gaps between its numbers stay visible as gaps."""
    there = sorted(set(places), key=order)
    numbers = [place for place in there if isinstance(place, int)]
    if numbers and numbers[-1] - numbers[0] < 2 * len(numbers):
        there = sorted({*there, *range(numbers[0], numbers[-1] + 1)}, key=order)
    return Axis(plain_name(name), tuple(there))


def _span(places: Iterable[Leaf]) -> str:
    """Say from where to where an axis goes."""
    there: list[Leaf] = [place for place in places if place is not None] or [None]
    return f"{full(there[0])} to {full(there[-1])}"


def _counts(panel: Panel) -> str:
    """Count the results of a panel."""
    kinds = [kind_of(value) for value in panel.cells.values()]
    return ", ".join(f"{kinds.count(kind)} {SAID[kind]}" for kind in WORDS if kind in kinds)
