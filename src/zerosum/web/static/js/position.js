// A position at rest, for review, map and puzzles: what is shared, and what each seat has.

import { drawFields } from "./board.js";
import { make, put, show, sync } from "./dom.js";

/** Draw a position in a box: `names` of the seats, and the seat to move, or null at the end. */
export function drawPosition(box, document, names, mover) {
  if (!box.firstChild) {
    box.className = "position";
    const who = () => make("div", { class: "who" }, make("p", { class: "name" }), make("p", { class: "marks" }));
    const side = () => make("div", { class: "player" }, who(), make("div", { class: "own" }));
    box.append(make("div", { class: "sides" }, side(), make("div", { class: "stage" }), side()));
  }
  const [first, stage, second] = box.firstChild.children;
  drawFields(stage, document.fields);
  [first, second].forEach((side, seat) => {
    const own = document.player_fields[seat] ?? [];
    const [name, marks] = side.firstChild.children;
    put(name, names[seat]);
    const moving = mover === seat;
    side.classList.toggle("moving", moving);
    sync(marks, moving ? ["to move"] : [], (word) => word, (word) => make("span", { class: "tag" }, word), () => {});
    show(marks, moving);
    drawFields(side.lastChild, own);
    show(side.lastChild, own.length > 0);
  });
}
