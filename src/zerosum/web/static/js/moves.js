// The moves at a table, as cells of a board and as buttons; illegal ones stay, with the reason.

import { drawBoard, focusBoard } from "./board.js";
import { by, mark, put, show, sync } from "./dom.js";
import { drawMove, makeMove } from "./move.js";
import { endPreview, preview } from "./players.js";

const MANY = 16;
const SHORT = 40;
const CROWD = 2;
let onPlay = () => {};

/** Set what happens when a move is chosen. */
export function whenChosen(play) {
  onPlay = play;
}

/** Draw the moves of a view; `told` is what the coach says about them, by move. */
export function drawMoves(view, told = new Map()) {
  const group = by("moves");
  const held = group.contains(document.activeElement);
  const buttons = unplaced(view, told);
  // Many short moves are set closer together.
  group.classList.toggle("many", buttons.length > MANY && buttons.every((choice) => (choice.label ?? choice.why).length < SHORT));
  const crowd = buttons.filter((choice) => !choice.legal);
  const crowded = crowd.length > CROWD;
  group.classList.toggle("crowded", crowded);
  show(by("reason"), crowded);
  // Many illegal moves go to the end, with their reason below.
  const shown = crowded ? [...buttons.filter((choice) => choice.legal), ...crowd] : buttons;
  sync(group, shown, (choice) => choice.move, create, (button, choice) => update(button, choice, view, told.get(choice.move)));
  // If the focused move is gone, focus the board or the group.
  if (held && !group.contains(document.activeElement)) focusMoves(view);
  const listed = view.moves.map((choice) => choice.move);
  const placed = view.board?.rows.flat().flatMap((cell) => cell.moves) ?? [];
  show(by("more"), view.more > placed.filter((move) => !listed.includes(move)).length);
}

/** Focus the place where moves are made. */
export function focusMoves(view) {
  if (view.board) focusBoard(by("grid"));
  else by("moves").focus();
}

/** Draw the board, and return the moves left for buttons; illegal cells are visible on the board. */
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

/** Update a button. */
function update(button, choice, view, told) {
  const turn = `It is ${view.turn?.text ?? "not your turn"}.`;
  // The reason is addressed to the player to move.
  const why = choice.legal ? (view.turn?.yours ? "" : turn) : view.turn?.yours ? choice.why : "Not legal now.";
  button.shows = { ...choice, why };
  drawMove(button, { ...choice, label: choice.legal ? choice.label : why }, told);
  mark(button, "aria-disabled", why ? "true" : null);
  mark(button, "title", choice.legal && why ? why : null);
  button.classList.toggle("forbidden", !choice.legal);
  button.querySelector(".label").classList.toggle("why", !choice.legal);
}
