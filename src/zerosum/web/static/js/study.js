// A position to study or to solve: on its number lines, on its board, and its moves as buttons.

import { by } from "./dom.js";
import { pointAt } from "./line.js";
import { drawMoves } from "./moves.js";
import { drawPosition } from "./position.js";

/**
 * Draw a position with its moves; return those that are buttons. `names` are those of the seats, `mover` the seat to
 * move, or null at the end; `how` is for the moves.
 */
export function drawStudy(found, names, mover, how) {
  const { moves } = found;
  const known = new Set(moves.map(({ move }) => move));
  const lines = found.lines.map((line) => ({ ...line, targets: line.targets.filter(({ move }) => known.has(move)) }));
  const look = (choice) => pointAt(by("position"), choice?.move ?? null);
  const { told, play, off } = how;
  const box = drawPosition(by("position"), { ...found, lines }, names, mover, { moves, told, look, play: off ? null : play });
  return drawMoves(box, by("moves"), within(found.board, known), moves, { ...how, look });
}

/** Keep only listed moves on the board: the others lead nowhere. */
function within(board, known) {
  const listed = (cell) => ({ ...cell, moves: cell.moves.filter((move) => known.has(move)) });
  return board && { rows: board.rows.map((row) => row.map(listed)) };
}
