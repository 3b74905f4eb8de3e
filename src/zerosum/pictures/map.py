"""The map of a game's values: axes, panels, the value of each cell."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from zerosum.errors import ZerosumError
from zerosum.limits import LONG_MAP_POSITIONS, MAP_POSITIONS, PERSON
from zerosum.pictures.labels import (
    KIND_NAMES,
    Kind,
    compact_list,
    is_long,
    kind_of,
    kinds_of,
    leaf_text,
    tick_order,
)
from zerosum.protocol import Game, Value
from zerosum.solver.solution import Solution
from zerosum.solver.table import is_symmetric
from zerosum.solver.values import worth
from zerosum.states import LARGE, Leaf, largest, leaves, map_leaves, next_states, walk
from zerosum.text import brief, lower_first, plain_name, upper_first, whose, with_name
from zerosum.wording.texts import SEATS
from zerosum.wording.words import spoken, variant_title, words_of

T = TypeVar("T")
PANELS = 12
# The most numbers in a strip, and along the sides of one grid, or of one of several.
STRIP, GRID, SMALL_GRID = 200, 40, (30, 20)
# The most states of a walk where a table shows that there is an end.
MOST_SOLVED = PERSON.positions
# The only axis of a map whose positions do not differ in their fields.
NAMELESS = "position"
# Adjectives for positions, in the order in which sentences use them.
ADJECTIVES: dict[Kind, str] = {"loss": "lost", "draw": "drawn", "endless": "endless", "win": "won"}


class Axis(NamedTuple):
    """A field of the state, and the ticks along it: numbers in rising order, then strings."""

    name: str
    ticks: tuple[Leaf, ...]

    def offset(self, a_row: int) -> int:
        """Return how far into a row a strip begins, so that rows begin at round numbers."""
        first, count = self.ticks[0], len(self.ticks)
        if not isinstance(first, int) or self.ticks != tuple(range(first, first + count)):
            return 0
        begin = first % a_row
        return begin if begin + count > a_row or not first // a_row else 0


# The other axis of a strip.
NO_AXIS = Axis("", (None,))


class Panel(NamedTuple):
    """One grid: its other fields, and its cells by across and down.

    `states` has each cell's state, the first seat's if both share it. `titles` has what is said of
    a cell of a board: its moves.
    """

    fixed: tuple[tuple[str, Leaf], ...]
    cells: dict[tuple[Leaf, Leaf], Value]
    states: dict[tuple[Leaf, Leaf], Any]
    titles: Mapping[tuple[Leaf, Leaf], str] = {}

    @property
    def label(self) -> str:
        """The heading of the panel."""
        return ", ".join(f"{name} {leaf_text(tick)}" for name, tick in self.fixed)


class Map(NamedTuple):
    """A map of a game's values; that of a game with one field is a strip, with nothing down."""

    title: str
    about: str
    across: Axis
    down: Axis
    panels: tuple[Panel, ...]
    notes: tuple[str, ...]
    missing: str

    @property
    def is_strip(self) -> bool:
        """Whether there is only one axis."""
        return self.down is NO_AXIS

    def cell_title(self, panel: Panel, across: Leaf, down: Leaf) -> str:
        """Describe a cell: its place and value, or its moves with their values."""
        if panel.titles:
            return panel.titles[across, down]
        value = spoken(panel.cells[across, down])
        if self.is_strip:
            return f"{leaf_text(across)}: {value}"
        at = [f"{self.across.name} {leaf_text(across)}", f"{self.down.name} {leaf_text(down)}"]
        return ", ".join([*at, *([panel.label] if panel.label else [])]) + f": {value}"

    def cell_state(self, panel: Panel, across: Leaf, down: Leaf) -> str:
        """Write the state of a cell as JSON."""
        return json.dumps(panel.states[across, down], separators=(",", ":"))

    @property
    def kinds(self) -> list[Kind]:
        """The kinds of values that occur."""
        return kinds_of(value for panel in self.panels for value in panel.cells.values())

    @property
    def gaps(self) -> bool:
        """Whether any cell has no value."""
        size = len(self.across.ticks) * len(self.down.ticks)
        return any(len(panel.cells) < size for panel in self.panels)

    @property
    def abridged(self) -> list[str]:
        """A note on ticks that are not written in full."""
        long = any(map(is_long, (*self.across.ticks, *self.down.ticks)))
        if long:
            return ["Labels with … are shortened, numbers to their last four digits."]
        return []

    def sentences(self, full_rows: bool = True) -> list[str]:
        """List what is lost, drawn, endless and won, one sentence per row or panel."""
        if self.panels[0].titles:
            return []  # the notes of a board say it
        if self.is_strip:
            return [
                f"{adjective.capitalize()} for the player to move: {self.across.name} {where}."
                for kind, adjective in ADJECTIVES.items()
                if (where := self._where(self.panels[0], kind, None))
            ]
        if self.panels[0].fixed and not full_rows:
            return [f"{panel.label}: {_counts(panel)}." for panel in self.panels]
        sentences = []
        for panel in self.panels:
            for down in self.down.ticks:
                parts = [
                    f"{adjective} at {self.across.name} {where}"
                    for kind, adjective in ADJECTIVES.items()
                    if (where := self._where(panel, kind, down))
                ]
                row = f"{panel.label}, " if panel.label else ""
                row += f"{self.down.name} {leaf_text(down)}: "
                sentences += [row + "; ".join(parts) + "."] if parts else []
        return sentences

    def _where(self, panel: Panel, kind: Kind, down: Leaf) -> str:
        """List the ticks across whose values are of one kind."""
        cells = panel.cells
        row = ((x, value) for (x, y), value in cells.items() if y == down)
        return compact_list([x for x, value in row if kind_of(value) == kind])


def lay_out(solution: Solution[Any]) -> Map:
    """Lay out a map: for both seats if they have the same values, else for 0.

    The map of a game with a board is the board at the start, with the values of the first moves.
    """
    board = words_of(solution.game).board(solution.game.initial())
    if board and board[0]:
        return _board(solution, board)
    positions = _titled(mapped_positions(solution), solution.game)
    title = variant_title(solution.game)
    made = _lay_out(positions, None, title) or _lay_out(positions, 0, title)
    if made is None:
        raise ZerosumError(f"{title} has no positions to draw.")
    return made


def _titled(positions: MappedPositions, game: Game[Any]) -> MappedPositions:
    """Name the fields of positions as people do."""
    titles = {
        name: lower_first(title if seat is None else f"{whose(SEATS[seat])} {lower_first(title)}")
        for name, title, _, seat, _ in words_of(game).fields(game.initial())
    }
    if len(set(titles.values())) < len(titles):
        titles.clear()
    columns = {titles.get(name, name): column for name, column in positions.columns.items()}
    return positions._replace(columns=columns)


def _board(solution: Solution[Any], rows: Sequence[Sequence[str]]) -> Map:
    """Lay out a board; a cell has the value of the best of its moves."""
    game, state = solution.game, solution.game.initial()
    found = solution.moves(state)
    in_order = sorted(found, key=lambda move: worth(found[move]), reverse=True)
    titles: dict[tuple[Leaf, Leaf], str] = {}
    panel = Panel((), {}, {}, titles)
    for (row, column), moves in words_of(game).moves_by_cell(state, in_order).items():
        at = column + 1, row + 1
        panel.cells[at], panel.states[at] = found[moves[0]], game.play(state, moves[0])
        titles[at] = ", ".join(f"{brief(move)}: {spoken(found[move])}" for move in moves)
    notes = [
        f"Row {number}: {', '.join(leaf_text(mark.strip()) for mark in row)}."
        for number, row in enumerate(rows, 1)
        if any(mark.strip() for mark in row)
    ]
    for value, same in groupby(in_order, key=found.__getitem__):
        text = spoken(value)
        notes.append(f"{upper_first(text)}: {', '.join(map(brief, same))}.")
    if not game.lists_all(state):
        notes.append("Other moves are legal too.")
    about = f"{SEATS[state.player]} to move: {spoken(solution.value(state))}, with best play."
    across = Axis("column", tuple(range(1, len(rows[0]) + 1)))
    down = Axis("row", tuple(range(1, len(rows) + 1)))
    title = f"{variant_title(game)}: values of the moves"
    return Map(title, about, across, down, (panel,), tuple(notes), "no move")


def _lay_out(positions: MappedPositions, seat: int | None, title: str) -> Map | None:
    """Choose axes and panels and fill the cells; None if there are none, or the seats differ."""
    columns = positions.columns
    states = enumerate(positions.states)
    keep = [at for at, state in states if seat is None or state.player == seat]
    if not keep:
        return None
    by_field = {
        name: sorted({column[at] for at in keep}, key=tick_order)
        for name, column in columns.items()
    }
    varying = [name for name, ticks in by_field.items() if len(ticks) > 1] or list(by_field)[:1]
    axes = _axes(by_field, varying)
    limits = {1: (STRIP,), 2: (GRID, GRID)}.get(len(varying), SMALL_GRID)
    for name, limit in zip(axes, limits, strict=False):
        near = set(_nearest(by_field[name], limit))
        if len(near) < len(by_field[name]):
            keep = [at for at in keep if columns[name][at] in near]
    apart = [name for name in varying if name not in axes]
    filled = _fill(positions, keep, axes, apart, seat)
    if filled is None:
        return None
    panels, notes = _chosen(*filled)
    used = [key for panel in panels for key in panel.cells]
    across = _axis(axes[0] if axes else NAMELESS, (x for x, _ in used))
    down = _axis(axes[1], (y for _, y in used)) if len(axes) > 1 else NO_AXIS
    cropped = [
        f"Showing {axis.name} {_span(axis.ticks)}"
        + ("." if positions.note else f" of {_span(by_field[name])}.")
        for name, axis, limit in zip(axes, (across, down), limits, strict=False)
        if len(by_field[name]) > limit
    ]
    notes = cropped + notes
    notes += [
        f"{plain_name(name).capitalize()} is always {leaf_text(by_field[name][0])}."
        for name in by_field
        if name not in varying
    ]
    notes += [positions.note] if positions.note else []
    missing = "not reachable" if positions.whole else "not checked"
    mover = "either player" if seat is None else SEATS[seat].lower()
    about = f"Values for the player to move ({mover}), with best play."
    return Map(f"{title}: map of values", about, across, down, panels, tuple(notes), missing)


def _axes(by_field: dict[str, list[Leaf]], varying: list[str]) -> list[str]:
    """Choose the two fields with the most ticks; in their own order if about equally long."""
    axes = sorted(varying, key=lambda name: -len(by_field[name]))[:2]
    in_order = sorted(axes, key=varying.index)
    lengths = [len(by_field[name]) for name in in_order]
    if not axes or lengths[0] * 5 >= lengths[-1] * 4:
        return in_order
    return axes


def _fill(
    positions: MappedPositions, keep: list[int], axes: list[str], apart: list[str], seat: int | None
) -> tuple[list[Panel], int] | None:
    """Put positions into the cells of panels, at most a few; None if the seats differ."""
    columns = positions.columns
    keys = list(zip(*([columns[name][at] for at in keep] for name in apart), strict=True))
    keys = keys or [()] * len(keep)
    found = sorted(set(keys), key=lambda key: [tick_order(tick) for tick in key])
    names = [plain_name(name) for name in apart]
    panels = {
        key: Panel(tuple(zip(names, key, strict=True)), {}, {})
        for key in _evenly(found, 4 * PANELS)
    }
    shared = False
    for at, key in zip(keep, keys, strict=True):
        if key not in panels:
            continue
        cells, states = panels[key].cells, panels[key].states
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
    return list(panels.values()), len(found)


def _chosen(panels: list[Panel], count: int) -> tuple[tuple[Panel, ...], list[str]]:
    """Choose panels in which the game goes on, evenly spread."""
    going = [p for p in panels if any(v.plies != 0 for v in p.cells.values())] or panels
    over = len(panels) - len(going)
    if len(going) > PANELS or len(panels) < count:
        return tuple(_evenly(going, PANELS)), [f"Showing {PANELS} of {count} panels."]
    if over:
        return tuple(going), [f"The game is over in the other {over} of {count} panels."]
    return tuple(going), []


def _evenly(things: list[T], most: int) -> list[T]:
    """Choose evenly, including the first and the last."""
    if len(things) <= most:
        return things
    return [things[at * (len(things) - 1) // (most - 1)] for at in range(most)]


def _nearest(ticks: list[Leaf], limit: int) -> list[Leaf]:
    """Choose the numbers nearest to zero; a negative one counts fourfold.

    Anything else comes before them, in its order.
    """
    return sorted(ticks, key=lambda t: max(t, -4 * t) if isinstance(t, int) else -1)[:limit]


def _axis(name: str, ticks: Iterable[Leaf]) -> Axis:
    """Return an axis; small gaps between its numbers stay visible."""
    found = sorted(set(ticks), key=tick_order)
    numbers = [tick for tick in found if isinstance(tick, int)]
    if numbers and numbers[-1] - numbers[0] < 2 * len(numbers):
        found = sorted({*found, *range(numbers[0], numbers[-1] + 1)}, key=tick_order)
    return Axis(plain_name(name), tuple(found))


def _span(ticks: Iterable[Leaf]) -> str:
    """Write the first and the last tick of an axis."""
    found: list[Leaf] = [tick for tick in ticks if tick is not None] or [None]
    return f"{leaf_text(found[0])} to {leaf_text(found[-1])}"


def _counts(panel: Panel) -> str:
    """Count the values of a panel by kind."""
    kinds = [kind_of(value) for value in panel.cells.values()]
    return ", ".join(
        f"{kinds.count(kind)} {ADJECTIVES[kind]}" for kind in KIND_NAMES if kind in kinds
    )


class MappedPositions(NamedTuple):
    """The positions of a map: their states, the same by field, and their values by index.

    `whole` is false if a walk left something out, so that what is missing may be reachable.
    """

    states: Sequence[Any]
    columns: dict[str, Sequence[Leaf]]
    value: Callable[[int], Value]
    whole: bool
    note: str


def mapped_positions(solution: Solution[Any]) -> MappedPositions:
    """Collect a solution's positions: all of a table, else those of a walk.

    A table has only one of the positions equal by symmetry; a walk finds the others.
    """
    solved = solution.solved
    if solved is None:
        return _walked_near(solution)
    if not is_symmetric(solution.game):
        states = list(solved.graph.index)
        return MappedPositions(states, _columns(states), solved.value, True, "")
    if len(solved.graph) <= MOST_SOLVED:
        found, whole = _walk(solution, [solution.game.initial()], MOST_SOLVED)
        if whole:
            return _known(found, True, "")
    return _walked_near(solution)


def _walked_near(solution: Solution[Any]) -> MappedPositions:
    """Collect the positions that fit on a map by a walk.

    A theory covers numbers so large that no walk from the start would reach the small ones. So the
    walk begins at the start with every number reduced to what fits on a map, for either seat:
    positions of the same game from a smaller start. If none of them is known, it begins at the
    start itself.
    """
    first = solution.game.initial()
    begin = _reduced(first)
    if begin != first:
        both = [begin._replace(player=player) for player in (first.player, 1 - first.player)]
        found, _ = _walk(solution, both)
        if found:
            begins = ", ".join(
                with_name(plain_name(name), value)
                for (name, value), (_, less) in zip(leaves(first), leaves(begin), strict=True)
                if value != less
            )
            return _known(found, False, f"Start of the game: {begins}.")
    return _known(*_walk(solution, [first]), "")


def _known(found: list[tuple[Any, Value]], whole: bool, note: str) -> MappedPositions:
    """Return what a walk has found as positions."""
    states = [state for state, _ in found]
    return MappedPositions(states, _columns(states), lambda index: found[index][1], whole, note)


def _columns(states: Sequence[Any]) -> dict[str, Sequence[Leaf]]:
    """Return the fields of states, a tuple's by index; None where a state lacks one."""
    names = states[0]._fields if states else ()
    fields = [(at, name) for at, name in enumerate(names) if name != "player"]
    columns: dict[str, Sequence[Leaf]] = {}
    for at, field in fields:
        parts = [state[at] for state in states]
        if not any(isinstance(part, tuple) for part in parts):
            columns[field] = parts
            continue
        rows = [dict(leaves(part, field)) for part in parts]
        for name in dict.fromkeys(name for row in rows for name in row):
            columns[name] = [row.get(name) for row in rows]
    return columns


def _reduced(state: Any) -> Any:
    """Reduce every number of a state to what fits on a map."""
    many = sum(name != "player" for name, _ in leaves(state))
    # A little more than fits, so that moves from above reach positions at the edge.
    most = {1: STRIP, 2: GRID}.get(many, 12) * 5 // 4

    def reduced(_: str, leaf: Leaf) -> Leaf:
        return max(min(leaf, most), -most) if isinstance(leaf, int) else leaf

    return map_leaves(reduced, state)


def _walk(
    solution: Solution[Any], begin: list[Any], limit: int = MAP_POSITIONS
) -> tuple[list[tuple[Any, Value]], bool]:
    """Walk breadth first; return what has a value, and whether that is all."""
    game, known, reached = solution.game, [], set(begin)

    def after(state: Any) -> list[Any]:
        try:
            known.append((state, solution.value(state)))
            over = game.outcome(state) is not None
            following = [] if over else next_states(game, state)
        except ZerosumError:
            return []
        reached.update(following)
        return following

    if largest(begin[0]) > LARGE:
        limit = LONG_MAP_POSITIONS
    try:
        count = sum(1 for _ in walk(game, *begin, limit=limit, after=after))
    except Exception:  # a state that the rules do not foresee, because no game starts there
        return [], False
    return known, count == len(reached)
