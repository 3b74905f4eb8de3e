"""A position as a board, in SVG and in characters: each cell shows the value of its move."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from zerosum.errors import ZerosumError
from zerosum.match import NAMES
from zerosum.pictures import svg
from zerosum.pictures.labels import (
    KIND_NAMES,
    SIGNS,
    Kind,
    columns,
    kind_of,
    kinds_of,
    leaf_text,
    left,
    side_by_side,
    wrapped,
)
from zerosum.protocol import Game, Move, Value
from zerosum.solver.solution import Solution
from zerosum.solver.values import worth
from zerosum.text import brief
from zerosum.wording.words import spoken, title_of, variant_title, words_of

LARGEST_CELL, WITH_PLIES, GAP = 96.0, 30.0, 12.0
MORE = "Other moves are legal too."


class Cell(NamedTuple):
    """The mark on a cell, and the moves that belong to it with their values, the best first."""

    mark: str
    moves: dict[Move, Value]

    @property
    def best(self) -> Move:
        """The best of its moves."""
        return next(iter(self.moves))

    @property
    def value(self) -> Value:
        """The value of the best of its moves."""
        return self.moves[self.best]

    @property
    def sign(self) -> str:
        """The sign of that value, in characters."""
        return SIGNS[kind_of(self.value)]

    @property
    def name(self) -> str:
        """The text on the cell: the mark, or on an empty one the move."""
        return self.mark or (brief(self.best) if self.moves else "")


# A cell with a move in characters, from the widest form to the narrowest.
FORMS: tuple[Callable[[Cell], str], ...] = (
    lambda cell: f"{cell.name} {cell.sign} {spoken(cell.value)}",
    lambda cell: f"{cell.name} {cell.sign}",
    lambda cell: cell.sign,
)


class BoardLayout(NamedTuple):
    """A board to be drawn; `others` are cells for the moves that belong to no cell of it."""

    title: str
    about: str
    rows: list[list[Cell]]
    others: list[Cell]
    moves: dict[Move, Value]
    complete: bool

    @property
    def kinds(self) -> list[Kind]:
        """The kinds of values that occur."""
        return kinds_of(self.moves.values())

    def sentences(self) -> Iterator[str]:
        """Describe the board, and what each move is worth."""
        for number, row in enumerate(self.rows, 1):
            if any(cell.mark for cell in row):
                yield f"Row {number}: {', '.join(leaf_text(cell.mark) for cell in row)}."
        for value in dict.fromkeys(self.moves.values()):
            text = spoken(value)
            moves = [brief(move) for move, other in self.moves.items() if other == value]
            yield f"{text[:1].upper()}{text[1:]}: {', '.join(moves)}."
        if not self.complete:
            yield MORE


def has_board(game: Game[Any]) -> bool:
    """Return whether a game has a board, which is then its map."""
    return words_of(game).board(game.initial()) is not None


def board_svg(solution: Solution[Any], state: Any) -> str:
    """Draw a position as a board in SVG.

    A cell with moves is a group with the position after the best one in `data-state`; its title
    lists them all. Moves that belong to no cell have cells of their own below the board.
    """
    layout = _lay_out(solution, state)
    across = max(1, len(layout.rows[0]))
    side = min(LARGEST_CELL, svg.ROOM / across)
    width = max(svg.title_width(layout.title), svg.NARROWEST, 2 * svg.MARGIN + across * side)
    head, top = svg.heading(layout.title, layout.about, width)
    texts = map(spoken, layout.moves.values())
    roomy = all(svg.text_width(text, svg.SMALL) + 8 <= side for text in texts)
    plies = "" if roomy or side < WITH_PLIES else svg.PLIES_LEGEND
    signs, top = svg.legend(layout.kinds, width, top, about=plies)
    a_row = max(across, int((width - 2 * svg.MARGIN) // side))
    rows = [layout.others[at : at + a_row] for at in range(0, len(layout.others), a_row)]
    cells = []
    for row in [*layout.rows, [], *rows]:
        for at, cell in enumerate(row):
            x = svg.MARGIN + at * side
            cells.append(_cell(solution.game, state, cell, x, top, side, roomy))
        top += side if row else GAP
    if not layout.complete:
        cells.append(svg.write(svg.MARGIN, top + 12, MORE, "soft"))
        top += 18
    body = [*head, *signs, svg.tag("g", *cells, stroke_width=svg.thickness())]
    about = [layout.about, *layout.sentences()]
    return svg.picture(width, top - GAP + svg.MARGIN, layout.title, about, "\n".join(body))


def board_text(solution: Solution[Any], state: Any, width: int = 80, plain: bool = False) -> str:
    """Draw a position as a board in characters, or with `plain` as sentences, one per line."""
    layout = _lay_out(solution, state)
    head, below = [layout.title, layout.about], list(layout.sentences())
    if plain:
        return "\n".join([*head, *below])
    width = max(width, 20)
    signs = side_by_side((f"{SIGNS[kind]} {KIND_NAMES[kind]}" for kind in layout.kinds), width)
    rows = _rows(layout, width)
    parts = ([*wrapped(head, width), *signs], rows, wrapped(below, width))
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _lay_out(solution: Solution[Any], state: Any) -> BoardLayout:
    """Assign the legal moves with their values to the cells of the board."""
    game = solution.game
    words = words_of(game)
    board = words.board(state)
    if board is None:
        raise ZerosumError(f"{title_of(game)} has no board.")
    found = solution.moves(state)
    moves = {
        move: found[move] for move in sorted(found, key=lambda m: worth(found[m]), reverse=True)
    }
    rows = [[Cell(brief(mark.strip()), {}) for mark in row] for row in board]
    placed = words.moves_by_cell(state, list(moves))
    for (row, column), here in placed.items():
        rows[row][column].moves.update((move, moves[move]) for move in here)
    on_board = {move for here in placed.values() for move in here}
    others = [Cell("", {move: value}) for move, value in moves.items() if move not in on_board]
    outcome = game.outcome(state)
    if outcome is not None:
        about = f"The game is over: {outcome.reason}."
    else:
        about = f"{NAMES[state.player]} to move: {spoken(solution.value(state))}, with best play."
    title = f"{variant_title(game)}: values of the moves"
    return BoardLayout(title, about, rows, others, moves, game.lists_all(state))


def _cell(
    game: Game[Any], state: Any, cell: Cell, x: float, y: float, side: float, roomy: bool
) -> str:
    """Draw a cell: its mark or its move, the sign, and the value in words if there is room."""
    middle, result = x + side / 2, cell.value.result if cell.moves else "none"
    ground = svg.tile(x + 1, y + 1, side - 2, side - 2, result)
    size = max(svg.SMALL, side * (0.3 if cell.mark else 0.16))
    ink, line = f"{result}-text" if cell.moves else "ink", 0.3 if cell.moves else 0.5
    name = svg.fitted(cell.name, side - 4, size)
    base = y + side * line + size * 0.35
    text = svg.write(middle, base, name, ink, size, "middle") if name else ""
    if not cell.moves:
        return ground + text
    if roomy:
        signs = svg.sign(kind_of(cell.value), middle, y + side * 0.58)
        signs += svg.write(middle, y + side * 0.84, spoken(cell.value), ink, svg.SMALL, "middle")
    elif side >= WITH_PLIES:
        signs = svg.sign_with_plies(cell.value, middle, y + side * 0.72)
    else:
        signs = svg.sign(kind_of(cell.value), middle, y + side * 0.72)
    title = ", ".join(f"{brief(move)}: {spoken(value)}" for move, value in cell.moves.items())
    after = json.dumps(game.play(state, cell.best), separators=(",", ":"))
    return svg.tag("g", svg.tag("title", svg.escape(title)), ground, text, signs, data_state=after)


def _rows(layout: BoardLayout, width: int) -> list[str]:
    """Write the board with as much in its cells as fits; nothing if it is too wide."""
    for form in FORMS:
        rows = [
            [form(cell) if cell.moves else cell.mark or "." for cell in row] for row in layout.rows
        ]
        wide = max((columns(text) for row in rows for text in row), default=0)
        lines = [" │ ".join(left(text, wide) for text in row).rstrip() for row in rows]
        if all(columns(line) <= width for line in lines):
            return lines
    return []
