// @ts-check
// The selectable cells of a map: one Tab stop, arrow keys from cell to cell.

import { inSight, make, mark } from "./dom.js";
import { fit } from "./study.js";

const WAYS = /** @type {Record<string, number[]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });

const LEAST = 0.9; // of its size: its cells are tapped, and its numbers read

/**
 * Write what is above a map, and its legend, as text that wraps; return the map without it.
 * @param {SVGSVGElement} svg @param {HTMLElement} about @param {HTMLElement} legend
 */
export function headless(svg, about, legend) {
  const head = svg.querySelector("[data-height]");
  about.textContent = svg.querySelector("desc").textContent.split("\n")[0];
  legend.replaceChildren(
    ...[...head.querySelectorAll("[data-part=key]")].map((key) => {
      const [words, sign] = [key.lastChild, key.querySelector("g")];
      if (!sign) return make("li", {}, words.textContent);
      const box = /** @type {SVGElement} */ (svg.cloneNode(false));
      for (const [name, value] of Object.entries({ viewBox: "0 0 18 18", width: 18, height: 18, "aria-hidden": "true" })) box.setAttribute(name, value);
      sign.removeAttribute("transform");
      box.append(sign);
      return make("li", {}, box, words.textContent);
    }),
  );
  head.remove();
  fit(svg, LEAST, Number(head.dataset.height) - 6);
  return svg;
}

/**
 * Make the cells of a map selectable; return a function that marks the current one, and by default brings it into view.
 * @param {SVGSVGElement} svg @param {(state: string) => void} choose @returns {(state: string | null, reveal?: boolean) => void}
 */
export function choosable(svg, choose) {
  const cells = [.../** @type {NodeListOf<SVGGraphicsElement>} */ (svg.querySelectorAll("[data-state]"))];
  if (!cells.length) return () => {};
  svg.setAttribute("role", "group");
  const title = svg.querySelector("title");
  if (title) {
    svg.setAttribute("aria-label", title.textContent);
    title.remove(); // otherwise the whole picture has one tooltip
  }
  const places = /** @type {Map<SVGGraphicsElement, number[]>} */ (new Map());
  for (const cell of cells) {
    cell.setAttribute("role", "button");
    cell.setAttribute("tabindex", "-1");
    if (!cell.querySelector("title")) cell.setAttribute("aria-label", cell.dataset.state);
    const { x, y, width, height } = cell.getBBox();
    places.set(cell, [x + width / 2, y + height / 2, width, height]);
  }
  let stop = cells[0];
  stop.setAttribute("tabindex", "0");

  /** Make a cell the Tab stop. @param {SVGGraphicsElement} cell */
  function stopAt(cell) {
    stop.setAttribute("tabindex", "-1");
    stop = cell;
    stop.setAttribute("tabindex", "0");
  }

  /** Return the next cell in a direction, in the same row or column. @param {SVGGraphicsElement} cell @param {number[]} way */
  function next(cell, [right, down]) {
    const [x, y, width, height] = places.get(cell) ?? [];
    let found = null;
    let least = Infinity;
    for (const [other, [ox, oy]] of places) {
      const ahead = (ox - x) * right + (oy - y) * down;
      const aside = right ? Math.abs(oy - y) / height : Math.abs(ox - x) / width;
      if (ahead > 1 && aside < 0.5 && ahead < least) [found, least] = [other, ahead];
    }
    return found;
  }

  const cellOf = (/** @type {UIEvent} */ { target }) => /** @type {SVGGraphicsElement | null} */ (target.closest("[data-state]"));
  svg.addEventListener("click", (event) => {
    const cell = cellOf(event);
    if (!cell) return;
    stopAt(cell);
    choose(cell.dataset.state ?? "");
  });
  svg.addEventListener("keydown", (event) => {
    const cell = cellOf(event);
    if (!cell) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(cell.dataset.state ?? "");
      return;
    }
    const to = WAYS[event.key] && next(cell, WAYS[event.key]);
    if (WAYS[event.key]) event.preventDefault();
    if (to) {
      stopAt(to);
      to.focus();
    }
  });
  return (state, reveal = true) => {
    for (const cell of cells) {
      const here = cell.dataset.state === state;
      mark(cell, "aria-current", here ? "true" : null);
      if (!here) continue;
      stopAt(cell);
      if (reveal) inSight(/** @type {Element} */ (svg.parentElement), cell);
    }
  };
}
