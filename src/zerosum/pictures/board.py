"""A position as a board: each cell that a legal move belongs to carries the move's value."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from zerosum.errors import ZerosumError
from zerosum.match import NAMES
from zerosum.pictures.svg import (
    MARGIN,
    NARROWEST,
    PLIES,
    ROOM,
    SMALL,
    TITLE,
    WIDEST,
    clean,
    document,
    fitted,
    heading,
    legend,
    length,
    sign,
    sign_with_plies,
    tag,
    thickness,
    tile,
    write,
)
from zerosum.pictures.words import (
    SIGNS,
    WORDS,
    Kind,
    columns,
    full,
    kind_of,
    kinds_of,
    left,
    side_by_side,
    variant_title,
    wrapped,
)
from zerosum.protocol import Game, Move, Value
from zerosum.solver.solution import Solution, worth
from zerosum.text import brief
from zerosum.wording import spoken, title_of, words_of

LARGEST_CELL, WITH_PLIES, GAP = 96.0, 30.0, 12.0
MORE = "Other moves are legal too."


class Cell(NamedTuple):
    """What stands on a cell, and the moves that belong to it with their values, the best first."""

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
        """What is written on the cell: the mark, or on an empty one the move."""
        return self.mark or (brief(self.best) if self.moves else "")


# What a cell with a move shows in characters, from the widest to the narrowest.
SHOWN: tuple[Callable[[Cell], str], ...] = (
    lambda cell: f"{cell.name} {cell.sign} {spoken(cell.value)}",
    lambda cell: f"{cell.name} {cell.sign}",
    lambda cell: cell.sign,
)


class Drawn(NamedTuple):
    """A board before it is drawn; `others` are cells for the moves that belong to none of it."""

    title: str
    about: str
    rows: list[list[Cell]]
    others: list[Cell]
    moves: dict[Move, Value]
    complete: bool

    @property
    def kinds(self) -> list[Kind]:
        """What occurs among the values of the moves."""
        return kinds_of(self.moves.values())

    def sentences(self) -> Iterator[str]:
        """Say what stands on the board, and what each move is worth."""
        for number, row in enumerate(self.rows, 1):
            if any(cell.mark for cell in row):
                yield f"Row {number}: {', '.join(full(cell.mark) for cell in row)}."
        for value in dict.fromkeys(self.moves.values()):
            said = spoken(value)
            alike = [brief(move) for move, other in self.moves.items() if other == value]
            yield f"{said[:1].upper()}{said[1:]}: {', '.join(alike)}."
        if not self.complete:
            yield MORE


def has_board(game: Game[Any]) -> bool:
    """Tell whether a game is shown as a board."""
    return words_of(game).board(game.initial()) is not None


def board_svg(solution: Solution[Any], state: Any) -> str:
    """Draw a position as a board in SVG.

    Each cell that a move belongs to is a group with the position after that move in
    `data-state`; of several moves it is the best one, and the title names them all. Moves that
    belong to no cell have cells of their own below the board.
    """
    drawn = _lay_out(solution, state)
    across = max(1, len(drawn.rows[0]))
    side = min(LARGEST_CELL, ROOM / across)
    width = min(WIDEST, 2 * MARGIN + length(drawn.title, TITLE))
    width = max(width, NARROWEST, 2 * MARGIN + across * side)
    head, top = heading(drawn.title, drawn.about, width)
    roomy = all(length(spoken(value), SMALL) + 8 <= side for value in drawn.moves.values())
    plies = "" if roomy or side < WITH_PLIES else PLIES
    signs, top = legend(drawn.kinds, width, top, about=plies)
    a_row = max(across, int((width - 2 * MARGIN) // side))
    rows = [drawn.others[at : at + a_row] for at in range(0, len(drawn.others), a_row)]
    cells = []
    for row in [*drawn.rows, [], *rows]:
        for at, cell in enumerate(row):
            cells.append(_cell(solution.game, state, cell, MARGIN + at * side, top, side, roomy))
        top += side if row else GAP
    if not drawn.complete:
        cells.append(write(MARGIN, top + 12, MORE, "soft"))
        top += 18
    body = [*head, *signs, tag("g", *cells, stroke_width=thickness())]
    about = [drawn.about, *drawn.sentences()]
    return document(width, top - GAP + MARGIN, drawn.title, about, "\n".join(body))


def board_text(solution: Solution[Any], state: Any, width: int = 80, plain: bool = False) -> str:
    """Draw a position as a board in characters, or with `plain` as sentences, one a line."""
    drawn = _lay_out(solution, state)
    head, below = [drawn.title, drawn.about], list(drawn.sentences())
    if plain:
        return "\n".join([*head, *below])
    width = max(width, 20)
    signs = side_by_side((f"{SIGNS[kind]} {WORDS[kind]}" for kind in drawn.kinds), width)
    rows = _rows(drawn, width)
    parts = ([*wrapped(head, width), *signs], rows, wrapped(below, width))
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _lay_out(solution: Solution[Any], state: Any) -> Drawn:
    """Put the legal moves with their values into the cells of the board."""
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
    placed = words.placed(state, list(moves))
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
    return Drawn(title, about, rows, others, moves, game.lists_all(state))


def _cell(
    game: Game[Any], state: Any, cell: Cell, x: float, y: float, side: float, roomy: bool
) -> str:
    """Draw a cell: what stands on it or its move, then the sign and, with room, the word."""
    middle, result = x + side / 2, cell.value.result if cell.moves else "none"
    ground = tile(x + 1, y + 1, side - 2, side - 2, result)
    size = max(SMALL, side * (0.3 if cell.mark else 0.16))
    ink, line = f"{result}-text" if cell.moves else "ink", 0.3 if cell.moves else 0.5
    name = fitted(cell.name, side - 4, size)
    text = write(middle, y + side * line + size * 0.35, name, ink, size, "middle") if name else ""
    if not cell.moves:
        return ground + text
    if roomy:
        signs = sign(kind_of(cell.value), middle, y + side * 0.58)
        signs += write(middle, y + side * 0.84, spoken(cell.value), ink, SMALL, "middle")
    elif side >= WITH_PLIES:
        signs = sign_with_plies(cell.value, middle, y + side * 0.72)
    else:
        signs = sign(kind_of(cell.value), middle, y + side * 0.72)
    title = ", ".join(f"{brief(move)}: {spoken(value)}" for move, value in cell.moves.items())
    after = json.dumps(game.play(state, cell.best), separators=(",", ":"))
    return tag("g", tag("title", clean(title)), ground, text, signs, data_state=after)


def _rows(drawn: Drawn, width: int) -> list[str]:
    """Write the board with as much in its cells as fits; nothing where it is too wide."""
    for shown in SHOWN:
        rows = [
            [shown(cell) if cell.moves else cell.mark or "." for cell in row] for row in drawn.rows
        ]
        wide = max((columns(text) for row in rows for text in row), default=0)
        lines = [" │ ".join(left(text, wide) for text in row).rstrip() for row in rows]
        if all(columns(line) <= width for line in lines):
            return lines
    return []
