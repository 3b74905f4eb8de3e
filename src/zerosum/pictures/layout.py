"""A map of values before it is drawn: the axes, the panels, and the value of each cell."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeVar

from zerosum.game import OptionError, Value, ZerosumError
from zerosum.pictures.positions import GRID, SMALL_GRID, STRIP, Positions, Ranges, positions_of
from zerosum.pictures.words import Place, full, is_long, named, order, plain_name, runs, say
from zerosum.solve.solution import Solution

T = TypeVar("T")
PANELS = 12
RESULTS = ("win", "loss", "draw")
WORD = {"win": "won", "loss": "lost", "draw": "endless"}
NAMELESS = "position"


class Axis(NamedTuple):
    """A field of the state, and its numbers in rising order."""

    name: str
    places: tuple[Place, ...]

    def offset(self, a_row: int) -> int:
        """Tell how far into a row a strip begins, so that rows begin at round numbers."""
        first, last = self.places[0], self.places[-1]
        if first is None or last is None or last - first != len(self.places) - 1:
            return 0
        begin = first % a_row
        return begin if begin + len(self.places) > a_row or not first // a_row else 0


class Panel(NamedTuple):
    """One grid: the numbers of the fields that are no axis, and its cells by across and down.

    `states` has the state that each cell stands for.
    """

    fixed: tuple[tuple[str, Place], ...]
    cells: dict[tuple[Place, Place], Value]
    states: dict[tuple[Place, Place], list[Any]]

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

    def cell_title(self, panel: Panel, across: Place, down: Place) -> str:
        """Say a cell: its numbers and its value."""
        value = say(panel.cells[across, down])
        if self.down is None:
            return f"{full(across)}: {value}"
        at = [f"{self.across.name} {full(across)}", f"{self.down.name} {full(down)}"]
        return ", ".join([*at, *([panel.label] if panel.label else [])]) + f": {value}"

    def cell_state(self, panel: Panel, across: Place, down: Place) -> str:
        """Write the state of a cell as JSON; where both seats share it, the first one's."""
        return json.dumps(panel.states[across, down], separators=(",", ":"))

    def has(self, result: str) -> bool:
        """Tell whether any cell has a result."""
        return any(v.result == result for panel in self.panels for v in panel.cells.values())

    @property
    def gaps(self) -> bool:
        """Whether any cell has no value."""
        size = len(self.across.places) * (len(self.down.places) if self.down else 1)
        return any(len(panel.cells) < size for panel in self.panels)

    def sentences(self, full_rows: bool = True) -> list[str]:
        """Say what is lost, endless and won, a sentence for each row or panel."""
        if self.down is None:
            return [
                f"{WORD[result].capitalize()} for the player to move: {self.across.name} {where}."
                for result in ("loss", "draw", "win")
                if (where := self._where(self.panels[0], result, None))
            ]
        if self.panels[0].fixed and not full_rows:
            return [f"{panel.label}: {_counts(panel)}." for panel in self.panels]
        said = []
        for panel in self.panels:
            for down in self.down.places:
                parts = [
                    f"{WORD[result]} at {self.across.name} {where}"
                    for result in ("loss", "draw", "win")
                    if (where := self._where(panel, result, down))
                ]
                row = f"{panel.label}, " if panel.label else ""
                row += f"{self.down.name} {full(down)}: "
                said += [row + "; ".join(parts) + "."] if parts else []
        return said

    def _where(self, panel: Panel, result: str, down: Place) -> str:
        """List the places across with one result."""
        cells = panel.cells
        return runs([x for (x, y), v in cells.items() if y == down and v.result == result])


def lay_out(solution: Solution, ranges: Ranges | None = None, seat: int | None = None) -> Map:
    """Lay a map out; without a seat, for both where their values are the same, else for seat 0."""
    ranges = ranges or {}
    positions = positions_of(solution, ranges)
    for name, (low, high) in ranges.items():
        if name not in positions.columns:
            there = ", ".join(positions.columns) or "none"
            raise OptionError("ranges", f"there is no field '{name}'; there are: {there}")
        if low > high:
            raise OptionError("ranges", f"{name} goes from {full(low)} down to {full(high)}")
    if seat not in (None, 0, 1):
        raise OptionError("seat", "must be 0 or 1")
    made = _lay_out(positions, ranges, seat, named(solution.game))
    return made or _lay_out(positions, ranges, 0, named(solution.game)) or _nothing()


def _nothing() -> Map:
    """Refuse to draw what is not there."""
    raise ZerosumError("There is no position to draw in that range for that seat.")


def _lay_out(positions: Positions, ranges: Ranges, seat: int | None, title: str) -> Map | None:
    """Choose axes and panels and fill the cells; None where there are none, or seats differ."""
    columns = positions.columns
    keep = [at for at, who in enumerate(positions.players) if seat is None or who == seat]
    for name, (low, high) in ranges.items():
        column = columns[name]
        keep = [at for at in keep if (place := column[at]) is not None and low <= place <= high]
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
    if any(is_long(place) for axis in (across, down) if axis for place in axis.places):
        notes.append("Long numbers are written as … and their last four digits.")
    notes += [
        f"{plain_name(name)} is {full(there[name][0])} throughout."
        for name in there
        if name not in varying
    ]
    notes += [positions.note] if positions.note else []
    missing = "not reachable" if positions.whole else "not looked at"
    whose = "either player" if seat is None else f"Player {seat + 1}"
    whose = f"Values for the player to move ({whose}), under best play."
    return Map(f"{title}: map of values", whose, across, down, shown, tuple(notes), missing)


def _axes(there: dict[str, list[Place]], varying: list[str]) -> list[str]:
    """Choose the fields with most numbers, across and down; in their order if about as long."""
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
    there = sorted(set(keys), key=lambda key: [order(one) for one in key])
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
        if (across, down) not in states or positions.players[at] == 0:
            states[across, down] = positions.state(at)
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


def _nearest(places: list[Place], limit: int) -> list[Place]:
    """Choose the numbers nearest to zero; below it they count as four times as far."""

    def far(place: Place) -> int:
        return -1 if place is None else place if place >= 0 else -4 * place

    return sorted(places, key=far)[:limit]


def _axis(name: str, places: Iterable[Place]) -> Axis:
    """Make an axis; small gaps between its numbers stay visible as gaps."""
    there = sorted(set(places), key=order)
    numbers = [place for place in there if place is not None]
    if numbers and numbers[-1] - numbers[0] < 2 * len(numbers):
        lacking = [None] if None in there else []
        there = [*lacking, *range(numbers[0], numbers[-1] + 1)]
    return Axis(plain_name(name), tuple(there))


def _span(places: Iterable[Place]) -> str:
    """Say from where to where an axis goes."""
    numbers = [place for place in places if place is not None] or [0]
    return f"{full(numbers[0])} to {full(numbers[-1])}"


def _counts(panel: Panel) -> str:
    """Count the results of a panel."""
    results = [value.result for value in panel.cells.values()]
    return ", ".join(f"{results.count(one)} {WORD[one]}" for one in RESULTS if one in results)
