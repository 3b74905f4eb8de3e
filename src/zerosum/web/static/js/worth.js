// @ts-check
// The value of a position or move: a sign and words, never a colour alone.

import { make } from "./dom.js";

/** Make the badge of a value; a short one leaves out why a draw is one. @param {Api.ShownValue | null | undefined} value @param {boolean} brief */
export function worth(value, brief = false) {
  const glyph = (/** @type {string} */ sign) => make("span", { class: "glyph" }, sign);
  const words = (/** @type {string} */ text) => make("span", { class: "words" }, text);
  if (!value) return make("span", { class: "worth" }, glyph("?"), " ", words("unknown"));
  const sign = glyph(value.glyph === "-" ? "−" : value.glyph);
  return make("span", { class: "worth", "data-result": value.result }, sign, " ", words(brief ? briefly(value) : value.text));
}

/** Shorten long numbers in a string to their first and last digits, for a button; some are shortened already. @param {string} text */
export const tight = (text) =>
  text.replace(/\d{10,}|\d{1,3}(,\d{3}){3,}|\d+…\d+ \(\d+ digits\)/g, (long) => {
    const digits = long.replace(/,| .*/g, "");
    return `${digits.slice(0, 4)}…${digits.slice(-4)}`;
  });

/** Say what a value is, on a button: without why a draw is one. @param {Api.ShownValue | null | undefined} value */
const briefly = (value) => (value?.result === "draw" ? "draw" : tight(value?.text ?? "unknown"));

/** Make the tag of a word such as best or blunder; `verdict` is its code. @param {string} word @param {string | null | undefined} verdict */
export function tag(word, verdict) {
  return make("span", { class: "tag", "data-verdict": verdict }, word);
}

/**
 * Return a value and a word in the order in which they are seen: the word of an answer comes first, alone on a phone.
 * @template T @param {Told | undefined} told @param {T} value @param {T} word
 */
const ordered = (told, value, word) => (["right", "wrong"].includes(told?.mark ?? "") ? [word, value] : [value, word]);

/** Say what is known about a move, in the order in which it is seen; why a draw is one comes last. @param {Told | undefined} told */
export function inWords(told) {
  if (!told) return [];
  const value = "value" in told ? briefly(told.value) : "";
  // On the screen, one line above the moves says whose chance it is.
  const chance = (told.chance ?? null) === null ? "" : `${told.chance} chance against medium`;
  const full = told.value?.text ?? value;
  return [...ordered(told, value, told.word), chance, full === value ? "" : full].filter(Boolean);
}

/**
 * Show what is known about a move, its value, a word and its chance, unless that is already on the page.
 * @param {HTMLElement} place @param {Told | undefined} told
 */
export function tell(place, told) {
  const text = JSON.stringify(told ?? null);
  if (place.dataset.shown === text) return;
  place.dataset.shown = text;
  const value = told && "value" in told ? [worth(told.value, true)] : [];
  const word = told?.word ? [tag(told.word, told.verdict)] : [];
  const known = told?.chance ?? null;
  const chance = known === null ? [] : [make("span", { class: "tag chance" }, known)];
  place.replaceChildren(...[...ordered(told, value, word).flat(), ...chance].flatMap((part) => [part, " "])); // apart as words, too
}
