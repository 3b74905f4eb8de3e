// A number as beads in rows of ten, to be counted at a glance; empty slots are dots.

import { make, still } from "./dom.js";

const MOST = 50;
const ROW = 10;
const LEAVING = 450;

/** Return how many beads show a number; null if it is too large, or not a number. */
function many(value) {
  const count = /^-?\d{1,3}$/.test(value) ? Math.abs(Number(value)) : Infinity;
  return count <= MOST ? count : null;
}

/** Make room for this many beads, in whole rows. */
function room(box, count) {
  const cells = Math.max(1, Math.ceil(count / ROW)) * ROW;
  while (box.children.length < cells) box.append(make("i"));
  return cells;
}

/** Draw a number as beads. */
export function drawBeads(box, value, first) {
  const count = many(value);
  const below = value.startsWith("-");
  const before = below === box.classList.contains("below") && !first ? Number(box.dataset.count || 0) : 0;
  box.hidden = count === null;
  box.classList.toggle("below", below);
  box.dataset.count = count ?? "";
  if (count === null) {
    box.replaceChildren();
    return;
  }
  room(box, Math.max(count, before));
  const moving = !first && !still();
  [...box.children].forEach((cell, place) => {
    const there = place < count;
    const fresh = there && place >= before;
    const gone = !there && place < before;
    cell.className = `${there ? "bead" : "slot"}${moving && fresh ? " fresh" : ""}${moving && gone ? " gone" : ""}`;
  });
  const tidy = () => {
    if (box.dataset.count !== String(count)) return;
    box.querySelectorAll(".gone, .fresh").forEach((cell) => cell.classList.remove("gone", "fresh"));
    [...box.children].slice(room(box, count)).forEach((cell) => cell.remove());
  };
  if (moving) setTimeout(tidy, LEAVING);
  else tidy();
}

/** Show which beads a move would remove or add. */
export function previewBeads(box, value) {
  const count = many(value);
  if (count === null || box.hidden || !box.dataset.count) return;
  const now = Number(box.dataset.count);
  const same = now === 0 || count === 0 || value.startsWith("-") === box.classList.contains("below");
  const stay = same ? count : 0;
  room(box, Math.max(now, stay));
  [...box.children].forEach((cell, place) => {
    if (place < now && place >= stay) cell.classList.add("going");
    if (place >= now && place < stay) cell.classList.add("coming");
  });
}

/** Clear the preview. */
export function clearBeads(box) {
  for (const cell of box.children) cell.classList.remove("going", "coming");
  if (!box.dataset.count || box.querySelector(".gone")) return;
  [...box.children].slice(room(box, Number(box.dataset.count))).forEach((cell) => cell.remove());
}
