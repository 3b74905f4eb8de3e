// @ts-check
// The board of a game: a grid of cells. A cell with one move plays it; a cell with several lists them below.

import { copyOf, make, mark, put, show, sync } from "./dom.js";
import { inWords, tell } from "./worth.js";

const STEPS = /** @type {Record<string, number[]>} */ ({ ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] });
const RANK = ["loss", "draw", "win"];
const NONE = /** @type {Map<string, Told>} */ (new Map());
const kept = /** @type {WeakMap<Element, ShownBoard>} */ (new WeakMap()); // the state of each board, by its box

/**
 * Draw a board in a box, or hide the box if there is none; return the moves left for buttons.
 *
 * `play` gets the move of a pressed cell; without it the board is read-only. `off` is true while nobody here may
 * move. `moves` are the moves with labels, and `told` what is known about them. `look` gets the move pointed at, or
 * null; `redraw` is called when a cell opens its moves. `before` are the rows of the previous position, and `sent` is a
 * move on its way, of a `seat`.
 * @param {HTMLElement} box @param {Api.Board | null} board @param {BoardHow} how @returns {Choice[]}
 */
export function drawBoard(box, board, { play, off, moves = [], told = NONE, look, redraw, before, sent, seat } = {}) {
  show(box, Boolean(board));
  if (!board) return moves;
  const shown = kept.get(box) ?? begin(box);
  show(shown.line, Boolean(play));
  shown.grid.classList.toggle("playable", Boolean(play) && !off);
  const text = JSON.stringify(board.rows);
  if (shown.text !== text) {
    Object.assign(shown, { text, open: null, before: before ?? shown.rows, rows: board.rows });
    nameCells(shown);
    put(shown.line, "");
  }
  const known = new Map(moves.map((choice) => [choice.move, choice]));
  Object.assign(shown, { play, off, known, told, look, redraw, sent, seat, signs: board.signs });
  shown.stop = [Math.min(shown.stop[0], board.rows.length - 1), Math.min(shown.stop[1], board.rows[0].length - 1)];
  shown.grid.classList.toggle("lattice", board.lattice);
  shown.grid.style.setProperty("--rows", String(board.rows.length));
  shown.grid.style.setProperty("--columns", String(board.rows[0].length));
  const makeRow = () => make("div", { role: "row" });
  sync(shown.grid, [...board.rows.keys()], String, makeRow, (node, row) => {
    sync(node, [...board.rows[row].keys()], String, () => copyOf("cell-part"), (cell, column) => drawCell(shown, cell, row, column));
  });
  const open = shown.open ? cellAt(shown, shown.open[0], shown.open[1]).moves : [];
  const placed = board.rows.flat().flatMap((cell) => cell.moves);
  const others = moves.filter(({ move }) => !placed.includes(move));
  return [...others, ...open.map((move) => known.get(move) ?? { move, label: move, button: move, legal: true })];
}

/** Focus the cell that the Tab key leads to. @param {HTMLElement} box */
export function focusBoard(box) {
  const shown = /** @type {ShownBoard} */ (kept.get(box));
  targetOf(shown, ...shown.stop).focus();
}

/** Set up a board: its grid, and the line below it, which repeats the name of a cell. @param {HTMLElement} box */
function begin(box) {
  const [grid, line] = box.children;
  const shown = /** @type {ShownBoard} */ ({ grid, line, stop: [0, 0], text: "", open: null, rows: [], signs: [], told: NONE, known: new Map() });
  kept.set(box, shown);
  grid.addEventListener("click", (event) => {
    const place = placeOf(event.target);
    if (place) press(shown, place);
  });
  grid.addEventListener("keydown", (event) => walk(shown, event));
  for (const kind of ["focusin", "pointerover"]) grid.addEventListener(kind, (event) => look(shown, placeOf(/** @type {Element} */ (event.target))));
  for (const kind of ["focusout", "pointerleave"]) grid.addEventListener(kind, () => look(shown, null));
  return shown;
}

/** Return the row and column of an element. @param {Element | null} element @returns {Place | null} */
function placeOf(element) {
  const cell = element?.closest(".cell");
  return cell ? [Number(cell.dataset.row), Number(cell.dataset.key)] : null;
}

/** Return the text and moves of a cell. @param {ShownBoard} shown @param {number} row @param {number} column */
function cellAt(shown, row, column) {
  return shown.rows[row][column];
}

/** Return the focusable part of a cell: its button, or the cell itself. @param {ShownBoard} shown @param {number} row @param {number} column */
function targetOf(shown, row, column) {
  const cell = shown.grid.children[row].children[column];
  return cell.querySelector("button") ?? cell;
}

/** Name the cells as the moves do, such as b2, counted from either end; else by row and column. @param {ShownBoard} shown */
function nameCells(shown) {
  const { rows } = shown;
  const letter = (/** @type {number} */ column) => String.fromCharCode(97 + column);
  const ways = [
    (/** @type {number} */ row, /** @type {number} */ column) => `${letter(column)}${row + 1}`,
    (/** @type {number} */ row, /** @type {number} */ column) => `${letter(column)}${rows.length - row}`,
  ];
  const plain = (/** @type {number} */ row, /** @type {number} */ column) => `row ${row + 1}, column ${column + 1}`;
  const cells = rows.flatMap((some, row) => some.map(({ moves }, column) => ({ moves, place: /** @type {Place} */ ([row, column]) })));
  const known = cells.filter(({ moves }) => moves.length === 1);
  if (known.length) {
    const fits = (/** @type {typeof plain} */ way) => known.every(({ moves: [move], place }) => move.toLowerCase() === way(...place));
    if (!shown.name) shown.stop = known[0].place;
    shown.name = ways.find(fits) ?? plain;
  }
  shown.name ??= plain;
}

/** Return what is known about a cell's best move. @param {ShownBoard} shown @param {string[]} moves */
function toldOf(shown, moves) {
  const rank = (/** @type {Told} */ { value }) => RANK.indexOf(value?.result ?? "");
  const length = (/** @type {Told} */ { value }) => (value?.result === "win" ? -1 : 1) * (value?.plies ?? 0); // quick wins, slow losses
  const order = (/** @type {Told} */ first, /** @type {Told} */ second) => rank(second) - rank(first) || length(second) - length(first);
  return moves.flatMap((move) => shown.told.get(move) ?? []).sort(order)[0];
}

/**
 * Update a cell; it keeps the focus, whatever it becomes.
 * @param {ShownBoard} shown @param {HTMLElement} cell @param {number} row @param {number} column
 */
function drawCell(shown, cell, row, column) {
  const { text: own, moves, tap, seat: owner, lit } = cellAt(shown, row, column);
  const sent = moves.some((move) => move === shown.sent);
  const text = sent ? shown.signs[shown.seat ?? 0] || own : own;
  const seat = sent ? shown.seat : owner;
  const active = Boolean(shown.play) && moves.length > 0;
  const [held, several, told] = [cell.contains(document.activeElement), moves.length > 1, toldOf(shown, moves)];
  if (cell.firstChild.matches("button") !== active) {
    cell.replaceChildren(make(active ? "button" : "span", { class: "spot", type: active && "button" }, ...cell.firstChild.childNodes));
  }
  const spot = cell.firstChild;
  const target = active ? spot : cell;
  const [key, face, verdict] = spot.children;
  put(key, several ? "…" : sent ? "" : keyOf(moves, active || told));
  put(face, text);
  mark(face, "data-length", [...text].length || null);
  tell(verdict, told);
  const before = shown.before?.[row]?.[column]?.text ?? text;
  cell.classList.toggle("latest", text.trim() !== "" && text !== before);
  cell.classList.toggle("filled", text.trim() !== "");
  cell.classList.toggle("lit", lit);
  cell.classList.toggle("sent", sent);
  mark(cell, "data-row", row);
  mark(cell, "data-seat", seat);
  mark(cell, "data-tap", tap);
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

/**
 * Name a cell for screen readers: what is seen on it, in that order, where it is, and what pressing it does.
 * @param {ShownBoard} shown @param {number} row @param {number} column
 */
function nameOf(shown, row, column) {
  const { text, moves, lit } = cellAt(shown, row, column);
  const active = Boolean(shown.play) && moves.length > 0;
  const told = toldOf(shown, moves);
  const where = shown.name?.(row, column) ?? "";
  const key = keyOf(moves, active || told) || where;
  const face = text.trim();
  const does = !active || shown.off ? "" : moves.length > 1 ? `${moves.length} moves` : `plays ${named(shown, moves[0])}`;
  const place = key.toLowerCase() === where ? "" : where;
  return [face ? `${key}: ${face}` : key, ...inWords(told), place, face ? "" : active ? "free" : "empty", does, lit ? "highlighted" : ""].filter(Boolean).join(", ");
}

/** Return what is typed for a cell's move, if it is shown and the only one. @param {string[]} moves @param {unknown} shown */
function keyOf(moves, shown) {
  return shown && moves.length === 1 ? moves[0] : "";
}

/** Name a move, with its label if that says more. @param {ShownBoard} shown @param {string} move */
function named(shown, move) {
  const label = shown.known.get(move)?.label;
  return label && label !== move ? `${move}: ${label}` : move;
}

/** Play a cell's only move, or the one that a tap plays there, or list its moves. @param {ShownBoard} shown @param {Place} place */
function press(shown, place) {
  const { moves, tap } = cellAt(shown, ...place);
  if (!moves.length && !tap) return;
  stopAt(shown, place);
  if (moves.length < 2) shown.play?.(moves[0] ?? tap);
  else {
    shown.open = shown.open?.join() === place.join() ? null : place;
    shown.redraw?.();
  }
}

/** Make a cell the Tab stop. @param {ShownBoard} shown @param {Place} place */
function stopAt(shown, place) {
  mark(targetOf(shown, ...shown.stop), "tabindex", "-1");
  shown.stop = place;
  mark(targetOf(shown, ...place), "tabindex", "0");
}

/** Move between cells with the arrow keys, and to the ends of a row with Home and End. @param {ShownBoard} shown @param {KeyboardEvent} event */
function walk(shown, event) {
  const [row, column] = placeOf(event.target) ?? shown.stop;
  const last = shown.rows[row].length - 1;
  const [down, right] = STEPS[event.key] ?? { Home: [0, -column], End: [0, last - column] }[event.key] ?? [];
  if (down === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const to = /** @type {Place} */ ([row + down, column + right]);
  if (!shown.rows[to[0]]?.[to[1]]) return;
  stopAt(shown, to);
  targetOf(shown, ...to).focus();
}

/** Describe a cell below the board, where there is more room, and preview its move. @param {ShownBoard} shown @param {Place | null} place */
function look(shown, place) {
  const { moves: own, tap } = place ? cellAt(shown, ...place) : { moves: [], tap: null };
  const moves = tap && shown.play ? [tap] : own;
  for (const spot of shown.grid.querySelectorAll("[data-move]")) spot.classList.toggle("pointed", spot.dataset.move === moves[0]);
  const known = moves.length > 1 ? [`${moves.length} moves`] : moves.map((move) => named(shown, move));
  const said = [...known, ...inWords(toldOf(shown, moves))].join(", ");
  put(shown.line, said === moves[0] ? "" : said); // it is already written on the cell
  shown.look?.(moves.length === 1 ? moves[0] : null);
}
