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

/** Write a chance against a medium opponent in a few characters; one that is not quite certain or impossible is not written as if it were. */
export function chanceOf(chance) {
  const known = chance <= 1e-9 || chance >= 1 - 1e-9;
  const share = known || (chance >= 0.01 && chance <= 0.99) ? `${Math.round(100 * chance)}%` : chance < 0.5 ? "under 1%" : "over 99%";
  return `${share} v. medium`;
}

/** Write a chance so that where there is little room its opponent can be left out. */
function shortened(chance) {
  const [share, ...versus] = chanceOf(chance).split(/(?= v\.)/);
  return [share, make("span", { class: "versus" }, ...versus)];
}

/** Show what is known about a move, its value, a word and its chance, unless that is already on the page. */
export function tell(place, told) {
  const text = JSON.stringify(told ?? null);
  if (place.dataset.shown === text) return;
  place.dataset.shown = text;
  const value = told && "value" in told ? [worth(told.value, true)] : [];
  const word = told?.word ? [tag(told.word, told.verdict)] : [];
  const known = told?.chance ?? null;
  const chance = known === null ? [] : [make("span", { class: "tag chance" }, ...shortened(known))];
  place.replaceChildren(...value, ...word, ...chance);
}
