// What a screen reader hears: one polite region for all news, so that nothing is said twice.

import { by } from "./dom.js";

// A text stays this long before another takes its place, so that it is noticed.
const LEAST = 500;
const BREATH = 60;
let waiting = [];
let last = 0;

/** Say some sentences, after those that are still to be said. */
export function say(...sentences) {
  const fresh = sentences.filter(Boolean);
  if (!fresh.length) return;
  const begun = waiting.length > 0;
  waiting.push(...fresh);
  if (!begun) setTimeout(speak, Math.max(0, last + LEAST - Date.now()));
}

/** Fill the region; emptied and filled in one go, the same text again would be passed over. */
function speak() {
  const live = by("live");
  live.textContent = "";
  setTimeout(() => {
    live.textContent = waiting.join(" ");
    waiting = [];
    last = Date.now();
  }, BREATH);
}
