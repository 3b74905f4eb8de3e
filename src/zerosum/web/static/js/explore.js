// @ts-check
// The map of a game: choose a position, see its value, its moves and why; the address holds the position.

import { by, counted, make, picture, problem, put, say, show, still } from "./dom.js";
import { choosable, headless } from "./map.js";
import { get } from "./send.js";
import { drawStudy } from "./study.js";
import { worth } from "./worth.js";

const { game, broken } = by("main").dataset;
const NAMES = ["First player", "Second player"];
/** @type {(state: string | null, reveal?: boolean) => void} */
let markCell = () => {};
let shown = /** @type {Api.Position | null} */ (null);
let wanted = 0;

/** Read the options from the address, as strings. @returns {Record<string, string>} */
function options() {
  const found = /** @type {Record<string, string>} */ ({});
  for (const [name, value] of new URLSearchParams(window.location.search)) {
    if (name.startsWith("option.") && value.trim()) found[name.slice(7)] = value;
  }
  return found;
}

/** Return the API address of something about this variant. @param {string} what @param {Record<string, string>} more */
function api(what, more = {}) {
  const query = new URLSearchParams({ options: JSON.stringify(options()), ...more });
  return `/api/v1/games/${game}/${what}?${query}`;
}

/** Go to a position, and put it in the address. @param {string} state */
function choose(state) {
  const query = new URLSearchParams(window.location.search);
  query.set("state", state);
  window.history.pushState(null, "", `?${query}`);
  look(true);
}

/** Show the position in the address. @param {boolean} announce */
async function look(announce) {
  const turn = (wanted += 1);
  const state = new URLSearchParams(window.location.search).get("state");
  try {
    const found = await get(api("position", state ? { state } : {}));
    if (turn !== wanted) return;
    problem("");
    shown = found;
    draw(found);
    if (announce) by("position").scrollIntoView({ block: "nearest", behavior: still() ? "auto" : "smooth" });
    if (announce) say(found.board ? "" : `${found.position}.`, found.over ?? (found.standing || found.reason));
  } catch (error) {
    if (turn === wanted) problem(error.message);
  }
}

/** Draw a position with its moves. @param {Api.Position} found */
function draw(found) {
  markCell(found.state);
  const places = new Map(found.moves.map((judged) => [judged.move, judged]));
  const play = /** @type {Play} */ ((move) => choose(places.get(move)?.to ?? found.state));
  // It is said once that all are unknown, or that all are worth the same.
  const alike = found.moves.length > 1 && found.moves.every(({ word }) => word === found.moves[0].word);
  const judged = found.moves.map((move) => /** @type {const} */ ([move.move, alike ? { ...move, word: "" } : move]));
  const told = new Map(found.moves.some(({ value }) => value) ? judged : []);
  by("value").replaceChildren(...(found.over ? [found.over] : [worth(found.value), " ", found.standing || found.reason]));
  const group = by("moves");
  const held = group.contains(document.activeElement);
  const listed = drawStudy(found, NAMES, found.over ? null : found.mover, { play, told, key: found.state });
  show(by("moves-title"), listed.length > 0);
  if (held && !group.contains(document.activeElement)) (group.firstElementChild ?? by("here-title")).focus();
  by("refused").replaceChildren(...found.refused.map((line) => make("li", {}, line)));
  show(by("refused-box"), found.refused.length > 1 && !found.board);
  put(by("refused-one"), `Why is no other move legal? ${found.refused[0] ?? ""}`);
  show(by("refused-one"), found.refused.length === 1 && !found.board);
  const more = found.more ? [`${counted(found.more, "more move")} not listed.`] : [];
  by("why").replaceChildren(...[...found.why, ...more].map((line) => make("p", {}, line)));
}

/** Draw the map, unless the game has a board, and show the theory or the law. */
async function survey() {
  const box = by("map");
  const board = Boolean(shown?.board);
  show(by("map-box"), !board);
  by("study").classList.toggle("boarded", board);
  try {
    const { theory, law, text, exact, reason } = /** @type {Api.VariantTheory} */ (await get(api("theory")));
    if (!board && !exact) throw new Error(reason);
    if (!board) markCell = choosable(headless(picture(box, await get(api("map.svg"))), by("map-about"), by("legend")), choose);
    if (shown) markCell(shown.state, false); // at first, the title and the legend are in view
    show(by("theory"), Boolean(theory || law) || (!board && text.length > 0));
    put(by("theory-words"), theory || law || "No short law was found; the map is computed position by position.");
    by("map-words").replaceChildren(...text.map((line) => make("li", {}, line)));
    show(by("map-words").parentElement, !board);
  } catch (error) {
    box.replaceChildren();
    put(by("map-problem"), `The map is not available. ${error.message}`);
    show(by("map-problem"), true);
  }
  box.removeAttribute("aria-busy");
}

const kept = new URLSearchParams(window.location.search);
kept.delete("state");
by("play-link").search = by("to-start").search = String(kept);
by("to-start").addEventListener("click", (event) => {
  event.preventDefault();
  window.history.pushState(null, "", by("to-start").href);
  look(true);
});
window.addEventListener("popstate", () => look(true));
if (!broken) look(false).then(survey);
