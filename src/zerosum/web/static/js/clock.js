// @ts-check
// The turn's clock: counts down between updates; only the server decides.

import { by, put, say, show } from "./dom.js";

const SHORT = 10;
let ends = /** @type {number | null} */ (null);
let mine = false;
let warned = true;

/** Set the clock from a view. @param {Api.TableView} view */
export function setClock(view) {
  const left = view.clock?.left ?? null;
  ends = left === null ? null : performance.now() + left * 1000;
  mine = Boolean(view.turn?.yours);
  warned = left === null || left <= SHORT;
  tick();
}

/** Show the seconds left. */
function tick() {
  const clock = by("clock");
  show(clock, ends !== null);
  if (ends === null) return;
  const left = Math.max(0, (ends - performance.now()) / 1000);
  const whole = Math.ceil(left);
  const text = whole >= 60 ? `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}` : `${whole} s`;
  put(clock, text);
  clock.classList.toggle("short", left <= SHORT);
  if (mine && !warned && left <= SHORT) {
    warned = true;
    say(`${SHORT} seconds left.`);
  }
}

setInterval(tick, 250);
