// @ts-check
// Number lines: the server draws them; here the numbers that can be reached are tapped and pointed at, and the token moves.

import { mark, put, show, still } from "./dom.js";

const NEAR = 26; // pixels
const SLIDE = { duration: 450, easing: "cubic-bezier(0.3, 1.3, 0.6, 1)" };
const SIGNS = { win: "✓", loss: "✕", draw: "=" };
const kept = /** @type {WeakMap<HTMLElement, LinesHow>} */ (new WeakMap()); // how each box is drawn now

/**
 * Show the number lines of a position in a box; without them, it is hidden.
 *
 * `names` are the owners' names by seat, if they are not those that are drawn. Only `moves` can be chosen, and `told` is
 * what is known about them; without moves, all that is told is shown. `play` gets the move of a tapped dot, and `look`
 * the choice pointed at, or null.
 * @param {HTMLElement} box @param {string} picture @param {LinesHow} how
 */
export function drawLines(box, picture, how) {
  if (!kept.has(box)) listen(box);
  kept.set(box, how);
  const tokens = placesOf(box);
  if (box.dataset.picture !== picture) {
    const first = box.dataset.picture === undefined;
    // What the server has drawn is already there.
    if (!first || !box.firstChild) box.replaceChildren(...new DOMParser().parseFromString(picture, "text/html").body.children);
    box.dataset.picture = picture;
    for (const track of box.querySelectorAll(".track")) drawTrail(box, track);
  }
  show(box, picture !== "");
  tellMoves(box, how);
  slide(box, tokens);
}

/** Return where the tokens are, by line. @param {HTMLElement} box */
function placesOf(box) {
  const tokens = [...box.querySelectorAll(".token")].filter((token) => token.getBoundingClientRect().width > 0);
  return new Map(tokens.map((token) => [lineOf(token), { token, x: token.getBoundingClientRect().x }]));
}

/** Name the line that a part belongs to. @param {Element} part */
const lineOf = (part) => part.closest(".lane")?.dataset.line ?? "";

/** Let tokens travel from where they were. @param {HTMLElement} box @param {ReturnType<typeof placesOf>} before */
function slide(box, before) {
  for (const [line, { token, x }] of placesOf(box)) {
    const old = before.get(line);
    if (!old || old.token === token || Math.abs(old.x - x) < 1 || still()) continue;
    token.animate([{ transform: `translateX(${old.x - x}px)` }, { transform: "none" }], SLIDE);
  }
}

/** Show where a number came from, on either drawing of its line. @param {HTMLElement} box @param {HTMLElement} track */
function drawTrail(box, track) {
  const [low, high, value] = [track.dataset.low, track.dataset.high, track.dataset.value].map(Number);
  const known = `trail${lineOf(track)}`.replace(/\W|_/g, "");
  const [before = value, last = value] = (box.dataset[known] ?? "").split(" ").filter(Boolean).map(Number);
  const from = last === value ? before : last;
  box.dataset[known] = `${from} ${value}`;
  if (from === value || from < low || from > high) return;
  const percent = (/** @type {number} */ numbers) => `${(100 * numbers) / (high - low)}%`;
  const rail = Number(track.querySelector(".rail").getAttribute("y1"));
  const height = Math.min(rail - 20, 22 + 6 * Math.abs(from - value));
  const place = `x="${percent(Math.min(from, value) - low)}" y="${rail - height}" width="${percent(Math.abs(from - value))}" height="${height}"`;
  const arc = `<svg class="trail" ${place} viewBox="0 0 100 100" preserveAspectRatio="none"><path d="M0 100Q50 -100 100 100"/></svg>`;
  track.querySelector(".rail").insertAdjacentHTML("afterend", arc);
}

/** Show what can be chosen, and what is known about it. @param {HTMLElement} box @param {LinesHow} how */
function tellMoves(box, { moves, told = new Map(), play }) {
  const shown = new Set(moves ? moves.map(({ move }) => move) : told.keys());
  box.classList.toggle("playable", Boolean(play));
  box.classList.toggle("told", told.size > 0);
  for (const part of box.querySelectorAll("[data-to]")) {
    const known = told.get(part.dataset.to);
    part.classList.toggle("absent", !shown.has(part.dataset.to));
    mark(part, "data-mark", known?.mark);
    mark(part, "data-result", known?.value?.result);
    const sign = part.querySelector(".sign");
    if (sign) put(sign, known?.value ? SIGNS[known.value.result] : "");
  }
}

/** Listen to pointers: the nearest dot is meant. @param {HTMLElement} box */
function listen(box) {
  const nearest = (/** @type {MouseEvent} */ { target, clientX: x }) => {
    const far = (/** @type {Element} */ dot) => {
      const { left, width } = dot.getBoundingClientRect();
      return Math.abs(left + width / 2 - x);
    };
    const dots = target.closest(".track")?.querySelectorAll(".dot:not(.absent)") ?? [];
    const [dot] = [...dots].sort((a, b) => far(a) - far(b));
    return dot && far(dot) <= NEAR ? dot.dataset.to : null;
  };
  const look = (/** @type {string | null} */ move) => {
    const { moves = [], look: tell } = kept.get(box) ?? {};
    tell?.(moves.find((choice) => choice.move === move) ?? null);
  };
  box.addEventListener("pointermove", (event) => event.pointerType === "mouse" && look(nearest(event)));
  box.addEventListener("pointerleave", () => look(null));
  box.addEventListener("click", (event) => {
    const move = nearest(event);
    if (move !== null) kept.get(box)?.play?.(move);
  });
}

/** Point out the arc and the dot of a move in a box; null for none. @param {HTMLElement} box @param {string | null} move */
export function pointAt(box, move) {
  for (const part of box.querySelectorAll("[data-to]")) {
    part.classList.toggle("pointed", part.dataset.to === move);
  }
}
