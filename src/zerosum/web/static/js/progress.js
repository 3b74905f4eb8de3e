// Solved puzzles and the streak, stored in this browser only.

const PLACE = "zerosum.puzzles";
const MOST = 2000;
const NONE = { solved: [], streak: 0, best: 0 };
let memory = NONE;

/** Read the progress so far. */
export function progress() {
  try {
    const found = JSON.parse(localStorage.getItem(PLACE) ?? "null");
    if (Array.isArray(found?.solved) && Number.isInteger(found.streak) && Number.isInteger(found.best)) return found;
  } catch {
    return memory;
  }
  return memory;
}

/** Save the progress. */
function keep(now) {
  memory = now;
  try {
    localStorage.setItem(PLACE, JSON.stringify(now));
  } catch {
    // Storage may be blocked; then progress lasts as long as the page.
  }
  return now;
}

/** Record a solved puzzle; the streak grows if it was solved on the first try. */
export function solved(id, first) {
  const { solved: before, streak, best } = progress();
  const now = first ? streak + 1 : streak;
  return keep({ solved: [...before.filter((other) => other !== id), id].slice(-MOST), streak: now, best: Math.max(best, now) });
}

/** Record a wrong answer. */
export function missed() {
  return keep({ ...progress(), streak: 0 });
}

/** Reset everything. */
export function forget() {
  return keep(NONE);
}
