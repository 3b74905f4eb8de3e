// A position at rest, for review, map and puzzles: what is shared, and what each seat has.

import { drawBoard } from "./board.js";
import { make, put, show, sync } from "./dom.js";
import { arrange, drawFields } from "./field.js";

/**
 * Draw a position in a box: `names` of the seats, and the seat to move, or null at the end; `cells` is what
 * the cells of its board do and show. Gives the moves that are left to buttons.
 */
export function drawPosition(box, found, names, mover, cells) {
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
  return drawBoard(stage.lastChild, found.board, cells);
}
