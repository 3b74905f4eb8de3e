// @ts-check
// The moves of a position: cells of its board, and buttons for all others.

import { drawBoard } from "./board.js";
import { copyOf, mark, put, show, sync } from "./dom.js";
import { inWords, tell, tight } from "./worth.js";

const KEY = 4; // the most characters of a key that stands beside its text

/**
 * Draw the moves of a position on the board in a box and as buttons in a group; return those that are buttons.
 *
 * `play` gets the chosen move. `told` is what is known about the moves, by move; `why` tells why a move cannot be
 * made now, or nothing; `look` gets the move pointed at, or null; `sent` is a move on its way, of a `seat`. Moves with
 * another `key` are other moves.
 * @param {HTMLElement} box @param {HTMLElement} group @param {Api.Board | null} board @param {Choice[]} moves @param {MovesHow} how
 */
export function drawMoves(box, group, board, moves, how) {
  const { play, told, off, why = () => "", look = () => {}, key = "", sent, seat } = how;
  const redraw = () => drawMoves(box, group, board, moves, how);
  const cells = { play, off, moves, told, redraw, sent, seat, look: (/** @type {string | null} */ move) => look(moves.find((choice) => choice.move === move)) };
  // On a board one sees which cells are illegal.
  const listed = drawBoard(box, board, cells).filter(({ legal }) => !board || legal !== false);
  sync(group, listed, ({ move }) => `${key} ${move}`, makeButton, (button, choice) => {
    const shown = { ...choice, why: why(choice) };
    button.classList.toggle("sent", choice.move === sent);
    Object.assign(button, { play, look, choice: shown });
    drawButton(button, shown, told.get(choice.move));
  });
  return listed;
}

/** Make the button of a move: its key, what it does, and what is known about it. @param {Choice} choice */
function makeButton({ move }) {
  const button = /** @type {MoveButton} */ (copyOf("move-part"));
  button.dataset.move = move;
  put(button.firstChild, tight(move));
  button.addEventListener("click", () => button.play(move));
  for (const begin of ["pointerenter", "focus"]) button.addEventListener(begin, () => button.look(button.choice));
  for (const end of ["pointerleave", "blur"]) button.addEventListener(end, () => button.look(null));
  return button;
}

/**
 * Update a button: a few characters to see; to hear, the same first and then the whole sentence. What its key says already is not repeated.
 * @param {HTMLElement} button @param {Choice} choice @param {Told | undefined} told
 */
function drawButton(button, { move, button: short, label, legal, why }, told) {
  const [words, verdict] = button.lastChild.children;
  const barred = legal === false;
  const text = short ?? label;
  const more = text.toLowerCase() !== move.toLowerCase();
  put(words, text);
  show(words, more);
  words.classList.toggle("why", barred);
  tell(verdict, told);
  const key = tight(move);
  const seen = [more ? `${key} ${text}` : key, ...inWords(told)].join(", ");
  const sentence = (barred ? why : label) ?? "";
  mark(button, "aria-label", [move, text].includes(sentence) ? seen : `${seen}. ${sentence}`);
  mark(button, "data-mark", told?.mark);
  mark(button, "aria-disabled", why ? "true" : null);
  mark(button, "title", why || null);
  button.classList.toggle("legal", !barred && more);
  button.classList.toggle("worded", !more || key.length > KEY);
}
