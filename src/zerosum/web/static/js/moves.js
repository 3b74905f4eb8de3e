// The moves as buttons with the rule book's numbers; forbidden ones stay, with the reason.

import { endPreview, preview } from "./board.js";
import { by, make, mark, put, show, sync } from "./dom.js";
import { tag, worth } from "./worth.js";

const MANY = 16;
const SHORT = 40;
const CROWD = 2;
let onPlay = () => {};

/** Say what happens when a move is chosen. */
export function whenChosen(play) {
  onPlay = play;
}

/** Draw the moves of a view; `values` are what the coach says of them, by move. */
export function drawMoves(view, values = new Map()) {
  const group = by("moves");
  const held = group.contains(document.activeElement);
  // Many short ones stand closer together.
  group.classList.toggle("many", view.moves.length > MANY && view.moves.every((one) => (one.label ?? one.why).length < SHORT));
  const crowd = view.moves.filter((one) => !one.legal);
  const crowded = crowd.length > CROWD;
  group.classList.toggle("crowded", crowded);
  show(by("reason"), crowded);
  // Where many are forbidden, they stand together at the end, and their reason below them.
  const shown = crowded ? [...view.moves.filter((one) => one.legal), ...crowd] : view.moves;
  sync(group, shown, (one) => one.move, create, (button, one) => update(button, one, view, values.get(one.move)));
  // The move that had the focus may be gone: then the group has it.
  if (held && !group.contains(document.activeElement)) group.focus();
  show(by("more"), view.more > 0);
  put(by("more"), "There are more moves than are shown: any that the rules allow can be typed.");
}

/** Make the button of a move. */
function create(one) {
  const button = make(
    "button",
    { type: "button", class: "move", "data-move": one.move },
    make("span", { class: "key" }, one.move),
    make("span", { class: "text" }, make("span", { class: "label" }), make("span", { class: "verdict" })),
  );
  button.addEventListener("click", () => onPlay(one.move));
  for (const begin of ["pointerenter", "focus"]) button.addEventListener(begin, () => look(button.shows));
  for (const end of ["pointerleave", "blur"]) button.addEventListener(end, () => look(null));
  return button;
}

/** Show what a move would do, or why it cannot be played. */
function look(one) {
  if (one) preview(one);
  else endPreview();
  put(by("reason"), one && !one.legal ? `${one.move}: ${one.why}` : "");
}

/** Bring a button up to date. */
function update(button, one, view, value) {
  const [label, verdict] = button.lastChild.children;
  const turn = `It is ${view.turn?.text ?? "not your turn"}.`;
  // The reason speaks to whoever is to move.
  const why = one.legal ? (view.turn?.yours ? "" : turn) : view.turn?.yours ? one.why : "Not possible now.";
  button.shows = { ...one, why };
  mark(button, "aria-disabled", why ? "true" : null);
  button.classList.toggle("forbidden", !one.legal);
  label.classList.toggle("why", !one.legal);
  put(label, one.legal ? one.label : why || "Not possible now.");
  mark(button, "title", one.legal && why ? why : null);
  const parts = value ? [worth(value.value), ...(value.word ? [tag(value.word)] : [])] : [];
  if (verdict.dataset.shown !== JSON.stringify(value ?? null)) {
    verdict.dataset.shown = JSON.stringify(value ?? null);
    verdict.replaceChildren(...parts);
  }
}
