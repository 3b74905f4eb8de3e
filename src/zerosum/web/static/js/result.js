// @ts-check
// The end of a game: who won, how well both played, where it turned, and what can come next.

import { drawControls } from "./actions.js";
import { by, make, picture, problem, put, show } from "./dom.js";
import { copy } from "./invite.js";
import { get, newKey, post } from "./send.js";
import { drawStrength } from "./strength.js";

let judged = ""; // the review whose figures are shown, or asked for

/** Draw the end of a game. @param {Api.TableView} view @param {Act} act */
export function drawResult(view, act) {
  const { title, reason, onward } = view.captions;
  const box = by("result");
  const held = box.contains(document.activeElement);
  show(box, Boolean(view.ended));
  if (!view.ended) return;
  box.classList.toggle("won", hasWon(view));
  put(by("result-title"), title);
  put(by("result-reason"), reason);
  show(by("figures"), view.ended.by !== "declined");
  drawFigures(view, onward.find(({ action }) => action === "review")?.href ?? "");
  const level = onward.find((control) => control.level)?.level ?? "";
  const runs = { "share-result": (/** @type {HTMLElement} */ button) => share(view, button), level: () => again(view, level) };
  drawControls(by("result-actions"), onward, act, runs);
  if (held && !box.contains(document.activeElement)) by("result-title").focus();
}

/** Whether there is something to celebrate here. @param {Api.TableView} view */
export function hasWon({ ended, mode, you }) {
  const winner = ended?.winner ?? null;
  return winner !== null && (mode === "here" || you.includes(winner));
}

/** Start the same game against another level. @param {Api.TableView} view @param {string} level */
async function again({ game, coach, series, players }, level) {
  const own = players.findIndex(({ bot }) => !bot);
  const body = { mode: "bot", level, first: "auto", names: [players[own].name], coach: coach.want[own], games: series.games };
  visit(await tried(post("/api/v1/matches", { key: newKey(), game: game.name, options: game.options, ...body })));
}

/**
 * Play on from an earlier position, against the same level or the best one that there is.
 * @param {Api.TableView} view @param {Api.GameReview} review @param {number} ply
 */
async function fork({ id, players }, { game, exact_from: exact }, ply) {
  const level = players.find(({ bot }) => bot)?.bot ?? (exact !== null && ply + 1 >= exact ? "perfect" : "hard");
  visit(await tried(post(`/api/v1/matches/${id}/fork`, { key: newKey(), game, ply, level })));
}

/** Wait for an answer, or show why there is none. @template T @param {Promise<T>} answer */
async function tried(answer) {
  try {
    return await answer;
  } catch (error) {
    problem(error.message);
    return null;
  }
}

/** Go to a new match. @param {Api.TableView | null} made */
function visit(made) {
  if (made) window.location.assign(`/m/${made.id}`);
}

/** Share the result as text, or copy it. @param {Api.TableView} view @param {HTMLElement} button */
async function share({ game, captions, watch, link }, button) {
  const text = `${game.title}: ${captions.share}`;
  const url = watch ? link : window.location.origin;
  if (!navigator.share) return copy(`${text} ${url}`, button);
  // Rejected if the visitor closes the share sheet.
  return navigator.share({ title: game.title, text, url }).catch(() => {});
}

/** Show the decisions that both got right, who was winning, and where the game turned; asked for once. @param {Api.TableView} view @param {string} review */
async function drawFigures(view, review) {
  const box = by("figures");
  if (judged === review) return;
  judged = review;
  box.replaceChildren(); // there is room for what comes
  put(by("then"), "");
  if (!review) return;
  if (view.mode !== "here" && view.you.length) drawStrength(by("own-strength"), view.game.name);
  try {
    const found = await get(review.replace("/m/", "/api/v1/matches/"));
    if (judged !== review) return;
    box.replaceChildren(...(found.exact_from ? figures(view, found) : [make("p", { class: "soft" }, found.reason)]));
    if (!view.watching) put(by("then"), `${view.captions.begins} ${found.opening}`);
  } catch {
    // The result stands without them; the review says why they are missing.
  }
}

/** Return the player that this visitor is alone, or null. @param {Api.TableView} view */
const ownOf = ({ mode, you }) => (mode !== "here" && you.length === 1 ? you[0] : null);

/**
 * Make the figures of a reviewed game: a ring for one's own decisions, both in words, and the turning point.
 * @param {Api.TableView} view @param {Api.GameReview} found
 */
function figures(view, found) {
  const seats = view.players.map(({ seat }) => found.decisions[seat]);
  const own = ownOf(view);
  const parts = /** @type {HTMLElement[]} */ ([]);
  if (own !== null && seats[own][1]) {
    const [right, all] = seats[own];
    const ring = make("p", { class: "ring", "aria-hidden": "true" }, make("span", {}, `${right} / ${all}`));
    ring.style.setProperty("--part", String(right / all));
    parts.push(ring);
  }
  const lines = view.players.map(({ seat }, player) =>
    make("p", own === null || own === player ? {} : { class: "others" }, found.accuracy[seat]),
  );
  if (found.reason) lines.unshift(make("p", { class: "soft small" }, found.reason));
  const turn = found.turning_point;
  if (turn) {
    const { mover } = found.plies[turn - 1];
    const who = view.captions.names[view.players.findIndex(({ seat }) => seat === mover)];
    // One's own miss is more to learn from than what the other missed.
    const mine = own === null ? mover : view.players[own].seat;
    const missed = found.plies.findLast((entry) => entry.mover === mine && ["mistake", "blunder"].includes(entry.verdict ?? ""));
    const ply = missed && mover !== mine ? missed.ply : turn - 1;
    const words = ply === turn - 1 ? "Try it from there →" : `Try move ${ply + 1} again →`;
    const from = make("button", { type: "button", class: "quiet", "data-action": "fork" }, words);
    from.addEventListener("click", () => fork(view, found, ply));
    lines.push(
      make("p", {}, make("strong", {}, "Turning point: "), `${who} ${found.turned}. `, ...(view.watching ? [] : [from])),
    );
  }
  const chart = make("div", { class: "chart-box" });
  picture(chart, found.svg);
  return [...parts, make("div", { class: "decided" }, ...lines), chart];
}
