// Moves by typing: a digit plays at once if every move is one; else the field and Enter.

import { by, mark, put, show } from "./dom.js";

/** Explain how to type moves in a game, and choose the right on-screen keyboard. */
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

/** Wire up the field and the digits; `current` returns the view, `play` makes the move. */
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
  /** Handle a digit typed outside the field: it is a move, or a move begins with it. */
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
