// What screen readers hear: one polite live region for all news, so that nothing is said twice.

import { by } from "./dom.js";

// Milliseconds a text stays before the next one, so that it is noticed.
const LEAST = 500;
const BREATH = 60;
let waiting = [];
let last = 0;

/** Say some sentences, after those still waiting. */
export function say(...sentences) {
  const fresh = sentences.filter(Boolean);
  if (!fresh.length) return;
  const begun = waiting.length > 0;
  waiting.push(...fresh);
  if (!begun) setTimeout(speak, Math.max(0, last + LEAST - Date.now()));
}

/** Fill the region; without the pause, the same text again would not be announced. */
function speak() {
  const live = by("live");
  live.textContent = "";
  setTimeout(() => {
    live.textContent = waiting.join(" ");
    waiting = [];
    last = Date.now();
  }, BREATH);
}
