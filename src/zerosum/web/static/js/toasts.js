// @ts-check
// What arrives appears outside the flow, so that nothing moves under a finger; and a tap on what has just moved is ignored.

import { by, make, mark, problem } from "./dom.js";

const MOST = 2;
const [NOTICE_LASTS, PROBLEM_LASTS] = [6000, 12000];
const TOO_SOON = 400;
const PRESSABLE = "button, a, summary, label, .track, .grid";
// The most important first.
const KINDS = ["#gone", "[data-offer]", "#problem", "#notices *", "#sending"];

/** Show a notice for a while; with `text` and `run`, it has a button. Return what takes it away. @param {string} words @param {string} text @param {(() => void) | null} run */
export function notice(words, text = "", run = null) {
  const toast = make("p", { class: "toast" }, make("span", {}, words));
  if (run) {
    const button = make("button", { type: "button", class: "quiet" }, text);
    button.addEventListener("click", () => {
      replace();
      run();
    });
    toast.append(button);
  }
  replace(toast);
  return () => {
    if (toast.isConnected) replace();
  };
}

/** Replace the notice, if there is one; the focus stays on the page. @param {...HTMLElement} toasts */
function replace(...toasts) {
  const held = by("notices").contains(document.activeElement);
  by("notices").replaceChildren(...toasts);
  if (held) by("main").focus();
}

let seen = new Map(); // the toasts that are seen: the place and the text of each
let uncertain = /** @type {number[][]} */ ([]); // where a toast has just come or gone
const timers = new WeakMap();

/** Show the most important toasts, while the others wait; note where one has come or gone. */
function arrange() {
  const rank = (/** @type {Element} */ toast) => KINDS.findIndex((kind) => toast.matches(kind));
  const open = [...by("toasts").querySelectorAll(".toast:not([hidden])")].sort((a, b) => rank(a) - rank(b));
  open.forEach((toast, place) => mark(toast, "data-waiting", place < MOST ? null : "true"));
  // Unlike what is on the screen now, an offset is where a toast comes to rest.
  const placed = (/** @type {HTMLElement} */ { offsetLeft: x, offsetTop: y, offsetWidth: width, offsetHeight: height, textContent }) =>
    ({ place: [x, y, x + width, y + height], textContent });
  const now = new Map(open.slice(0, MOST).map((toast) => [toast, placed(toast)]));
  const before = seen;
  const changed = [...before, ...now].filter(([toast]) => JSON.stringify(before.get(toast)) !== JSON.stringify(now.get(toast)));
  seen = now;
  if (!changed.length) return;
  for (const [toast] of changed) {
    if (before.get(toast)?.textContent === now.get(toast)?.textContent) continue; // one that is only moved does not stay longer
    clearTimeout(timers.get(toast));
    if (now.has(toast)) timers.set(toast, expiry(toast));
  }
  const places = changed.map(([, { place }]) => place);
  uncertain.push(...places);
  setTimeout(() => (uncertain = uncertain.filter((place) => !places.includes(place))), TOO_SOON);
  settling();
}

/** Let a toast that has been read leave; an offer stays until it is answered. @param {Element} toast */
function expiry(toast) {
  if (toast.matches("#problem")) return setTimeout(() => problem(""), PROBLEM_LASTS);
  return toast.matches("#notices *") ? setTimeout(replace, NOTICE_LASTS) : 0;
}

new MutationObserver(arrange).observe(by("toasts"), {
  attributeFilter: ["hidden"],
  characterData: true,
  childList: true,
  subtree: true,
});

const places = new WeakMap(); // where each thing that can be pressed was, and since when
let settled = /** @type {number | null} */ (null);

/** Remember where everything is that can be pressed; what was not there has just come, as have the moves of another `turn`. @param {unknown} turn */
export function settle(turn) {
  const first = settled === null; // a page that has just been opened did not move
  const now = first ? -TOO_SOON : performance.now();
  let moved = false;
  for (const part of by("main").querySelectorAll(PRESSABLE)) {
    const { x, y, width } = part.getBoundingClientRect();
    const { move } = part.dataset;
    const moves = move !== undefined || part.matches(".track, .grid");
    const place = width ? [x + window.scrollX, y + window.scrollY, move, moves && turn].join() : "";
    if (places.get(part)?.place === place) continue;
    places.set(part, { place, since: now });
    moved = true;
  }
  settled ??= 0;
  if (moved && !first) settling();
}

/** Mark the page for as long as some taps on it are ignored. */
function settling() {
  mark(document.body, "data-settling", "true");
  clearTimeout(settled ?? 0);
  settled = setTimeout(() => mark(document.body, "data-settling", null), TOO_SOON);
}

/** Whether a tap is likely to be meant for what was here before. @param {MouseEvent} event */
function tooSoon({ target, clientX: x, clientY: y }) {
  if (uncertain.some(([left, top, right, bottom]) => x >= left && x <= right && y >= top && y <= bottom)) return true;
  const known = places.get(target.closest(PRESSABLE) ?? document);
  return known !== undefined && performance.now() - known.since < TOO_SOON;
}

document.addEventListener(
  "click",
  (event) => {
    // The keyboard's clicks have no detail; they go to what has the focus, wherever it is.
    if (event.detail === 0 || !tooSoon(event)) return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);
