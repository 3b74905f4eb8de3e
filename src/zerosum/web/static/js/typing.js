// Moves by typing: a digit at once where every move is one, else in the field and with Enter.

import { by, mark, put, show } from "./dom.js";

/** Say how moves are typed in a game, and offer the keyboard for them. */
export function drawTyping(view) {
  const moves = view.moves.filter(({ legal }) => legal);
  if (!moves.length) return;
  const typed = `Type a move, such as ${moves[0].move}, and press Enter.`;
  put(by("typed-help"), view.digits ? "Type a move and press Enter; outside this field, a digit plays at once." : typed);
  put(by("help-typed"), typed);
  show(by("help-digits"), view.digits);
  show(by("help-board"), Boolean(view.board));
  mark(by("typed-move"), "inputmode", moves.every(({ move }) => /^\d+$/.test(move)) ? "numeric" : "text");
}

/** Make the field and the digits play; `current` gives the view, `play` makes the move. */
export function typing(current, play) {
  const field = by("typed-move");
  by("typed").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (!text) return;
    play(text);
    field.value = "";
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") field.value = "";
  });
  /** Take a digit that was typed anywhere else: it is a move, or a move begins with it. */
  return function digit(key, event) {
    const view = current();
    const begins = view.moves.some(({ move }) => move.startsWith(key));
    if (!view.can.includes("move") || !(view.digits || begins)) return;
    event.preventDefault();
    if (view.digits) play(key);
    else {
      field.value = key;
      field.focus();
    }
  };
}
