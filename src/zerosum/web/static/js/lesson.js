// @ts-check
// Positions to find a move in: tap a button, a dot or a cell, and the answer is there at once.

import "./start.js";
import { mark, put, say } from "./dom.js";
import { nearest, pointAt } from "./line.js";

/** Answer a move, and let the page know whether it was right. @param {HTMLElement} box @param {HTMLElement} button */
function answer(box, button) {
  const told = button.dataset.right === "yes" ? "right" : "wrong";
  for (const other of box.querySelectorAll("button[data-move]")) mark(other, "data-mark", other === button ? told : null);
  pointAt(box, button.dataset.move ?? null);
  const said = box.querySelector(".said");
  put(said, button.dataset.said);
  mark(said, "data-mark", told);
  say(button.dataset.said);
  box.dispatchEvent(new CustomEvent("answered", { bubbles: true, detail: told }));
}

for (const box of document.querySelectorAll(".lesson")) {
  box.addEventListener("click", (event) => {
    const { target, clientX } = event;
    const tapped = target.closest("[data-move]")?.dataset.move ?? target.closest("[data-tap]")?.dataset.tap;
    const move = tapped ?? (target.closest("svg") ? nearest(box.querySelectorAll(".dot"), clientX) : null);
    const button = [...box.querySelectorAll("button[data-move]")].find((found) => found.dataset.move === move);
    if (!button) return;
    event.preventDefault();
    answer(box, button);
  });
}
