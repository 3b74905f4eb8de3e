// The value of a position or of a move: a sign, a word and a length, never a colour alone.

import { make } from "./dom.js";

/** Make the badge of a value. */
export function worth(value) {
  if (!value) return make("span", { class: "worth" }, make("span", { class: "glyph" }, "?"), "unknown");
  const glyph = make("span", { class: "glyph" }, value.glyph === "-" ? "−" : value.glyph);
  return make("span", { class: "worth", "data-result": value.result }, glyph, value.text);
}

/** Make the tag of a word such as best or blunder. */
export function tag(word) {
  return make("span", { class: "tag", "data-word": word }, word);
}
