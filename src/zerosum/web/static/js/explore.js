// The map of a game: choose any position, see its value, its moves and why; the address keeps the place.

import { choosable } from "./cells.js";
import { by, make, picture, put, show, still, sync } from "./dom.js";
import { drawPosition } from "./position.js";
import { say } from "./say.js";
import { get } from "./send.js";
import { tag, worth } from "./worth.js";

const { game, broken } = by("main").dataset;
const NAMES = ["Player 1", "Player 2"];
let markCell = () => {};
let wanted = 0;

/** Read the options from the address, as texts. */
function options() {
  const found = {};
  for (const [name, value] of new URLSearchParams(window.location.search)) {
    if (name.startsWith("option.") && value.trim()) found[name.slice(7)] = value;
  }
  return found;
}

/** Write the address of something the server knows about this variant. */
function api(what, more = {}) {
  const query = new URLSearchParams({ options: JSON.stringify(options()), ...more });
  return `/api/games/${game}/${what}?${query}`;
}

/** Go to a position, and keep it in the address. */
function choose(state) {
  const query = new URLSearchParams(window.location.search);
  query.set("state", state);
  window.history.pushState(null, "", `?${query}`);
  look(true);
}

/** Show the position that the address names. */
async function look(announce) {
  const turn = (wanted += 1);
  const state = new URLSearchParams(window.location.search).get("state");
  try {
    const found = await get(api("position", state ? { state } : {}));
    if (turn !== wanted) return;
    show(by("problem"), false);
    draw(found);
    if (announce) by("position").scrollIntoView({ block: "nearest", behavior: still() ? "auto" : "smooth" });
    if (announce) say(`${found.position}.`, found.over ?? (found.exact ? found.standing : `The value is unknown. ${found.reason}`));
  } catch (problem) {
    if (turn !== wanted) return;
    put(by("problem"), problem.message);
    show(by("problem"), true);
  }
}

/** Draw a position with its moves. */
function draw(found) {
  markCell(found.state);
  drawPosition(by("position"), found, NAMES, found.over ? null : found.mover);
  by("value").replaceChildren(...(found.over ? [found.over] : [worth(found.value), " ", found.exact ? found.standing : found.reason]));
  const { moves, refused } = found;
  const group = by("moves");
  const held = group.contains(document.activeElement);
  show(by("moves-title"), moves.length > 0);
  sync(group, moves, (one) => `${found.state} ${one.move}`, moveButton, () => {});
  if (held && !group.contains(document.activeElement)) (group.firstElementChild ?? by("here-title")).focus();
  by("refused").replaceChildren(...refused.map((line) => make("li", {}, line)));
  show(by("refused-box"), refused.length > 0);
  const told = [...found.why, found.more ? `There are ${found.more} more moves.` : "", found.note].filter(Boolean);
  by("why").replaceChildren(...told.map((line) => make("p", {}, line)));
}

/** Make the button of a move, which leads on to its position. */
function moveButton(one) {
  const button = make(
    "button",
    { type: "button", class: "move", "data-move": one.move },
    make("span", { class: "key" }, one.move),
    make(
      "span",
      { class: "text" },
      make("span", { class: "label" }, one.label),
      make("span", { class: "verdict" }, worth(one.value), ...(one.best ? [tag("best")] : [])),
    ),
  );
  button.addEventListener("click", () => choose(one.to));
  return button;
}

/** Draw the map, and tell the law. */
async function survey() {
  const box = by("map");
  try {
    const drawn = picture(box, await get(api("map.svg")));
    markCell = choosable(drawn, choose);
    const { law, text } = await get(api("law"));
    show(by("law"), Boolean(law) || text.length > 0);
    put(by("law-words"), law || "No short rule is known for this game; the map is worked out position by position.");
    by("map-words").replaceChildren(...text.map((line) => make("li", {}, line)));
  } catch (problem) {
    box.replaceChildren();
    put(by("map-problem"), `Unknown: ${problem.message}`);
    show(by("map-problem"), true);
  }
  box.removeAttribute("aria-busy");
}

const kept = new URLSearchParams(window.location.search);
kept.delete("state");
by("play-link").search = kept;
by("to-start").search = kept;
by("to-start").addEventListener("click", (event) => {
  event.preventDefault();
  window.history.pushState(null, "", event.target.href);
  look(true);
});
window.addEventListener("popstate", () => look(true));
if (!broken) survey().then(() => look(false));
