// A static position, for review, map and puzzles: the shared fields, and each seat's own.

import { make, put, show, sync } from "./dom.js";
import { arrange, drawFields } from "./field.js";

/** Draw a position in a box, with the names of the seats and the seat to move, or null at the end; return the box of its board. */
export function drawPosition(box, found, names, mover) {
  if (!box.firstChild) {
    box.className = "position";
    const who = () => make("div", { class: "who" }, make("p", { class: "name" }), make("p", { class: "marks" }));
    const side = () => make("div", { class: "player" }, who(), make("div", { class: "own" }));
    const stage = make("div", { class: "stage" }, make("div", { class: "fields" }), make("div", { class: "board" }));
    box.append(make("div", { class: "sides" }, side(), stage, side()));
  }
  const [first, stage, second] = box.firstChild.children;
  drawFields(stage.firstChild, found.fields);
  arrange(box.firstChild, found, found.player_fields);
  [first, second].forEach((side, seat) => {
    const own = found.player_fields[seat] ?? [];
    const [name, marks] = side.firstChild.children;
    put(name, names[seat]);
    const moving = mover === seat;
    side.classList.toggle("moving", moving);
    sync(marks, moving ? ["to move"] : [], (word) => word, (word) => make("span", { class: "tag" }, word), () => {});
    show(marks, moving);
    drawFields(side.lastChild, own);
    show(side.lastChild, own.length > 0);
  });
  return stage.lastChild;
}
