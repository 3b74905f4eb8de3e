// Moves by typing: a digit at once where it can mean one move only, else in the field and with Enter.

import { by } from "./dom.js";

/** Tell whether what was typed so far can only mean this one move. */
export function plain(text, view) {
  const starts = view.moves.filter((one) => one.move.startsWith(text));
  return view.more === 0 && starts.length === 1 && starts[0].move === text;
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
  /** Take a digit that was typed anywhere else. */
  return function digit(key, event) {
    const view = current();
    if (!view.can.includes("move")) return;
    event.preventDefault();
    if (plain(key, view)) {
      play(key);
      return;
    }
    field.value = key;
    field.focus();
  };
}
