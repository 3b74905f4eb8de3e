// The table: shows the current view, sends actions, receives news.
//
// Tests and scripts rely on these: [data-move], #typed-move, #live, #problem,
// #connection[data-state], #fields and .player[data-player] with [data-field] and .number[data-value],
// #grid with [role=gridcell], #turn, #clock, #coach, #advice, [data-action] (undo, draw, resign, next, rematch, go, review, home,
// accept, decline, hint, join, copy, share, copy-watch), [data-offer], #result-title, #story [data-ply].

import { confirmed, drawOffers, drawResult, drawTools, mayUndo } from "./actions.js";
import { setClock } from "./clock.js";
import { coaching } from "./coach.js";
import { by, given, make, mark, put, show, sync } from "./dom.js";
import { copy, inviting } from "./invite.js";
import { drawMoves, focusMoves, whenChosen } from "./moves.js";
import { news, title } from "./news.js";
import { drawPlayers, endPreview } from "./players.js";
import { say } from "./say.js";
import { post } from "./send.js";
import { keysOn, listen, switchKeys } from "./shortcuts.js";
import { follow } from "./stream.js";
import { drawTyping, typing } from "./typing.js";

const CONNECTION = {
  connecting: "connecting…",
  connected: "connected",
  reconnecting: "reconnecting…",
  offline: "offline",
};

let view = given(by("main"), "view");
let sending = false;
const coach = coaching(() => view, act, () => drawMoves(view, coach.values()));

/** Show a view, unless a newer one is on the page. */
function take(fresh) {
  if (fresh.change < view.change) return;
  const before = view;
  view = fresh;
  draw();
  // When a game ends on a board, what comes next is beside the result.
  if (fresh.ended && !before.ended && by("grid").contains(document.activeElement)) by("result-title").focus();
  if (fresh.change === before.change) return;
  say(...news(before, fresh));
  if (fresh.next && !before.next && !fresh.watching) window.location.assign(fresh.next);
}

/** Draw everything from the view. */
function draw() {
  const focused = document.activeElement;
  document.title = title(view);
  if (by("join") && !view.can.includes("join")) by("join").remove();
  show(by("invite"), view.waiting && !view.watching);
  show(by("play"), !view.waiting);
  put(by("title"), view.game.title);
  drawPlayers(view);
  endPreview();
  drawResult(view, act);
  drawOffers(view, act);
  drawTools(view, act, (button) => copy(view.link, button));
  show(by("explore-link"), view.coach.open); // the map reveals what the coach would
  drawChoice();
  coach.draw(view);
  drawMoves(view, coach.values());
  drawStory();
  setClock(view);
  keepFocus(focused);
}

/** Draw whose turn it is, and the input field. */
function drawChoice() {
  const turn = view.turn;
  show(by("choose"), Boolean(turn));
  if (!turn) return;
  const yours = turn.yours && view.mode !== "here";
  put(by("turn"), yours ? "Your turn" : turn.text);
  put(by("prompt"), (turn.yours && turn.prompt.replace(/:\s*$/, "")) || "Your move");
  show(by("typed"), !view.watching);
  drawTyping(view);
}

/** Draw the moves so far, newest first. */
function drawStory() {
  sync(
    by("story"),
    [...view.last].reverse(),
    ({ ply, said }) => `${view.series.game} ${ply} ${said}`,
    ({ ply, player, text }) =>
      make(
        "li",
        { "data-ply": ply },
        make("span", { class: "nth" }, `${ply}.`),
        make("span", {}, make("strong", {}, view.players[player].name), ` ${text}`),
      ),
    () => {},
  );
  show(by("story"), view.last.length > 0);
  const told = view.last.at(-1)?.said ?? "";
  put(by("said"), view.said === told || view.ended ? "" : view.said);
  show(by("said"), by("said").textContent !== "");
}

/** Move the focus if what had it is gone. */
function keepFocus(focused) {
  if (focused === document.body || focused === document.activeElement) {
    if (!focused.closest("[hidden]")) return;
  }
  if (document.activeElement !== document.body && !document.activeElement.closest("[hidden]")) return;
  if (view.ended) by("result-title").focus();
  else focusMoves(view);
}

/** Send an action; nothing is shown as done before the server confirms it. */
async function act(action) {
  if (sending) return;
  const serious = {
    resign: ["Resign?", "Your opponent wins this game.", "Resign"],
    // On a shared screen nobody else is asked.
    draw: view.mode === "here" && ["Call it a draw?", "The game ends and nobody wins.", "Call it a draw"],
  }[action.action];
  if (serious && !(await confirmed(...serious))) return;
  if (sending) return;
  busy(true);
  problem("");
  try {
    const waiting = () => put(by("sending-words"), "not sent yet; retrying…");
    take(await post(`/m/${view.id}/actions`, { ply: view.ply, ...action }, waiting));
  } catch (error) {
    if (error.document?.error?.state) take(error.document.error.state);
    else if (error.document?.state) take(error.document.state);
    problem(error.message);
    coach.draw(view);
  } finally {
    busy(false);
  }
}

/** Show that something is on its way. */
function busy(now) {
  sending = now;
  document.body.classList.toggle("busy", now);
  mark(by("choose"), "aria-busy", now ? "true" : null);
  show(by("sending"), now);
  put(by("sending-words"), "sending…");
}

/** Show an error; the position is unchanged. */
function problem(text) {
  put(by("problem"), text);
  show(by("problem"), text !== "");
}

/** Play a move, or show why it cannot be played. */
function play(move) {
  const known = view.moves.find((listed) => listed.move === move);
  if (!view.can.includes("move")) {
    problem(view.turn ? `It is ${view.turn.text}.` : "The game is over.");
  } else if (known && !known.legal) {
    problem(known.why);
  } else act({ action: "move", move });
}

let lost = 0;

/** Show the connection's state, and announce it if it lasts. */
function connection(state) {
  const shown = by("connection");
  if (shown.dataset.state === state) return;
  shown.dataset.state = state;
  put(by("connection-words"), CONNECTION[state]);
  clearTimeout(lost);
  if (state === "connected") {
    if (shown.dataset.told) say("Connection restored.");
    delete shown.dataset.told;
  } else if (state !== "connecting") {
    lost = setTimeout(() => {
      shown.dataset.told = "yes";
      say("Connection lost. Reconnecting… Your game is safe.");
    }, 3000);
  }
}

/** Open the help. */
function help() {
  by("keys-on").checked = keysOn();
  by("help").showModal();
}

whenChosen(play);
const digit = typing(() => view, play);
listen(digit, {
  "?": help,
  h: () => coach.hint(),
  u: () => mayUndo(view) && act({ action: "undo" }),
});
by("help-button").addEventListener("click", help);
by("keys-on").addEventListener("change", (event) => switchKeys(event.target.checked));
inviting(view);
// A rejected join form is at its own address; reloading must not send it again.
window.history.replaceState(null, "", `/m/${view.id}`);
draw();
follow(view.id, {
  onView: take,
  onState: connection,
  onGone: (text) => {
    connection("offline");
    put(by("gone"), text);
    show(by("gone"), true);
    by("join")?.remove();
  },
});
