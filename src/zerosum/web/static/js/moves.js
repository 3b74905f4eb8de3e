// The moves that can be chosen at a table: cells of a board, and buttons; forbidden ones stay, with the reason.

import { drawBoard, focusBoard } from "./board.js";
import { by, mark, put, show, sync } from "./dom.js";
import { drawMove, makeMove } from "./move.js";
import { endPreview, preview } from "./players.js";

const MANY = 16;
const SHORT = 40;
const CROWD = 2;
let onPlay = () => {};

/** Say what happens when a move is chosen. */
export function whenChosen(play) {
  onPlay = play;
}

/** Draw the moves of a view; `told` is what the coach says of them, by move. */
export function drawMoves(view, told = new Map()) {
  const group = by("moves");
  const held = group.contains(document.activeElement);
  const buttons = unplaced(view, told);
  // Many short ones stand closer together.
  group.classList.toggle("many", buttons.length > MANY && buttons.every((choice) => (choice.label ?? choice.why).length < SHORT));
  const crowd = buttons.filter((choice) => !choice.legal);
  const crowded = crowd.length > CROWD;
  group.classList.toggle("crowded", crowded);
  show(by("reason"), crowded);
  // Where many are forbidden, they stand together at the end, and their reason below them.
  const shown = crowded ? [...buttons.filter((choice) => choice.legal), ...crowd] : buttons;
  sync(group, shown, (choice) => choice.move, create, (button, choice) => update(button, choice, view, told.get(choice.move)));
  // The move that had the focus may be gone: then the board has it, or the group.
  if (held && !group.contains(document.activeElement)) focusMoves(view);
  const listed = view.moves.map((choice) => choice.move);
  const placed = view.board?.rows.flat().flatMap((cell) => cell.moves) ?? [];
  show(by("more"), view.more > placed.filter((move) => !listed.includes(move)).length);
}

/** Give the focus to where moves are made. */
export function focusMoves(view) {
  if (view.board) focusBoard(by("grid"));
  else by("moves").focus();
}

/** Draw the board, and give the moves that it leaves to buttons; what it forbids is seen on it. */
function unplaced(view, told) {
  const left = drawBoard(by("grid"), view.board, {
    play: onPlay,
    off: !view.turn?.yours,
    told,
    moves: view.moves,
    look: (move) => look(view.moves.find((choice) => choice.move === move)),
    redraw: () => drawMoves(view, told),
  });
  return view.board ? left.filter((choice) => choice.legal) : left;
}

/** Make the button of a move. */
function create(choice) {
  const button = makeMove(choice, (move) => onPlay(move));
  for (const begin of ["pointerenter", "focus"]) button.addEventListener(begin, () => look(button.shows));
  for (const end of ["pointerleave", "blur"]) button.addEventListener(end, () => look(null));
  return button;
}

/** Show what a move would do, or why it cannot be played. */
function look(choice) {
  if (choice) preview(choice);
  else endPreview();
  put(by("reason"), choice && !choice.legal ? `${choice.move}: ${choice.why}` : "");
}

/** Bring a button up to date. */
function update(button, choice, view, told) {
  const turn = `It is ${view.turn?.text ?? "not your turn"}.`;
  // The reason speaks to whoever is to move.
  const why = choice.legal ? (view.turn?.yours ? "" : turn) : view.turn?.yours ? choice.why : "Not legal now.";
  button.shows = { ...choice, why };
  drawMove(button, { ...choice, label: choice.legal ? choice.label : why }, told);
  mark(button, "aria-disabled", why ? "true" : null);
  mark(button, "title", choice.legal && why ? why : null);
  button.classList.toggle("forbidden", !choice.legal);
  button.querySelector(".label").classList.toggle("why", !choice.legal);
}
