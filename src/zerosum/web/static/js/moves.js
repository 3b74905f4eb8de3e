// The moves of a position: cells of its board, and buttons for all others.

import { drawBoard } from "./board.js";
import { make, mark, put, show, sync } from "./dom.js";
import { chanceOf, tell, valueOf } from "./worth.js";

const MANY = 6;

/**
 * Draw the moves of a position on the board in a box and as buttons in a group; return those that are buttons.
 *
 * `play` gets the chosen move. `told` is what is known about the moves, by move; `why` tells why a move cannot be
 * made now, or nothing; `look` gets the move pointed at, or null. Moves with another `key` are other moves.
 */
export function drawMoves(box, group, board, moves, { play, told, off, why = () => "", look = () => {}, key = "" }) {
  const redraw = () => drawMoves(box, group, board, moves, { play, told, off, why, look, key });
  const cells = { play, off, moves, told, redraw, look: (move) => look(moves.find((choice) => choice.move === move)) };
  // On a board one sees which cells are illegal.
  const listed = drawBoard(box, board, cells).filter(({ legal }) => !board || legal !== false);
  group.classList.toggle("many", listed.length > MANY);
  sync(group, listed, ({ move }) => `${key} ${move}`, makeButton, (button, choice) => {
    const reason = why(choice);
    // The rules' reason, and its short form, are addressed to the player to move.
    const text = choice.legal === false && reason !== choice.why ? reason : choice.button;
    Object.assign(button, { play, look, choice: { ...choice, why: reason, button: text } });
    drawButton(button, button.choice, told.get(choice.move));
  });
  return listed;
}

/** Make the button of a move: its key, what it does, and what is known about it. */
function makeButton({ move }) {
  const button = make(
    "button",
    { type: "button", class: "move", "data-move": move },
    make("span", { class: "key" }, move),
    make("span", { class: "text" }, make("span", { class: "label" }), make("span", { class: "verdict" })),
  );
  button.addEventListener("click", () => button.play(move));
  for (const begin of ["pointerenter", "focus"]) button.addEventListener(begin, () => button.look(button.choice));
  for (const end of ["pointerleave", "blur"]) button.addEventListener(end, () => button.look(null));
  return button;
}

/** Update a button: a few characters to see, the whole sentence to hear; what its key says already is not repeated. */
function drawButton(button, { move, button: short, label, legal, why }, told) {
  const [words, verdict] = button.lastChild.children;
  const barred = legal === false;
  const text = short ?? label;
  put(words, text);
  show(words, text.toLowerCase() !== move.toLowerCase());
  words.classList.toggle("why", barred);
  tell(verdict, told);
  const known = told?.chance ?? null;
  const spoken = [label === move ? move : `${move} ${label}`, valueOf(told), told?.word, known === null ? "" : chanceOf(known)];
  mark(button, "aria-label", barred ? `${move} ${why}` : spoken.filter(Boolean).join(", "));
  mark(button, "data-mark", told?.mark);
  mark(button, "aria-disabled", why ? "true" : null);
  mark(button, "title", why || null);
  button.classList.toggle("forbidden", barred);
  button.classList.toggle("legal", !barred && text !== move);
}
