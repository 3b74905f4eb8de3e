// A move as a button: its key, what it does, and what is known about it.

import { make, mark, put, show } from "./dom.js";
import { tell } from "./worth.js";

/** Make the button of a move. */
export function makeMove({ move }, play) {
  const button = make(
    "button",
    { type: "button", class: "move", "data-move": move },
    make("span", { class: "key" }, move),
    make("span", { class: "text" }, make("span", { class: "label" }), make("span", { class: "verdict" })),
  );
  button.addEventListener("click", () => play(move));
  return button;
}

/** Show on a button what its move does, unless its key says so already, and what is known about it. */
export function drawMove(button, { move, label }, told) {
  const [words, verdict] = button.lastChild.children;
  put(words, label);
  show(words, label.toLowerCase() !== move.toLowerCase());
  tell(verdict, told);
  mark(button, "data-mark", told?.mark);
}
