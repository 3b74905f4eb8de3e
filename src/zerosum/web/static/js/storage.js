// @ts-check
// What this device remembers; storage may be forbidden, then it lasts as long as the page.

const forgotten = new Map();

/** Read what was stored, or null. @param {string} key */
export function read(key) {
  try {
    return localStorage.getItem(key) ?? forgotten.get(key) ?? null;
  } catch {
    return forgotten.get(key) ?? null;
  }
}

/**
 * Read a document, or return another of its kind if there is none, or somebody else's text.
 * @template T @param {string} key @param {T} otherwise @returns {T}
 */
export function readDocument(key, otherwise) {
  try {
    const found = JSON.parse(read(key) ?? "null");
    if (found !== null && typeof found === "object" && Array.isArray(found) === Array.isArray(otherwise)) return found;
  } catch {
    // It was damaged.
  }
  return otherwise;
}

/** Store a string. @param {string} key @param {string} text */
export function write(key, text) {
  forgotten.set(key, text);
  try {
    localStorage.setItem(key, text);
  } catch {
    // Remembered above.
  }
}
