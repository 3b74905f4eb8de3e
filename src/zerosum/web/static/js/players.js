// The players at a table, their fields, and the shared ones; for any game.

import { by, make, mark, put, show, sync } from "./dom.js";
import { arrange, clearPreview, drawFields, previewField, shown } from "./field.js";

/** Draw the players of a view, and the fields of its position. */
export function drawPlayers(view) {
  view.players.forEach((player, at) => drawPlayer(view, player, at));
  drawFields(by("fields"), view.fields);
  arrange(document.querySelector(".sides"), view, view.players.map((player) => player.fields));
  const { games, game } = view.series;
  show(by("series"), games > 1);
  put(by("series"), `Game ${game} of ${games}`);
  put(by("glance"), glance(view));
}

/** Summarise the position in a few characters, for phones on which the numbers are scrolled away. */
function glance(view) {
  const [first, second] = view.players;
  const own = first.fields.map((field, at) => {
    const pair = `${shown(field.value)} : ${shown(second.fields[at]?.value ?? "")}`;
    return field.kind === "lives" ? `♥ ${pair}` : pair;
  });
  const parts = [...view.fields.slice(0, 1).map((field) => shown(field.value)), ...own];
  return parts.every((part) => part.length < 16) ? parts.join(" · ") : "";
}

/** Draw one player's side. */
function drawPlayer(view, player, at) {
  const side = document.querySelector(`.player[data-player="${at}"]`);
  if (!side.firstChild) {
    side.append(
      make("div", { class: "who" }, make("h3", { class: "name" }), make("p", { class: "marks" })),
      make("div", { class: "own" }),
      make("p", { class: "played" }),
      make("p", { class: "score" }),
    );
  }
  const [who, own, played, score] = side.children;
  const [name, marks] = who.children;
  const moving = view.turn?.player === at;
  const won = view.ended?.winner === at;
  put(name, player.name);
  sync(marks, marksOf(view, player, at), (word) => word, (word) => make("span", { class: "tag" }, word), () => {});
  drawFields(own, player.fields);
  show(own, player.fields.length > 0);
  show(marks, marks.childElementCount > 0);
  drawPlayed(played, view.last.findLast((played) => played.player === at));
  put(score, scoreOf(view, player));
  show(score, score.textContent !== "");
  side.classList.toggle("moving", moving);
  side.classList.toggle("won", won);
  mark(side, "aria-current", moving ? "true" : null);
}

/** Show a player's last move. */
function drawPlayed(box, last) {
  const shown = last ? `${last.ply} ${last.move}` : "";
  if (box.dataset.shown === shown) return;
  box.dataset.shown = shown;
  const what = last && last.text !== last.move ? ` ${last.text}` : "";
  box.replaceChildren(...(last ? ["played ", make("span", { class: "key" }, last.move), make("span", { class: "what" }, what)] : []));
}

/** Return the tags beside a player's name. */
function marksOf(view, player, at) {
  const words = [];
  if (view.mode !== "here" && view.you.includes(at) && player.name !== "You") words.push("you");
  if (!player.joined) words.push("hasn't joined yet");
  if (view.turn?.player === at) words.push("to move");
  if (view.ended?.winner === at) words.push("★ winner");
  return words;
}

/** Return a player's score so far, in words. */
function scoreOf(view, player) {
  const parts = [];
  if (view.series.games > 1) parts.push(`Score: ${points(player.score)}`);
  if (view.players.some(({ tally }) => tally)) parts.push(`Matches won: ${points(player.tally)}`);
  return parts.join(" · ");
}

/** Format a score, in which a draw is half a point. */
function points(score) {
  const whole = Math.floor(score);
  return score === whole ? String(whole) : `${whole || ""}½`;
}

/** Return the element of a changed field. */
function placeOf(change) {
  const box = change.player === null ? "#fields" : `.player[data-player="${change.player}"]`;
  return document.querySelector(`${box} [data-field="${CSS.escape(change.name)}"]`);
}

/** Preview in the fields what a move would change. */
export function preview(move) {
  endPreview();
  for (const change of move.changes ?? []) {
    const node = placeOf(change);
    if (node) previewField(node, change.value);
  }
}

/** End the preview. */
export function endPreview() {
  document.querySelectorAll(".sides .field").forEach(clearPreview);
}
