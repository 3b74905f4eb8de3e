// The review of a game: the chart, a slider and a list lead to any position, with the move played there.

import { drawBoard } from "./board.js";
import { by, inSight, make, mark, picture, problem, put, show } from "./dom.js";
import { drawPosition } from "./position.js";
import { say } from "./say.js";
import { get, newKey, post } from "./send.js";
import { tag, worth } from "./worth.js";

const { id, game } = by("main").dataset;
let review = null;
let at = 0;

/** Say who is ahead at a position; its value is that of the first seat. */
function standing(entry) {
  if (!entry.value) return "value unknown";
  const { result, plies, endless } = entry.value;
  if (result === "draw") return entry.over ? "a draw" : endless ? "endless with best play" : "a draw with best play";
  const who = review.names[result === "win" ? 0 : 1];
  if (plies === 0) return `${who} has won`;
  return plies ? `${who} wins in ${plies}` : `${who} wins`;
}

/** Describe a position in a few words. */
function spoken(entry) {
  const where = entry.ply === 0 ? "Start" : `After move ${entry.ply}`;
  // A board is read cell by cell; on one line it would only be noise.
  return `${where}: ${entry.board ? "" : `${entry.position}; `}${standing(entry)}.`;
}

/** Go to a position. */
function go(ply, announce = true) {
  at = Math.max(0, Math.min(review.plies.length - 1, ply));
  const entry = review.plies[at];
  put(by("here-title"), at === 0 ? "Start" : `After move ${at}`);
  const box = drawPosition(by("position"), entry, review.names, entry.over ? null : entry.mover);
  const before = review.plies[at - 1]?.board?.rows ?? entry.board?.rows;
  drawBoard(box, entry.board, { told: marked(entry), before });
  by("value").replaceChildren(`${review.names[0]}: `, worth(entry.value));
  drawJudged(entry);
  by("ply").value = at;
  by("ply").setAttribute("aria-valuetext", spoken(entry));
  for (const point of document.querySelectorAll("#chart [data-ply]")) {
    const here = Number(point.dataset.ply) === at;
    point.classList.toggle("current", here);
    if (here) inSight(by("chart"), point);
  }
  for (const button of document.querySelectorAll("#list button")) {
    if (Number(button.dataset.ply) === at) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  by("fork").elements.ply.value = at;
  show(by("fork"), !entry.over);
  // A truly disabled button would lose the focus.
  mark(by("back"), "aria-disabled", at === 0 ? "true" : null);
  mark(by("forward"), "aria-disabled", at === review.plies.length - 1 ? "true" : null);
  if (announce) say(spoken(entry));
}

/** Mark on a board which move was played, and which would have been better. */
function marked(entry) {
  if (entry.move === null) return new Map();
  const better = entry.verdict === "forced" || entry.best.includes(entry.move) ? [] : entry.best;
  const played = { word: entry.word ? `played: ${entry.word}` : "played", verdict: entry.verdict, mark: "played" };
  return new Map([...better.map((move) => [move, { word: "better", mark: "better" }]), [entry.move, played]]);
}

/** Show which move was played, and why it was good or bad. */
function drawJudged(entry) {
  const box = by("judged");
  if (entry.move === null) {
    box.replaceChildren();
    return;
  }
  const who = review.names[entry.mover];
  const does = entry.label === entry.move ? " " : `: ${entry.label} `;
  const parts = [make("p", {}, `${who} played `, make("strong", {}, entry.move), does, ...verdict(entry))];
  if (entry.reason) parts.push(make("p", { class: "soft" }, entry.reason));
  box.replaceChildren(...parts);
}

/** Make the tag of a verdict: a sign and a word. */
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
          make("span", {}, make("strong", {}, review.names[entry.mover]), ` ${entry.label}`),
          make("span", { class: "marks" }, ...verdict(entry), ...(turning ? [" ", tag("turning point")] : [])),
        );
        button.addEventListener("click", () => go(entry.ply));
        return make("li", {}, button);
      }),
  );
}

/** Show the whole review. */
function draw(found) {
  review = found;
  show(by("thinking"), false);
  show(by("review"), true);
  if (review.exact) {
    const chart = picture(by("chart"), review.svg);
    chart.addEventListener("click", (event) => {
      const point = event.target.closest("[data-ply]");
      if (point) go(Number(point.dataset.ply));
    });
  } else by("chart").replaceChildren(make("p", { class: "note" }, `The values are unknown. ${review.reason}`));
  by("words").replaceChildren(...(review.text ?? []).map((line) => make("li", {}, line)));
  show(by("words").parentElement, Boolean(review.text));
  by("summary").replaceChildren(...(review.summary ?? []).map((line) => make("li", {}, line)));
  drawList();
  by("ply").max = review.plies.length - 1;
  by("ply").addEventListener("input", (event) => go(Number(event.target.value), false));
  by("back").addEventListener("click", () => go(at - 1));
  by("forward").addEventListener("click", () => go(at + 1));
  const turn = review.turning_point;
  go(turn ? turn - 1 : 0, false);
}

const again = document.querySelector('[data-action="rematch"]');
again?.addEventListener("click", async () => {
  try {
    const { news } = await post(`/m/${id}/actions`, { key: newKey(), ply: Number(again.dataset.ply), action: "rematch" });
    window.location.assign(news.some(({ kind }) => kind === "rematch") ? `/m/${id}/next` : `/m/${id}`);
  } catch {
    window.location.assign(`/m/${id}`);
  }
});
window.addEventListener("pageshow", () => (by("fork").elements.key.value = newKey()));

get(`/m/${id}/review.json?game=${game}`)
  .then(draw)
  .catch((error) => {
    show(by("thinking"), false);
    problem(error.message);
  });
