// The value of a position or move: a sign and words, never a colour alone.

import { make } from "./dom.js";

/** Make the badge of a value; a short one leaves out why a draw is one. */
export function worth(value, brief = false) {
  const glyph = (sign) => make("span", { class: "glyph" }, sign);
  const words = (text) => make("span", { class: "words" }, text);
  if (!value) return make("span", { class: "worth" }, glyph("?"), words("unknown"));
  return make("span", { class: "worth", "data-result": value.result }, glyph(value.glyph === "-" ? "−" : value.glyph), words(brief && value.result === "draw" ? "draw" : value.text));
}

/** Make the tag of a word such as best or blunder; `verdict` is its code. */
export function tag(word, verdict) {
  return make("span", { class: "tag", "data-verdict": verdict }, word);
}

/** Say what a move is worth, as its badge does; nothing if it has none. */
export const valueOf = (told) => (told && "value" in told ? (told.value?.text ?? "unknown") : "");

/** Say against whom a chance is; to the eye, one line above the moves says it for all of them. */
export const chanceOf = (chance) => `${chance} v. medium`;

/** Show what is known about a move, its value, a word and its chance, unless that is already on the page. */
export function tell(place, told) {
  const text = JSON.stringify(told ?? null);
  if (place.dataset.shown === text) return;
  place.dataset.shown = text;
  const value = told && "value" in told ? [worth(told.value, true)] : [];
  const word = told?.word ? [tag(told.word, told.verdict)] : [];
  const known = told?.chance ?? null;
  const chance = known === null ? [] : [make("span", { class: "tag chance" }, known)];
  place.replaceChildren(...value, ...word, ...chance);
}
