// @ts-check
// Moves by typing, and shortcuts anywhere on the page: a digit plays at once if every move is one; else the field and Enter.

import { by, mark } from "./dom.js";
import { read, write } from "./storage.js";

const SWITCH = "zerosum.keys";

/** Whether shortcuts are on; they can be switched off, since they get in some people's way. */
export const keysOn = () => read(SWITCH) !== "off";

/** Switch shortcuts on or off. @param {boolean} on */
export const switchKeys = (on) => write(SWITCH, on ? "on" : "off");

/** Choose the on-screen keyboard for some moves. @param {{ move: string }[]} moves */
export function drawTyping(moves) {
  mark(by("typed-move"), "inputmode", moves.every(({ move }) => /^\d+$/.test(move)) ? "numeric" : "text");
}

/**
 * Wire up the field and the keys: `play` gets a move, and `keys` has what other keys do. `current` returns the `moves`
 * of the position, whether its game's moves are all `digits`, and what this visitor `can` do.
 * @param {() => Typed} current @param {Play} play @param {Record<string, (event: KeyboardEvent) => void>} keys
 */
export function typing(current, play, keys = {}) {
  const field = by("typed-move");
  by("typed").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = field.value.trim();
    field.value = "";
    if (text) play(text);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") field.value = "";
  });

  /** Handle a digit typed outside the field: it is a move, or a move begins with it. @param {string} key @param {KeyboardEvent} event */
  function digit(key, event) {
    const { moves, digits, can } = current();
    if (!can.includes("move") || !(digits || moves.some(({ move }) => move.startsWith(key)))) return;
    event.preventDefault();
    if (digits) play(key);
    else {
      field.value = key;
      field.focus();
    }
  }

  document.addEventListener("keydown", (event) => {
    document.body.classList.add("keyboard");
    if (event.repeat) {
      // A key that is held down is one move, also where it presses a button.
      if (event.key === "Enter" && event.target.closest?.("button")) event.preventDefault();
      return;
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (!keysOn() || document.querySelector("dialog[open]")) return;
    if (event.target.closest?.("input, select, textarea, [contenteditable]")) {
      if (!event.target.matches('[type="radio"], [type="checkbox"]')) return;
    }
    if (/^\d$/.test(event.key)) digit(event.key, event);
    else keys[event.key]?.(event);
  });
}
