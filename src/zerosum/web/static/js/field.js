// @ts-check
// One field of a position: a large number, or lives, and a preview of a move's effect.

import { copyOf, make, mark, put, show, still, sync } from "./dom.js";

const MOST_LIVES = 20;
const LONGEST_COUNT = 12;
const SPENT = "♡";
const LIFE = "♥";

/** Draw the fields of a position in a box. @param {HTMLElement} box @param {Api.ShownField[]} fields */
export function drawFields(box, fields) {
  sync(box, fields, (field) => field.name, () => copyOf("field-part"), drawField);
}

/** Show the value of a field, and animate a change. @param {HTMLElement} node @param {Api.ShownField} field */
function drawField(node, field) {
  const number = node.querySelector(".number");
  const old = number.dataset.value;
  node.dataset.field = field.name;
  node.dataset.kind = field.kind;
  put(node.querySelector(".field-title"), field.title);
  clearPreview(node);
  if (old === field.value) return;
  number.dataset.value = field.value;
  mark(node, "data-length", field.value.length);
  number.classList.toggle("huge", field.value.length > 16);
  const first = old === undefined;
  if (field.kind === "lives") drawLives(node, field.value, first);
  if (first || still()) put(number, shown(field.value));
  else {
    node.classList.remove("changed");
    void node.offsetWidth; // restarts the animation
    node.classList.add("changed");
    count(number, old, field.value);
  }
}

/** Preview what a move would do to a field. @param {HTMLElement} node @param {string} value */
export function previewField(node, value) {
  clearPreview(node);
  put(node.querySelector(".then"), `→ ${shown(value)}`);
  if (node.dataset.kind === "lives") {
    const lives = [...node.querySelectorAll(".life:not(.spent, .gone)")];
    lives.slice(Math.max(0, Number(value))).forEach((life) => life.classList.add("going"));
  }
}

/** Clear the preview. @param {HTMLElement} node */
export function clearPreview(node) {
  put(node.querySelector(".then"), "");
  node.querySelectorAll(".life.going").forEach((life) => life.classList.remove("going"));
}

/** Format a number with a proper minus sign. @param {string} value */
function shown(value) {
  return value.replace(/^-(?=\d)/, "−");
}

/** Draw lives as hearts, the lost ones hollow. @param {HTMLElement} node @param {string} value @param {boolean} first */
function drawLives(node, value, first) {
  const box = node.querySelector(".lives");
  const many = Math.max(0, Number(value));
  const most = Math.max(many, Number(box.dataset.most ?? 0));
  box.dataset.most = String(most);
  // Too many to count at a glance; the number is enough.
  show(box, most <= MOST_LIVES);
  if (most > MOST_LIVES) {
    box.replaceChildren();
    return;
  }
  for (let more = box.children.length; more < most; more += 1) box.append(make("span", { class: "life" }, LIFE));
  [...box.children].forEach((life, place) => {
    const spent = place >= many;
    if (spent && !life.classList.contains("spent") && !first && !still()) {
      life.classList.add("gone");
      life.addEventListener("animationend", () => life.classList.remove("gone"), { once: true });
    }
    life.classList.toggle("spent", spent);
    put(life, spent ? SPENT : LIFE);
  });
}

/** Animate a number from its old value to the new one. @param {HTMLElement} element @param {string} old @param {string} value */
function count(element, old, value) {
  const [from, to] = [Number(old), Number(value)];
  if (!Number.isFinite(from) || !Number.isFinite(to) || value.length > LONGEST_COUNT) {
    put(element, shown(value));
    return;
  }
  const begin = performance.now();
  const lasts = Math.min(700, 250 + 40 * Math.abs(to - from));
  const step = (/** @type {number} */ now) => {
    if (element.dataset.value !== value) return; // a newer one is running
    const part = Math.min(1, (now - begin) / lasts);
    const eased = 1 - (1 - part) ** 3;
    put(element, part < 1 ? shown(String(Math.round(from + (to - from) * eased))) : shown(value));
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  // A page in the background draws no frames, but must still end up right.
  setTimeout(() => element.dataset.value === value && put(element, shown(value)), lasts + 100);
}
