// @ts-check
// Requests, sent again with the same key until they are answered.

const SLOWEST = 8000;
const PATIENCE = 15000;
const BACK = "zerosum-back";

/** An error answer: a sentence for people, and the current table if the request was stale. */
class Problem extends Error {
  /** @param {number} status @param {Api.Refusal | undefined} error */
  constructor(status, error) {
    super(error?.message ?? "That did not work; nothing was changed.");
    this.status = status;
    this.state = error?.state;
  }
}

/** Make a key for one action. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Wait, but only until the network or the server is back. @param {number} milliseconds @returns {Promise<void>} */
function pause(milliseconds) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      window.removeEventListener(BACK, done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    window.addEventListener("online", done);
    window.addEventListener(BACK, done);
  });
}

/** Announce that the server answers again, so that nothing waits any longer. */
export function back() {
  window.dispatchEvent(new Event(BACK));
}

/**
 * Ask until there is an answer, at most `tries` times; `waiting` is called after each failure.
 * @param {string} url @param {RequestInit} options @param {(problem: Problem) => void} waiting @param {number} tries
 */
async function answered(url, options, waiting, tries) {
  for (let turn = 0, rest = 400; ; turn += 1, rest = Math.min(rest * 2, SLOWEST)) {
    let problem = new Problem(0, undefined);
    let least = 0;
    try {
      const answer = await fetch(url, { ...options, signal: AbortSignal.timeout(PATIENCE) });
      const kind = answer.headers.get("content-type") ?? "";
      const document = kind.includes("json") ? await answer.json() : await answer.text();
      if (answer.ok) return document;
      problem = new Problem(answer.status, document.error);
      const passing = answer.status >= 500 || [408, 425, 429].includes(answer.status);
      if (!passing) throw problem;
      least = 1000 * Number(answer.headers.get("retry-after") ?? 0);
    } catch (error) {
      if (error instanceof Problem) throw error;
    }
    if (turn + 1 >= tries) throw problem;
    waiting(problem);
    await pause(Math.max(least, rest * (0.8 + 0.4 * Math.random())));
  }
}

/**
 * Send a document, as often as it takes; its key sees to it that it has one effect.
 * @param {string} url @param {object} body @param {(problem: Problem) => void} waiting @param {number} tries
 */
export function post(url, body, waiting = () => {}, tries = Infinity) {
  const headers = { "content-type": "application/json", accept: "application/json" };
  return answered(url, { method: "POST", headers, body: JSON.stringify(body) }, waiting, tries);
}

/** Fetch JSON or text. @param {string} url @param {(problem: Problem) => void} waiting @param {number} tries */
export function get(url, waiting = () => {}, tries = 8) {
  return answered(url, { headers: { accept: "application/json, image/svg+xml" } }, waiting, tries);
}
