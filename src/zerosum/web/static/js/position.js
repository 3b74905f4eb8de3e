// @ts-check
// A position: its number lines, board or shared fields, and each player's own fields; at a table, or to study.

import { copyOf, make, put, show, sync } from "./dom.js";
import { drawFields } from "./field.js";
import { drawLines } from "./line.js";

/**
 * Draw the number lines of a position on its stage; a field that is on a line is shown small, or read only.
 * @param {HTMLElement} sides @param {Pick<Shown, "picture" | "lines" | "fields" | "board">} found @param {LinesHow} how
 */
export function drawStage(sides, { picture, lines, fields, board }, how) {
  const stage = sides.querySelector(".stage");
  show(stage, picture !== "" || fields.length > 0 || Boolean(board));
  drawLines(stage.querySelector(".lines"), picture, how);
  const drawn = picture ? lines.map(({ name }) => name) : [];
  for (const field of sides.querySelectorAll(".field")) field.classList.toggle("on-line", drawn.includes(field.dataset.field));
}

/** Draw a player's side: the name, the tags beside it, and the player's fields. @param {HTMLElement} side @param {Side} shown */
export function drawSide(side, { name, tags, fields, moving }) {
  const [who, own] = side.children;
  const [title, marks] = who.children;
  put(title, name);
  sync(marks, tags, (word) => word, (word) => make("span", { class: "tag" }, word), () => {});
  drawFields(own, fields);
  side.classList.toggle("moving", moving);
}

/**
 * Draw a position in a box, with the names of the seats and the seat to move, or null at the end; return the box of its
 * board. `how` is for its number lines.
 * @param {HTMLElement} box @param {Shown} found @param {string[]} names @param {number | null} mover @param {LinesHow} how
 */
export function drawPosition(box, found, names, mover, how = {}) {
  if (!box.firstChild) box.append(copyOf("position-part"));
  const [first, second, stage] = box.firstChild.children;
  drawFields(stage.children[1], found.fields);
  [first, second].forEach((side, seat) => {
    const moving = mover === seat;
    const fields = found.player_fields[seat] ?? [];
    drawSide(side, { name: names[seat], tags: moving ? ["to move"] : [], fields, moving });
  });
  drawStage(box.firstChild, found, how);
  for (const line of found.lines) {
    const owner = line.player === null ? null : names[line.player];
    for (const text of stage.querySelectorAll(`[data-line="${CSS.escape(line.name)}"] .owner`)) put(text, owner);
  }
  return stage.lastChild;
}
