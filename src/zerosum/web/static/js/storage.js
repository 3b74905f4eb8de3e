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

/** Store a string. @param {string} key @param {string} text */
export function write(key, text) {
  forgotten.set(key, text);
  try {
    localStorage.setItem(key, text);
  } catch {
    // Remembered above.
  }
}
