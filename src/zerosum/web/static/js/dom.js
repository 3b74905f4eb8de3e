// @ts-check
// DOM helpers: find, make, and change only what differs, so that the focus stays; and say what happened.

/** Find an element by its id. @template {keyof Ids} K @param {K} id @returns {Ids[K]} */
export const by = (id) => document.getElementById(id);

/** Write a count before its noun. @param {number} count @param {string} noun */
export const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Keep moves in one piece: no line breaks at an arrow. @param {string} text */
export const whole = (text) => text.replaceAll(" → ", "\u00a0→\u00a0");

/**
 * Make an element; children are elements or strings.
 * @template {keyof HTMLElementTagNameMap} K @param {K} name @param {Record<string, unknown>} attributes @param {...(Node | string)} children @returns {HTMLElementTagNameMap[K]}
 */
export function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) mark(made, key, value);
  made.append(...children);
  return made;
}

/** Return a copy of a part of the page, whose markup the server has put into a template. @param {"field-part" | "cell-part" | "move-part" | "position-part" | "placed-part"} id */
export const copyOf = (id) => /** @type {HTMLElement} */ (by(id).content.firstElementChild?.cloneNode(true));

/** Set an element's text, if it differs. @param {Node} element @param {string | null} text */
export function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Set or remove an attribute, if it differs. @param {Element} element @param {string} name @param {unknown} value */
export function mark(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

/** Show or hide an element. @param {HTMLElement} element @param {boolean} visible */
export function show(element, visible) {
  element.hidden = !visible;
}

/** Show an error, which screen readers announce; an empty one goes away. @param {string} text */
export function problem(text) {
  put(by("problem"), text);
  show(by("problem"), text !== "");
}

// Milliseconds a message stays before the next one, so that it is noticed.
const LEAST = 500;
const BREATH = 60;
let waiting = /** @type {string[]} */ ([]);
let last = 0;

/**
 * Say some sentences to screen readers, after those still waiting; one live region says nothing twice.
 * @param {...(string | null | undefined | false)} sentences
 */
export function say(...sentences) {
  const fresh = sentences.flatMap((text) => text || []);
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

/**
 * Match a parent's children to a list; a child stays as long as its key is in the list.
 * @template T @param {HTMLElement} parent @param {T[]} items @param {(item: T) => unknown} keyOf @param {(item: T) => HTMLElement} create @param {(child: HTMLElement, item: T) => void} update
 */
export function sync(parent, items, keyOf, create, update) {
  const keys = items.map((item) => String(keyOf(item)));
  const wanted = new Set(keys);
  const kept = /** @type {Map<string, HTMLElement>} */ (new Map());
  for (const child of [...parent.children]) {
    if (wanted.has(child.dataset.key)) kept.set(child.dataset.key, child);
    else child.remove();
  }
  const focused = document.activeElement;
  let place = /** @type {Element | null} */ (parent.firstElementChild);
  items.forEach((item, at) => {
    const child = kept.get(keys[at]) ?? create(item);
    child.dataset.key = keys[at];
    if (child === place) place = place.nextElementSibling;
    else parent.insertBefore(child, place);
    update(child, item);
  });
  // Moving an element within the page makes it lose the focus.
  if (parent.contains(focused) && focused !== document.activeElement) focused.focus();
}

/** Whether the visitor prefers reduced motion. */
export const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Insert a picture from the server, without its own style sheet. @param {HTMLElement} box @param {string} text @returns {SVGSVGElement} */
export function picture(box, text) {
  // The content security policy blocks inline styles even while parsing.
  const plain = text.replace(/<style[^>]*>[^<]*<\/style>/g, "");
  const drawn = new DOMParser().parseFromString(plain, "image/svg+xml").documentElement;
  if (drawn.localName !== "svg") throw new Error("The server did not send a picture.");
  const placed = /** @type {SVGSVGElement} */ (document.importNode(/** @type {Element} */ (drawn), true));
  box.replaceChildren(placed);
  return placed;
}

/** Scroll a box sideways until a part of it is in view; the page itself does not scroll. @param {Element} box @param {Element} part */
export function inSight(box, part) {
  const [outer, inner] = [box.getBoundingClientRect(), part.getBoundingClientRect()];
  if (inner.left < outer.left || inner.right > outer.right) {
    box.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
  }
}
