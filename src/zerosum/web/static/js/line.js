// @ts-check
// A number as a token on a line: the numbers it can reach are dots that can be tapped, with an arc to the one pointed at.

import { make, put, show, still, sync } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
// Pixels: the room above and below the rail, beside it, and from one number to the next.
const [ABOVE, BELOW, SIDE] = [92, 50, 26];
// In a narrow box, two lines share what one has above it.
const [NARROW, SHARED] = [480, 40];
const [ROOMY, TIGHT, NEAR] = [22, 6.5, 26];
// With more arcs than this, they are faint until one is pointed at.
const FEW = 4;
// The least radius of a dot that has its number in it.
const LABELLED = 9;
// Steps between the numbers written below the line.
const STEPS = [1, 2, 5, 10, 20, 50];
const SIGNS = { win: "✓", loss: "✕", draw: "=" };

/** Make an SVG element. @param {string} name @param {Record<string, unknown>} attributes @param {...(Node | string)} children */
function draw(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Write a number with a proper minus sign. @param {number} number */
const written = (number) => String(number).replace("-", "−");

/**
 * Draw the number lines of a position in a box, one below the other; return the names of the fields that they show.
 *
 * `names` are the owners' names by player. `moves` are the choices of the position, `told` is what is known about them
 * by move; `play` gets the move of a tapped dot, and `look` the choice pointed at, or null; `redraw` is called when the
 * width has changed.
 * @param {LinesBox} box @param {Api.Line[]} lines @param {LinesHow} how
 */
export function drawLines(box, lines, { names = [], redraw, ...how }) {
  // The box itself has no width while it is hidden.
  const place = box.parentElement;
  const width = place.clientWidth;
  const shown = scale(lines, width);
  const fit = shown.gap >= TIGHT;
  show(box, lines.length > 0 && fit);
  const drawn = fit ? lines : [];
  const create = () => make("div", { class: "lane" }, make("span", { class: "owner" }), picture());
  sync(box, drawn, (line) => line.name, create, (lane, line) => {
    const [owner, track] = lane.children;
    put(owner, line.player === null ? "" : names[line.player]);
    const cut = lines.length > 1 && width < NARROW ? SHARED : 0;
    track.setAttribute("viewBox", `0 ${cut} ${width} ${ABOVE + BELOW - cut}`);
    track.setAttribute("height", ABOVE + BELOW - cut);
    drawTrack(/** @type {Track} */ (/** @type {unknown} */ (track)), line, { ...shown, cut }, how);
  });
  box.redraw = redraw;
  if (!box.watched) {
    box.watched = new ResizeObserver(() => place.clientWidth !== box.drawnFor && box.redraw?.());
    box.watched.observe(place);
  }
  box.drawnFor = width;
  return drawn.map(({ name }) => name);
}

/**
 * Choose the numbers that are shown, the same for both lines of a race: all if there is room, else those around the tokens.
 * @param {Api.Line[]} lines @param {number} width
 */
function scale(lines, width) {
  const room = width - 2 * SIDE;
  const reached = lines.flatMap(({ value, targets }) => [value, ...targets.map(({ number }) => number)]);
  const [low, high] = [Math.min(...lines.map((line) => line.low)), Math.max(...lines.map((line) => line.high))];
  let [from, to] = [low, high];
  if ((to - from) * ROOMY > room) {
    const [least, most] = [Math.min(...reached) - 2, Math.max(...reached) + 2];
    const spare = Math.max(0, Math.floor(room / ROOMY) - (most - least));
    from = Math.max(low, least - Math.ceil(spare / 2));
    to = Math.min(high, Math.max(most, from + Math.floor(room / ROOMY)));
    from = Math.max(low, Math.min(from, to - Math.floor(room / ROOMY)));
  }
  return { from, to, gap: room / Math.max(1, to - from) };
}

/** Make an empty line that listens to pointers: the nearest dot is meant. */
function picture() {
  const track = /** @type {Track} */ (draw("svg", { class: "track", "aria-hidden": "true" }));
  track.append(...["zones", "ticks", "arcs", "token", "dots"].map((name) => draw("g", { class: name })));
  const nearest = (/** @type {MouseEvent} */ event) => {
    const place = event.clientX - track.getBoundingClientRect().left;
    const far = (/** @type {Api.Target} */ { number }) => Math.abs(track.at(number) - place);
    const [found] = [...track.targets].sort((a, b) => far(a) - far(b));
    return found && far(found) <= NEAR ? found.move : null;
  };
  const look = (/** @type {string | null} */ move) => track.look?.(track.choices.get(move ?? "") ?? null);
  track.addEventListener("pointermove", (event) => event.pointerType === "mouse" && look(nearest(event)));
  track.addEventListener("pointerleave", () => look(null));
  track.addEventListener("click", (event) => {
    const move = nearest(event);
    if (move !== null) track.play?.(move);
  });
  return track;
}

/** Draw one line. @param {Track} track @param {Api.Line} line @param {Scale & { cut: number }} scale @param {LinesHow} how */
function drawTrack(track, line, { from, to, gap, cut }, { moves = [], told = new Map(), play, look }) {
  const at = (/** @type {number} */ number) => SIDE + (number - from) * gap;
  if (track.value !== line.value) Object.assign(track, { before: track.value, value: line.value });
  const choices = new Map(moves.map((choice) => [choice.move, choice]));
  Object.assign(track, { at, choices, play, look, targets: line.targets });
  track.classList.toggle("playable", Boolean(play) && line.targets.length > 0);
  const [zones, ticks, arcs, token, dots] = track.children; // on a phone, a dot stands out before the token
  const reached = new Set([line.value, ...line.targets.map(({ number }) => number)]);
  zones.replaceChildren(...line.marks.flatMap((mark) => drawZone(mark, from, to, at)));
  ticks.replaceChildren(
    draw("path", { d: `M${at(from) - 8} ${ABOVE}H${at(to) + 8}` }),
    ...drawNumbers(line, from, to, gap, at, gap >= ROOMY || told.size > 0 ? reached : new Set()),
  );
  arcs.classList.toggle("many", line.targets.length > FEW);
  const trail = track.before !== undefined && track.before >= from && track.before <= to ? [draw("path", { class: "trail", d: arc(at(track.before), at(line.value), cut) })] : [];
  // A forbidden number that is marked keeps its mark.
  const barred = (/** @type {Api.Target} */ { move, number }) => choices.get(move)?.legal === false && line.marks.some((mark) => mark.low === number);
  const drawn = line.targets.filter((target) => !barred(target));
  arcs.replaceChildren(...trail, ...drawn.map((target) => drawArc(line, target, choices, told.get(target.move), at, cut)));
  dots.replaceChildren(...drawn.map((target) => drawDot(target, choices.get(target.move), told.get(target.move), gap, at)));
  drawToken(/** @type {SVGGElement} */ (token), line.value, gap, at);
}

/**
 * Draw a range of numbers that costs something.
 * @param {Api.Mark} mark @param {number} from @param {number} to @param {(number: number) => number} at
 */
function drawZone({ text, low, high }, from, to, at) {
  if (low !== null && low === high) return [];
  const [left, right] = [Math.max(low ?? from, from), Math.min(high ?? to, to)];
  if (left > right) return [];
  const [start, end] = [at(left) - 10, at(right) + 10];
  return [
    draw("rect", { x: start, y: ABOVE - 20, width: end - start, height: 40, rx: 10 }),
    draw("text", { x: low === null ? start : end, y: ABOVE + 44, "text-anchor": low === null ? "start" : "end" }, text),
  ];
}

/**
 * Draw the numbers of a line, as many as can be read and are not `reached`, and what is marked.
 * @param {Api.Line} line @param {number} from @param {number} to @param {number} gap @param {(number: number) => number} at @param {Set<number>} reached
 */
function* drawNumbers({ marks }, from, to, gap, at, reached) {
  const step = STEPS.find((size) => size * gap >= 24) ?? 100;
  const marked = new Map(marks.flatMap((mark) => (mark.low !== null && mark.low === mark.high ? [[mark.low, mark]] : [])));
  for (let number = from; number <= to; number += 1) {
    const mark = marked.get(number);
    if (gap >= 12 || number % step === 0) yield draw("circle", { cx: at(number), cy: ABOVE, r: 3 });
    if (mark) {
      yield draw("circle", { class: `mark ${mark.kind}`, cx: at(number), cy: ABOVE, r: 11 });
      yield draw("text", { class: `mark ${mark.kind}`, x: at(number), y: ABOVE + 42 }, mark.text);
    }
    // A dot shows its number itself, or what the coach says about it.
    if (!reached.has(number) && (mark || number % step === 0)) {
      yield draw("text", { x: at(number), y: ABOVE + 27 }, written(number));
    }
  }
  // What lies beyond the numbers that are shown.
  for (const [number, { kind, text }] of marked) {
    const [edge, anchor, words] = number < from ? [at(from) - 8, "start", `◂ ${written(number)} ${text}`] : [at(to) + 8, "end", `${written(number)} ${text} ▸`];
    if (number < from || number > to) yield draw("text", { class: `mark ${kind}`, x: edge, y: ABOVE + 44, "text-anchor": anchor }, words);
  }
}

/**
 * Draw the arc of a move, with what it does.
 * @param {Api.Line} line @param {Api.Target} target @param {Map<string, Choice>} choices @param {Told | undefined} told @param {(number: number) => number} at @param {number} cut
 */
function drawArc(line, { move, number, step }, choices, told, at, cut) {
  const [start, end] = [at(line.value), at(number)];
  const barred = choices.get(move)?.legal === false;
  const group = draw("g", { class: barred ? "arc barred" : "arc", "data-to": move }, draw("path", { d: arc(start, end, cut) }));
  if (told?.mark) group.dataset.mark = told.mark;
  group.append(draw("text", { x: (start + end) / 2, y: Math.max(cut + 12, (ABOVE + top(start, end, cut)) / 2 - 7) }, step));
  return group;
}

/**
 * Return the height of an arc's control point: the farther, the higher; the arc stays below the `cut`.
 * @param {number} start @param {number} end @param {number} cut
 */
function top(start, end, cut) {
  return ABOVE - Math.min(2 * (ABOVE - cut) - 40, 44 + Math.abs(end - start) * 0.55);
}

/** Return the path of an arc. @param {number} start @param {number} end @param {number} cut */
function arc(start, end, cut) {
  return `M${start} ${ABOVE}Q${(start + end) / 2} ${top(start, end, cut)} ${end} ${ABOVE}`;
}

/**
 * Draw a number that a move leads to, with what the coach says about it.
 * @param {Api.Target} target @param {Choice | undefined} choice @param {Told | undefined} told @param {number} gap @param {(number: number) => number} at
 */
function drawDot({ move, number }, choice, told, gap, at) {
  const barred = choice?.legal === false;
  const size = Math.max(5, Math.min(14, gap / 2 - 1));
  const dot = draw("g", { class: barred ? "dot barred" : "dot", "data-to": move, transform: `translate(${at(number)} ${ABOVE})` });
  dot.append(draw("circle", { r: size }));
  if (barred) dot.append(draw("path", { d: "M-4 -4L4 4M4 -4L-4 4" }), draw("title", {}, choice.why ?? ""));
  else if (size >= LABELLED) dot.append(draw("text", { y: 4, class: written(number).length > 2 ? "long" : "" }, written(number)));
  if (told?.mark) dot.dataset.mark = told.mark;
  if (told?.value) {
    dot.dataset.result = told.value.result;
    dot.append(draw("text", { class: "sign", y: size + 14 }, SIGNS[told.value.result]));
  }
  return dot;
}

/**
 * Draw the token, which travels to a new number.
 * @param {SVGGElement} token @param {number} value @param {number} gap @param {(number: number) => number} at
 */
function drawToken(token, value, gap, at) {
  if (!token.firstChild) token.append(draw("circle", { r: 17 }), draw("text", { y: 5.5 }));
  const fresh = !token.style.transform;
  token.classList.toggle("still", fresh || still());
  token.style.transform = `translate(${at(value)}px, ${ABOVE}px)`;
  token.classList.toggle("long", written(value).length > 3);
  put(token.querySelector("text"), written(value));
}

/** Point out the arc and the dot of a move in a box; null for none. @param {HTMLElement} box @param {string | null} move */
export function pointAt(box, move) {
  for (const part of box.querySelectorAll("[data-to]")) part.classList.toggle("pointed", part.dataset.to === move);
}
