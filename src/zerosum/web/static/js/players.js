// @ts-check
// The players at a table, their fields, and the shared ones; for any game.

import { by, make, mark, put, show } from "./dom.js";
import { clearPreview, drawFields, previewField } from "./field.js";
import { drawSide } from "./position.js";

/** Draw the players of a view, and the fields of its position. @param {Api.TableView} view */
export function drawPlayers(view) {
  view.players.forEach((player, at) => drawPlayer(view, player, at));
  drawFields(by("fields"), view.fields);
  const { games, game } = view.series;
  show(by("series"), games > 1);
  put(by("series"), `Game ${game} of ${games}`);
}

/** Draw one player's side. @param {Api.TableView} view @param {Api.Seat} player @param {number} at */
function drawPlayer(view, player, at) {
  const side = document.querySelector(`.player[data-player="${at}"]`);
  const moving = view.turn?.player === at;
  drawSide(side, { name: view.captions.names[at], tags: view.captions.tags[at], fields: player.fields, moving });
  const [, , played, score] = side.children;
  drawPlayed(played, view.last.findLast((played) => played.player === at));
  put(score, view.captions.scores[at]);
  side.classList.toggle("won", view.ended?.winner === at);
  mark(side, "aria-current", moving ? "true" : null);
}

const AWAY = 5000; // a page that is reloaded is away for a moment
let away = 0;

/** Show beside the opponent's name whether they have the table open. @param {Api.TableView} view @param {boolean[]} here */
export function showPresence(view, here) {
  clearTimeout(away);
  if (view.mode !== "friend") return;
  view.players.forEach((_, at) => {
    if (view.you.some((own) => own === at)) return;
    const name = document.querySelector(`.player[data-player="${at}"] .name`);
    const dot = name.querySelector(".here") ?? make("span", { class: "here", role: "img" });
    const draw = () => {
      dot.classList.toggle("present", here[at]);
      mark(dot, "aria-label", here[at] ? "here" : "away");
      mark(dot, "title", here[at] ? `${view.captions.names[at]} is here` : `${view.captions.names[at]} is away`);
      name.prepend(dot);
    };
    if (here[at]) draw();
    else away = setTimeout(draw, AWAY);
  });
}

/** Show a player's last move. @param {HTMLElement} box @param {Api.Played | undefined} last */
function drawPlayed(box, last) {
  const text = last ? `played ${last.button}` : "";
  if (box.textContent !== text) box.replaceChildren(...(last ? [make("span", {}, "played "), last.button] : []));
  mark(box, "title", last?.text);
}

/** Return the element of a changed field. @param {Api.Effect} change */
function placeOf(change) {
  const box = change.player === null ? "#fields" : `.player[data-player="${change.player}"]`;
  return document.querySelector(`${box} [data-field="${CSS.escape(change.name)}"]`);
}

/** Preview in the fields what a move would change. @param {Choice} move */
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
