// What a screen reader hears: one polite region for all news, so that nothing is said twice.

import { by } from "./dom.js";

let waiting = [];

/** Say some sentences after those that are still to be said. */
export function say(...sentences) {
  const fresh = sentences.filter(Boolean);
  if (!fresh.length) return;
  const begun = waiting.length;
  waiting.push(...fresh);
  if (begun) return;
  const live = by("live");
  live.textContent = "";
  // A region that is emptied and filled in one go may be passed over where the text is the same.
  setTimeout(() => {
    live.textContent = waiting.join(" ");
    waiting = [];
  }, 80);
}
