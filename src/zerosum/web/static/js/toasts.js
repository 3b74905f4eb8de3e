// What arrives appears outside the flow, so that nothing moves under a finger; and a tap on what has just moved is ignored.

import { by, make, mark } from "./dom.js";

const LASTS = 6000;
const TOO_SOON = 400;
const PRESSABLE = "button, a, summary, label, .track";

/** Show a notice for a while; with `text` and `run`, it has a button. */
export function notice(words, text = "", run = null) {
  const toast = make("p", { class: "toast" }, make("span", {}, words));
  if (run) {
    const button = make("button", { type: "button", class: "quiet" }, text);
    button.addEventListener("click", () => {
      toast.remove();
      run();
    });
    toast.append(button);
  }
  by("notices").replaceChildren(toast);
  setTimeout(() => toast.remove(), LASTS);
}

const places = new WeakMap(); // where each thing that can be pressed was, and since when
let settled = null;

/** Remember where everything is that can be pressed; what was not there before has just come. */
export function settle() {
  const first = settled === null; // a page that has just been opened did not move
  const now = first ? -TOO_SOON : performance.now();
  let moved = false;
  for (const part of by("main").querySelectorAll(PRESSABLE)) {
    const { x, y, width } = part.getBoundingClientRect();
    const place = width ? [x + window.scrollX, y + window.scrollY, part.dataset.move].join() : "";
    if (places.get(part)?.place === place) continue;
    places.set(part, { place, since: now });
    moved = true;
  }
  settled ??= 0;
  if (!moved || first) return;
  mark(document.body, "data-settling", "true");
  clearTimeout(settled);
  settled = setTimeout(() => mark(document.body, "data-settling", null), TOO_SOON);
}

document.addEventListener(
  "click",
  (event) => {
    // The keyboard's clicks have no detail; they go to what has the focus, wherever it is.
    const part = event.detail > 0 && event.target.closest(PRESSABLE);
    const known = part && places.get(part);
    if (!known || performance.now() - known.since >= TOO_SOON) return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);
