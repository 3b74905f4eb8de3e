// The value of a position or move: a sign and words, never a colour alone.

import { make } from "./dom.js";

/** Make the badge of a value. */
export function worth(value) {
  const glyph = (sign) => make("span", { class: "glyph" }, sign);
  const words = (text) => make("span", { class: "words" }, text);
  if (!value) return make("span", { class: "worth" }, glyph("?"), words("unknown"));
  return make("span", { class: "worth", "data-result": value.result }, glyph(value.glyph === "-" ? "−" : value.glyph), words(value.text));
}

/** Make the tag of a word such as best or blunder; `verdict` is its code. */
export function tag(word, verdict) {
  return make("span", { class: "tag", "data-verdict": verdict }, word);
}

/** Show what is known about a move, its value and a word, unless that is already on the page. */
export function tell(place, told) {
  const text = JSON.stringify(told ?? null);
  if (place.dataset.shown === text) return;
  place.dataset.shown = text;
  const value = told && "value" in told ? [worth(told.value)] : [];
  place.replaceChildren(...value, ...(told?.word ? [tag(told.word, told.verdict)] : []));
}
