// The board of a game: a grid of cells. A cell with one move plays it; a cell with several lists them below.

import { make, mark, put, show, sync } from "./dom.js";
import { inWords, tell } from "./worth.js";

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const RANK = ["loss", "draw", "win"];
const NONE = new Map();
const kept = new WeakMap(); // the state of each board, by its box

/**
 * Draw a board in a box, or hide the box if there is none; return the moves left for buttons.
 *
 * `play` gets the move of a pressed cell; without it the board is read-only. `off` is true while nobody here may
 * move. `moves` are the moves with labels, and `told` what is known about them. `look` gets the move pointed at, or
 * null; `redraw` is called when a cell opens its moves. `before` are the rows of the previous position.
 */
export function drawBoard(box, board, { play, off, moves = [], told = NONE, look, redraw, before } = {}) {
  show(box, Boolean(board));
  if (!board) return moves;
  const shown = kept.get(box) ?? begin(box);
  show(shown.line, Boolean(play));
  const text = JSON.stringify(board.rows);
  if (shown.text !== text) {
    Object.assign(shown, { text, open: null, before: before ?? shown.rows, rows: board.rows });
    nameCells(shown);
    put(shown.line, "");
  }
  const known = new Map(moves.map((choice) => [choice.move, choice]));
  Object.assign(shown, { play, off, known, told, look, redraw });
  shown.stop = [0, 1].map((axis) => Math.min(shown.stop[axis], (axis ? board.rows[0] : board.rows).length - 1));
  shown.grid.style.setProperty("--rows", board.rows.length);
  shown.grid.style.setProperty("--columns", board.rows[0].length);
  const makeRow = () => make("div", { role: "row" });
  sync(shown.grid, [...board.rows.keys()], String, makeRow, (node, row) => {
    const makeCell = () => make("div", { role: "gridcell", class: "cell", "data-row": row });
    sync(node, [...board.rows[row].keys()], String, makeCell, (cell, column) => drawCell(shown, cell, row, column));
  });
  const open = shown.open ? cellAt(shown, ...shown.open).moves : [];
  const placed = board.rows.flat().flatMap((cell) => cell.moves);
  const others = moves.filter(({ move }) => !placed.includes(move));
  return [...others, ...open.map((move) => known.get(move) ?? { move, label: move, legal: true })];
}

/** Focus the cell that the Tab key leads to. */
export function focusBoard(box) {
  const shown = kept.get(box);
  targetOf(shown, ...shown.stop).focus();
}

/** Set up a board: its grid, the line below it, and their events. */
function begin(box) {
  const grid = make("div", { role: "grid", class: "grid", "aria-label": "Board" });
  const line = make("p", { class: "line", "aria-hidden": "true" }); // screen readers hear the cell's name
  box.replaceChildren(grid, line);
  const shown = { grid, line, stop: [0, 0] };
  kept.set(box, shown);
  grid.addEventListener("click", (event) => {
    const place = placeOf(event.target.closest("button"));
    if (place) press(shown, place);
  });
  grid.addEventListener("keydown", (event) => walk(shown, event));
  for (const kind of ["focusin", "pointerover"]) grid.addEventListener(kind, (event) => look(shown, placeOf(event.target)));
  for (const kind of ["focusout", "pointerleave"]) grid.addEventListener(kind, () => look(shown, null));
  return shown;
}

/** Return the row and column of an element. */
function placeOf(element) {
  const cell = element?.closest(".cell");
  return cell ? [Number(cell.dataset.row), Number(cell.dataset.key)] : null;
}

/** Return the text and moves of a cell. */
function cellAt(shown, row, column) {
  return shown.rows[row][column];
}

/** Return the focusable part of a cell: its button, or the cell itself. */
function targetOf(shown, row, column) {
  const cell = shown.grid.children[row].children[column];
  return cell.querySelector("button") ?? cell;
}

/** Name the cells as the moves do, such as b2, counted from either end; else by row and column. */
function nameCells(shown) {
  const { rows } = shown;
  const letter = (column) => String.fromCharCode(97 + column);
  const ways = [
    (row, column) => `${letter(column)}${row + 1}`,
    (row, column) => `${letter(column)}${rows.length - row}`,
  ];
  const plain = (row, column) => `row ${row + 1}, column ${column + 1}`;
  const cells = rows.flatMap((some, row) => some.map(({ moves }, column) => ({ moves, place: [row, column] })));
  const known = cells.filter(({ moves }) => moves.length === 1);
  if (known.length) {
    const fits = (way) => known.every(({ moves: [move], place }) => move.toLowerCase() === way(...place));
    if (!shown.name) shown.stop = known[0].place;
    shown.name = ways.find(fits) ?? plain;
  }
  shown.name ??= plain;
}

/** Return what is known about a cell's best move. */
function toldOf(shown, moves) {
  const rank = ({ value }) => RANK.indexOf(value?.result);
  const length = ({ value }) => (value?.result === "win" ? -1 : 1) * (value?.plies ?? 0); // quick wins, slow losses
  const order = (first, second) => rank(second) - rank(first) || length(second) - length(first);
  return moves.map((move) => shown.told.get(move)).filter(Boolean).sort(order)[0];
}

/** Update a cell; it keeps the focus, whatever it becomes. */
function drawCell(shown, cell, row, column) {
  const { text, moves } = cellAt(shown, row, column);
  const active = Boolean(shown.play) && moves.length > 0;
  const [held, several, told] = [cell.contains(document.activeElement), moves.length > 1, toldOf(shown, moves)];
  if (cell.firstChild?.matches("button") !== active) {
    const parts = ["key", "text", "verdict"].map((part) => make("span", { class: part }));
    const spaced = parts.flatMap((part) => [part, " "]);
    cell.replaceChildren(make(active ? "button" : "span", { class: "spot", type: active && "button" }, ...spaced));
  }
  const spot = cell.firstChild;
  const target = active ? spot : cell;
  const [key, face, verdict] = spot.children;
  put(key, several ? "…" : keyOf(moves, active || told));
  put(face, text);
  face.style.setProperty("--length", [...text].length);
  tell(verdict, told);
  const before = shown.before?.[row]?.[column]?.text ?? text;
  cell.classList.toggle("latest", text.trim() !== "" && text !== before);
  mark(cell, "data-mark", told?.mark);
  mark(target, "aria-label", nameOf(shown, row, column));
  mark(target, "tabindex", row === shown.stop[0] && column === shown.stop[1] ? "0" : "-1");
  if (active) {
    mark(cell, "tabindex", null);
    mark(cell, "aria-label", null);
    mark(spot, "data-move", several ? null : moves[0]);
    mark(spot, "aria-disabled", shown.off ? "true" : null);
    mark(spot, "aria-controls", several ? "moves" : null);
    mark(spot, "aria-expanded", several ? String(shown.open?.join() === `${row},${column}`) : null);
  }
  if (held && document.activeElement !== target) target.focus();
}

/** Name a cell for screen readers: what is seen on it, in that order, where it is, and what pressing it does. */
function nameOf(shown, row, column) {
  const { text, moves } = cellAt(shown, row, column);
  const active = Boolean(shown.play) && moves.length > 0;
  const told = toldOf(shown, moves);
  const where = shown.name(row, column);
  const key = keyOf(moves, active || told) || where;
  const face = text.trim();
  const does = !active || shown.off ? "" : moves.length > 1 ? `${moves.length} moves` : `plays ${named(shown, moves[0])}`;
  const place = key.toLowerCase() === where ? "" : where;
  return [face ? `${key}: ${face}` : key, ...inWords(told), place, face ? "" : active ? "free" : "empty", does].filter(Boolean).join(", ");
}

/** Return what is typed for a cell's move, if it is shown and the only one. */
function keyOf(moves, shown) {
  return shown && moves.length === 1 ? moves[0] : "";
}

/** Name a move, with its label if that says more. */
function named(shown, move) {
  const label = shown.known.get(move)?.label;
  return label && label !== move ? `${move}: ${label}` : move;
}

/** Play a cell's only move, or list its moves. */
function press(shown, place) {
  stopAt(shown, place);
  const { moves } = cellAt(shown, ...place);
  if (moves.length === 1) shown.play(moves[0]);
  else {
    shown.open = shown.open?.join() === place.join() ? null : place;
    shown.redraw();
  }
}

/** Make a cell the Tab stop. */
function stopAt(shown, place) {
  mark(targetOf(shown, ...shown.stop), "tabindex", "-1");
  shown.stop = place;
  mark(targetOf(shown, ...place), "tabindex", "0");
}

/** Move between cells with the arrow keys, and to the ends of a row with Home and End. */
function walk(shown, event) {
  const [row, column] = placeOf(event.target) ?? shown.stop;
  const last = shown.rows[row].length - 1;
  const [down, right] = STEPS[event.key] ?? { Home: [0, -column], End: [0, last - column] }[event.key] ?? [];
  if (down === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const to = [row + down, column + right];
  if (!shown.rows[to[0]]?.[to[1]]) return;
  stopAt(shown, to);
  targetOf(shown, ...to).focus();
}

/** Describe a cell below the board, where there is more room, and preview its move. */
function look(shown, place) {
  const { moves } = place ? cellAt(shown, ...place) : { moves: [] };
  const known = moves.length > 1 ? [`${moves.length} moves`] : moves.map((move) => named(shown, move));
  const said = [...known, ...inWords(toldOf(shown, moves))].join(", ");
  put(shown.line, said === moves[0] ? "" : said); // it is already written on the cell
  shown.look?.(moves.length === 1 ? moves[0] : null);
}
