// @ts-check
// The review of a game: how well it was played, its key moments, and every position with the move made there.

import { drawBoard } from "./board.js";
import { by, make, mark, picture, problem, put, say, show, still, whole } from "./dom.js";
import { copy } from "./invite.js";
import { drawPosition } from "./position.js";
import { get, newKey, post } from "./send.js";
import { drawStrength } from "./strength.js";
import { tag, worth } from "./worth.js";

const { id, number, latest } = by("main").dataset;
let review = /** @type {Api.GameReview} */ (/** @type {unknown} */ (null));
let at = 0;

/** Put a name that begins a sentence inside one. @param {string} text */
const inside = (text) => text.replace(/^You\b/, "you");

/** Say who is ahead at a position; its value is that of the first seat. @param {Api.Reviewed} entry */
function standing({ value, over }) {
  if (!value) return "value unknown";
  const { result, plies, endless } = value;
  if (result === "draw") return over ? "a draw" : endless ? "endless with best play" : "a draw with best play";
  const who = review.names[result === "win" ? 0 : 1];
  const [won, wins] = who === "You" ? ["have won", "win"] : ["has won", "wins"];
  if (plies === 0) return `${who} ${won}`;
  return plies ? `${who} ${wins} in ${plies.toLocaleString("en")}` : `${who} ${wins}`;
}

/** Name a position by the move that was made there. @param {Api.Reviewed} entry */
function titleOf({ ply, move, mover }) {
  return move === null ? "The end" : `Before move ${ply + 1}: ${inside(review.names[mover])} to move`;
}

/** Describe a position in a few words. @param {Api.Reviewed} entry */
function spoken(entry) {
  // A board is read cell by cell; on one line it would only be noise.
  const where = `${titleOf(entry)}. ${entry.board ? standing(entry) : `${entry.position}; ${inside(standing(entry))}`}.`;
  return entry.move === null ? where : `${where} ${played(entry)}${entry.word ? `: ${entry.word}` : ""}.`;
}

/** Say which move was played. @param {Api.Reviewed} entry */
function played({ mover, move, buttons }) {
  return `${review.names[mover]} played ${buttons[move ?? ""]}`;
}

/**
 * Go to a position; not announced are those that the slider reads, nor the first one, which scrolls nothing either.
 * @param {number} ply @param {boolean} reveal @param {boolean} announce
 */
function go(ply, reveal = true, announce = reveal) {
  at = Math.max(0, Math.min(review.plies.length - 1, ply));
  const entry = review.plies[at];
  put(by("here-title"), titleOf(entry));
  const told = marked(entry);
  const box = drawPosition(by("position"), entry, review.names, entry.over ? null : entry.mover, { told });
  const before = review.plies[at - 1]?.board?.rows ?? entry.board?.rows;
  drawBoard(box, entry.board, { told, before });
  part(document.querySelectorAll("#position .step:not(.absent)"));
  drawJudged(entry);
  by("ply").value = String(at);
  by("ply").setAttribute("aria-valuetext", spoken(entry));
  for (const point of document.querySelectorAll("#chart [data-ply]")) {
    point.classList.toggle("current", Number(point.dataset.ply) === at);
  }
  for (const button of document.querySelectorAll("#list button, #moments button")) {
    mark(button, "aria-current", Number(button.dataset.ply) === at ? "true" : null);
  }
  by("fork").elements.ply.value = String(at);
  offer(Boolean(review.exact_from) && at + 1 >= (review.exact_from ?? 0));
  show(by("fork"), !entry.over);
  // A truly disabled button would lose the focus.
  mark(by("back"), "aria-disabled", at === 0 ? "true" : null);
  mark(by("forward"), "aria-disabled", at === review.plies.length - 1 ? "true" : null);
  if (announce) say(spoken(entry));
}

/** Offer perfect play if it is known, and choose it there unless another level was chosen. @param {boolean} known */
function offer(known) {
  const { level } = by("fork").elements;
  const perfect = /** @type {HTMLOptionElement} */ (level.querySelector('[value="perfect"]'));
  if (perfect.disabled === !known) return;
  perfect.hidden = perfect.disabled = !known;
  if (!known && perfect.selected) level.value = "hard";
  else if (known && level.value === "hard") perfect.selected = true;
}

/** Leave out labels that touch others: what was played matters most. @param {NodeListOf<HTMLElement>} labels */
function part(labels) {
  const kept = /** @type {{ left: number, right: number, top: number, bottom: number }[]} */ ([]);
  for (const label of [...labels].sort((a) => (a.dataset.mark === "played" ? -1 : 1))) {
    const { left, right, top, bottom } = label.getBoundingClientRect();
    const touches = kept.some((box) => left < box.right && box.left < right && top < box.bottom && box.top < bottom);
    label.classList.toggle("left-out", touches);
    if (!touches) kept.push({ left, right, top, bottom });
  }
}

/** Go to a position that may be out of view. @param {number} ply */
function visit(ply) {
  go(ply);
  by("here").scrollIntoView({ block: "nearest", behavior: still() ? "auto" : "smooth" });
}

/**
 * Mark the move that was played, and those that would have been better, with what they are worth to their player.
 * @param {Api.Reviewed} entry @returns {Map<string, Told>}
 */
function marked(entry) {
  if (entry.move === null) return new Map();
  const better = !entry.verdict || entry.verdict === "forced" || entry.best.includes(entry.move) ? [] : entry.best;
  const word = entry.word ? `played: ${entry.word}` : "played";
  const made = { word, verdict: entry.verdict, mark: "played", value: entry.move_value };
  const found = /** @type {Map<string, Told>} */ (new Map());
  for (const move of better) found.set(move, { word: "better", mark: "better", value: entry.best_value });
  return found.set(entry.move, made);
}

/** Show which move was played, and why it was good or bad. @param {Api.Reviewed} entry */
function drawJudged(entry) {
  const box = by("judged");
  if (entry.move === null) {
    const text = `${standing(entry)}.`;
    box.replaceChildren(make("p", {}, `${text[0].toUpperCase()}${text.slice(1)}`));
    return;
  }
  const value = entry.move_value ? [" ", worth(entry.move_value)] : [];
  box.replaceChildren(
    make("p", {}, `Before the move: ${inside(standing(entry))}.`),
    make("p", {}, make("strong", {}, played(entry)), ...value, " ", ...verdict(entry)),
    ...(entry.reason ? [make("p", { class: "soft" }, entry.reason)] : []),
  );
}

/** Make the tag of a verdict: a sign and a word. @param {Api.Reviewed} entry */
function verdict(entry) {
  if (!entry.word) return [];
  const label = tag(entry.word, entry.verdict);
  if (entry.glyph) label.prepend(`${entry.glyph} `);
  return [label];
}

/** List the moves as buttons. */
function drawList() {
  by("list").replaceChildren(
    ...review.plies
      .filter((entry) => entry.move !== null)
      .map((entry) => {
        const turning = review.turning_point === entry.ply + 1;
        const button = make(
          "button",
          { type: "button", "data-ply": entry.ply },
          make("span", { class: "nth" }, `${entry.ply + 1}.`),
          make("span", {}, make("strong", {}, review.names[entry.mover]), ` ${whole(entry.buttons[entry.move ?? ""])}`),
          make("span", { class: "marks" }, ...verdict(entry), ...(turning ? [" ", tag("turning point", null)] : [])),
        );
        button.addEventListener("click", () => visit(entry.ply));
        return make("li", {}, button);
      }),
  );
}

/** Show how well both played, and the moments that mattered, each of which is a button. */
function drawGlance() {
  const lines = (/** @type {string[]} */ texts) => texts.map((text) => make("li", {}, text));
  const accuracy = review.accuracy ?? [];
  // You are first, whoever began.
  by("accuracy").replaceChildren(...lines(review.names[1] === "You" ? [...accuracy].reverse() : accuracy));
  const moments = review.moments ?? [];
  by("moments").replaceChildren(
    ...moments.map(({ ply, text }) => {
      const button = make("button", { type: "button", "data-ply": ply - 1 }, text);
      button.addEventListener("click", () => visit(ply - 1));
      return make("li", {}, button);
    }),
  );
  put(by("about-values"), review.reason ?? "");
  show(by("about-values"), Boolean(review.reason));
  if (review.no_turn) put(by("no-moments"), review.no_turn);
  show(by("no-moments"), Boolean(review.no_turn) && !moments.length);
  const { series } = review;
  if (!series) return;
  by("series-accuracy").replaceChildren(...lines(series.accuracy));
  by("series-moments").replaceChildren(
    ...series.moments.map((moment) => {
      const href = `/m/${id}/review?game=${moment.game}#${moment.ply - 1}`;
      return make("li", {}, make("a", { href }, `Game ${moment.game + 1}, move ${moment.ply}`), ` – ${moment.text}`);
    }),
  );
  for (const { game, text } of series.games) document.querySelector(`#series nav [href$="=${game}"]`)?.after(` ${text}`);
}

/** Show the whole review. @param {Api.GameReview} found */
function draw(found) {
  review = found;
  show(by("thinking"), false);
  show(by("review"), true);
  if (review.plies.some(({ value }) => value)) {
    picture(by("chart"), review.svg).addEventListener("click", (event) => {
      const point = event.target.closest("[data-ply]");
      if (point) go(Number(point.dataset.ply));
    });
  } else by("chart").replaceChildren(make("p", { class: "note" }, review.reason));
  by("words").replaceChildren(...(review.text ?? []).map((line) => make("li", {}, line)));
  show(by("words").parentElement, Boolean(review.text?.length));
  drawGlance();
  if (by("own-strength")) drawStrength(by("own-strength"), document.body.dataset.game ?? "");
  drawList();
  by("ply").max = String(review.plies.length - 1);
  by("ply").addEventListener("input", () => go(Number(by("ply").value), true, false));
  by("back").addEventListener("click", () => go(at - 1));
  by("forward").addEventListener("click", () => go(at + 1));
  arrive();
}

/** Go to the position in the address, or where the game turned. */
function arrive() {
  const given = window.location.hash.slice(1);
  go(given ? Number(given) || 0 : (review.turning_point ?? 1) - 1, false);
}

/** Do something with the match. @param {string} action */
function act(action) {
  return post(`/api/v1/matches/${id}/actions`, { key: newKey(), ply: Number(latest), action });
}

document.querySelector('[data-action="rematch"]')?.addEventListener("click", async () => {
  try {
    const { news } = /** @type {Api.TableView} */ (await act("rematch"));
    window.location.assign(news.some(({ kind }) => kind === "rematch") ? `/m/${id}/next` : `/m/${id}`);
  } catch {
    window.location.assign(`/m/${id}`);
  }
});
document.querySelector('[data-action="publish"]')?.addEventListener("click", async () => {
  try {
    await act("publish");
    show(by("private"), false);
    show(by("public"), true);
    by("link").select();
    say("This match is public now.");
  } catch (error) {
    problem(error.message);
  }
});
by("copy")?.addEventListener("click", () => copy(by("link").value, by("copy")));
window.addEventListener("hashchange", () => review && arrive());
window.addEventListener("pageshow", () => (by("fork").elements.key.value = newKey()));

get(`/api/v1/matches/${id}/review?game=${number}`)
  .then(draw)
  .catch((error) => {
    show(by("thinking"), false);
    problem(error.message);
  });
