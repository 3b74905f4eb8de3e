// The value of a position or of a move: a sign, a word and a length, never a colour alone.

import { make } from "./dom.js";

/** Make the badge of a value. */
export function worth(value) {
  const glyph = (sign) => make("span", { class: "glyph" }, sign);
  const words = (text) => make("span", { class: "words" }, text);
  if (!value) return make("span", { class: "worth" }, glyph("?"), words("unknown"));
  return make("span", { class: "worth", "data-result": value.result }, glyph(value.glyph === "-" ? "−" : value.glyph), words(value.text));
}

/** Make the tag of a word such as best or blunder; the verdict is the code behind it. */
export function tag(word, verdict) {
  return make("span", { class: "tag", "data-verdict": verdict }, word);
}

/** Show in a place what is known of a move, if that is not shown already: its value, and a word. */
export function tell(place, told) {
  const text = JSON.stringify(told ?? null);
  if (place.dataset.shown === text) return;
  place.dataset.shown = text;
  const value = told && "value" in told ? [worth(told.value)] : [];
  place.replaceChildren(...value, ...(told?.word ? [tag(told.word, told.verdict)] : []));
}
