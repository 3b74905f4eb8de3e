// @ts-check
// A position to study or to solve: on its number lines, on its board, and its moves as buttons.

import { by, make, show } from "./dom.js";
import { pointAt } from "./line.js";
import { drawMoves } from "./moves.js";
import { drawPosition } from "./position.js";

const EDGE = 14; // pixels of a picture's margin that a page does not need

/**
 * Draw a position with its moves; return those that are buttons. `names` are those of the seats, `mover` the seat to
 * move, or null at the end; `how` is for the moves.
 * @param {Shown & { moves: Choice[] }} found @param {string[]} names @param {number | null} mover @param {MovesHow} how
 */
export function drawStudy(found, names, mover, how) {
  const { moves } = found;
  const known = new Set(moves.map(({ move }) => move));
  const look = (/** @type {Choice | null | undefined} */ choice) => pointAt(by("position"), choice?.move ?? null);
  const { told, play, off } = how;
  const box = drawPosition(by("position"), found, names, mover, { moves, told, look, play: off ? null : play });
  return drawMoves(box, by("moves"), within(found.board, known), moves, { ...how, look });
}

/**
 * Cut a picture at the top and at its empty edges; it shrinks to its box, but not below a part of its size.
 * @param {SVGSVGElement} svg @param {number} least @param {number} top
 */
export function fit(svg, least, top = 0) {
  const { width, height } = svg.viewBox.baseVal;
  const wide = width - 2 * EDGE;
  svg.setAttribute("viewBox", `${EDGE} ${top} ${wide} ${height - top}`);
  svg.setAttribute("width", wide);
  svg.setAttribute("height", height - top);
  svg.style.minWidth = `${least * wide}px`;
  hint(/** @type {HTMLElement} */ (svg.parentElement), svg);
}

/** Say that a picture scrolls sideways if it does, and fade it out where it goes on. @param {HTMLElement} box @param {SVGSVGElement} svg */
function hint(box, svg) {
  const words = make("p", { class: "soft small", hidden: "" }, "Scroll sideways to see the rest.");
  box.before(words);
  const draw = () => {
    const hidden = box.scrollWidth - box.clientWidth;
    show(words, hidden > 1);
    box.classList.toggle("goes-on", hidden - box.scrollLeft > 1);
  };
  box.addEventListener("scroll", draw);
  const watching = new ResizeObserver(draw);
  for (const part of [box, svg]) watching.observe(part);
}

/** Keep only listed moves on the board: the others lead nowhere. @param {Api.Board | null} board @param {Set<string>} known */
function within(board, known) {
  const listed = (/** @type {Api.Cell} */ cell) => ({ ...cell, moves: cell.moves.filter((move) => known.has(move)) });
  return board && { ...board, rows: board.rows.map((row) => row.map(listed)) };
}
