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
 * Only `moves` can be chosen, and `told` is what is known about them; without moves, all that is told is shown. `play`
 * gets the move of a tapped dot, and `look` the choice pointed at, or null. The token is where a move leads that is `sent`.
 * @param {HTMLElement} box @param {string} picture @param {LinesHow} how
 */
export function drawLines(box, picture, how) {
  if (!kept.has(box)) listen(box);
  kept.set(box, how);
  const before = placesOf(box);
  if (box.dataset.picture !== picture) {
    const first = box.dataset.picture === undefined;
    // What the server has drawn is already there.
    if (!first || !box.firstChild) box.replaceChildren(...new DOMParser().parseFromString(picture, "text/html").body.children);
    box.dataset.picture = picture;
    for (const track of box.querySelectorAll(".track")) drawTrail(track, before.get(track.dataset.line)?.track);
  }
  show(box, picture !== "");
  tellMoves(box, how);
  send(box, how.sent ?? null);
  slide(box, before);
}

/** Return each line with the place of its token. @param {HTMLElement} box */
function placesOf(box) {
  const place = (/** @type {HTMLElement} */ track) => {
    const token = track.querySelector(".token");
    return { track, at: token.parentElement?.getAttribute("x"), x: token.getBoundingClientRect().x };
  };
  return new Map([...box.querySelectorAll(".track")].map((track) => [track.dataset.line, place(track)]));
}

/** Let tokens travel from where they were. @param {HTMLElement} box @param {ReturnType<typeof placesOf>} before */
function slide(box, before) {
  for (const [line, { track, at, x }] of placesOf(box)) {
    const old = before.get(line);
    if (!old || (old.track === track && old.at === at) || Math.abs(old.x - x) < 1 || still()) continue;
    track.querySelector(".token").animate([{ transform: `translateX(${old.x - x}px)` }, { transform: "none" }], SLIDE);
  }
}

/** Show where a number came from, which the line before it tells. @param {HTMLElement} track @param {HTMLElement | undefined} old */
function drawTrail(track, old) {
  const [low, high, value] = [track.dataset.low, track.dataset.high, track.dataset.value].map(Number);
  const last = Number(old?.dataset.value ?? value);
  const from = last === value ? Number(old?.dataset.from ?? value) : last;
  track.dataset.from = String(from);
  if (from === value || from < low || from > high) return;
  const percent = (/** @type {number} */ numbers) => `${(100 * numbers) / (high - low)}%`;
  const rail = Number(track.querySelector(".rail").getAttribute("y1"));
  const height = Math.min(rail - 20, 22 + 6 * Math.abs(from - value));
  const place = `x="${percent(Math.min(from, value) - low)}" y="${rail - height}" width="${percent(Math.abs(from - value))}" height="${height}"`;
  const arc = `<svg class="trail" ${place} viewBox="0 0 100 100" preserveAspectRatio="none"><path d="M0 100Q50 -100 100 100"/></svg>`;
  track.querySelector(".rail").insertAdjacentHTML("afterend", arc);
}

/** Show what can be chosen, and what is known about it. @param {HTMLElement} box @param {LinesHow} how */
function tellMoves(box, { moves, told = new Map(), play, sent }) {
  const shown = new Set(moves ? moves.map(({ move }) => move) : told.keys());
  box.classList.toggle("playable", Boolean(play));
  for (const part of box.querySelectorAll("[data-to]")) {
    const known = told.get(part.dataset.to);
    part.classList.toggle("absent", !shown.has(part.dataset.to));
    part.classList.toggle("sent", part.dataset.to === sent);
    mark(part, "data-mark", known?.mark);
    mark(part, "data-result", known?.value?.result);
    part.querySelector(".sign")?.remove();
    const [value, circle] = [known?.value, part.querySelector("circle")];
    if (!value || !circle) continue;
    const y = circle.r.baseVal.value + 14;
    part.insertAdjacentHTML("beforeend", `<text class="sign" y="${y}">${SIGNS[value.result]}</text>`);
  }
}

/** Put each token where a move leads that is on its way, or else where it belongs. @param {HTMLElement} box @param {string | null} sent */
function send(box, sent) {
  box.classList.toggle("sending", sent !== null);
  for (const track of box.querySelectorAll(".track")) {
    const dot = sent === null ? null : track.querySelector(`.dot[data-to="${CSS.escape(sent)}"]`);
    const token = track.querySelector(".token");
    const place = /** @type {HTMLElement} */ (token.parentElement);
    place.dataset.home ??= place.getAttribute("x") ?? "";
    mark(place, "x", dot ? dot.parentElement?.getAttribute("x") : place.dataset.home);
    put(token.lastChild, dot?.dataset.number ?? place.dataset.number ?? "");
  }
}

/** Return the move of the dot under a thumb, or null. @param {Iterable<Element>} dots @param {number} x */
export function nearest(dots, x) {
  const far = (/** @type {Element} */ dot) => {
    const { left, width } = dot.getBoundingClientRect();
    return Math.abs(left + width / 2 - x);
  };
  const [dot] = [.../** @type {Iterable<HTMLElement>} */ (dots)].sort((a, b) => far(a) - far(b));
  return dot && far(dot) <= NEAR ? dot.dataset.to : null;
}

/** Listen to pointers: the nearest dot is meant. @param {HTMLElement} box */
function listen(box) {
  const meant = (/** @type {MouseEvent} */ { target, clientX }) =>
    nearest(target.closest(".track")?.querySelectorAll(".dot:not(.absent)") ?? [], clientX);
  const look = (/** @type {string | null} */ move) => {
    const { moves = [], look: tell } = kept.get(box) ?? {};
    tell?.(moves.find((choice) => choice.move === move) ?? null);
  };
  box.addEventListener("pointermove", (event) => event.pointerType === "mouse" && look(meant(event)));
  box.addEventListener("pointerleave", () => look(null));
  box.addEventListener("click", (event) => {
    const move = meant(event);
    if (move !== null) kept.get(box)?.play?.(move);
  });
}

/** Point out the arc and the dot of a move in a box; null for none. @param {HTMLElement} box @param {string | null} move */
export function pointAt(box, move) {
  for (const part of box.querySelectorAll("[data-to]")) {
    part.classList.toggle("pointed", part.dataset.to === move);
  }
}
