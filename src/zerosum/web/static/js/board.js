// The board: both players, what each has, and what they share; nothing here knows any game.

import { by, make, mark, put, show, sync } from "./dom.js";
import { clearPreview, drawField, makeField, previewField, shown } from "./field.js";

/** Draw the board of a view. */
export function drawBoard(view) {
  view.players.forEach((player, at) => drawPlayer(view, player, at));
  drawFields(by("fields"), view.fields);
  by("fields").parentElement.classList.toggle("shared", view.players.every((player) => !player.fields.length));
  const { length, game } = view.series;
  show(by("series"), length > 1);
  put(by("series"), `Game ${game} of ${length}`);
  put(by("glance"), glance(view));
}

/** Put the position into a few signs, for a phone on which the board has been scrolled away. */
function glance(view) {
  const [one, other] = view.players;
  const own = one.fields.map((field, at) => {
    const pair = `${shown(field.value)} : ${shown(other.fields[at]?.value ?? "")}`;
    return field.kind === "lives" ? `♥ ${pair}` : pair;
  });
  const parts = [...view.fields.slice(0, 1).map((field) => shown(field.value)), ...own];
  return parts.every((part) => part.length < 16) ? parts.join(" · ") : "";
}

/** Draw the fields of a position in a box. */
export function drawFields(box, fields) {
  sync(box, fields, (field) => field.name, makeField, drawField);
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
  drawPlayed(played, view.last.findLast((one) => one.player === at));
  put(score, scoreOf(view, player));
  show(score, score.textContent !== "");
  side.classList.toggle("moving", moving);
  side.classList.toggle("won", won);
  mark(side, "aria-current", moving ? "true" : null);
}

/** Show what a player played last. */
function drawPlayed(box, one) {
  const shown = one ? `${one.ply} ${one.move}` : "";
  show(box, Boolean(one));
  if (box.dataset.shown === shown) return;
  box.dataset.shown = shown;
  if (one) box.replaceChildren("played ", make("span", { class: "key" }, one.move), make("span", { class: "what" }, ` ${one.text}`));
}

/** Give the words beside a player's name. */
function marksOf(view, player, at) {
  const words = [];
  if (view.mode !== "here" && view.you.includes(at) && player.name !== "You") words.push("you");
  if (!player.joined) words.push("not here yet");
  if (view.turn?.player === at) words.push("to move");
  if (view.ended?.winner === at) words.push("★ winner");
  return words;
}

/** Say what a player has won so far. */
function scoreOf(view, player) {
  const parts = [];
  if (view.series.length > 1) parts.push(`Games won: ${player.score}`);
  if (view.players.some((one) => one.tally)) parts.push(`Matches won: ${player.tally}`);
  return parts.join(" · ");
}

/** Find the element that a change is about. */
function placeOf(change) {
  const box = change.player === null ? "#fields" : `.player[data-player="${change.player}"]`;
  return document.querySelector(`${box} [data-field="${CSS.escape(change.name)}"]`);
}

/** Show on the board what a move would change. */
export function preview(move) {
  endPreview();
  for (const change of move.changes ?? []) {
    const node = placeOf(change);
    if (node) previewField(node, change.value);
  }
}

/** Show the position as it is. */
export function endPreview() {
  document.querySelectorAll("#board .field").forEach(clearPreview);
}
