// @ts-check
// The table: shows the current view, sends actions, receives news.
//
// Tests and scripts rely on these: [data-move], #typed-move, #live, #problem,
// #connection[data-state], #fields and .player[data-player] with [data-field] and .number[data-value],
// #grid with [role=gridcell], #turn, #clock, #coach, #advice, [data-action] (undo, draw, resign, next, rematch, go, level,
// review, home, fork, share-result, accept, decline, hint, join, copy, share, copy-watch), [data-offer], #result-title, #story [data-ply].

import { confirmed, drawControls, drawOffers } from "./actions.js";
import { setClock } from "./clock.js";
import { coaching } from "./coach.js";
import { drawAhead, drawChoices, focusMoves } from "./choices.js";
import { by, make, mark, problem, put, say, show, sync } from "./dom.js";
import { follow } from "./follow.js";
import { copy, inviting } from "./invite.js";
import { remember } from "./my-games.js";
import { news, notices } from "./news.js";
import { drawPlayers, endPreview, showPresence } from "./players.js";
import { drawResult, hasWon } from "./result.js";
import { newKey, post } from "./send.js";
import { sound, soundOn, switchSound } from "./sound.js";
import { notice, settle } from "./toasts.js";
import { keysOn, switchKeys, typing } from "./typing.js";

const CONNECTION = /** @type {Record<string, string>} */ ({
  connecting: "connecting…",
  connected: "connected",
  reconnecting: "reconnecting…",
  offline: "offline",
  over: "game over",
});
const SOON = 500;
const WATCHING = "You are watching.";

let view = /** @type {Api.TableView} */ (JSON.parse(by("main").dataset.view));
let sending = false;
let sent = /** @type {{ ply: number, move: string } | null} */ (null); // the move that is on its way
let pending = ""; // what is shown of something that is not sent at once
let lost = false;
let [slow, losing] = [0, 0];
let answered = () => {}; // removes the notice that asks for the coach
let ahead = /** @type {{ change: number, shown: Api.Asked } | null} */ (null); // what the coach expects, until something happens
const coach = coaching(() => view, act, choices, (shown) => {
  ahead = shown && { change: view.change, shown };
  draw();
});

/** Show a view, unless a newer one is on the page. @param {Api.TableView} fresh */
function take(fresh) {
  if (fresh.change < view.change) return;
  const before = view;
  view = fresh;
  draw();
  // Who played on the board or by digits has the focus where nothing can be done any more.
  const focused = document.activeElement;
  const idle = [document.body, by("main")].includes(focused) || by("grid").contains(focused);
  if (fresh.ended && !before.ended && idle) by("result-title").focus();
  if (fresh.change === before.change) return;
  say(...news(before, fresh));
  for (const { text, kind } of notices(before, fresh).slice(-1)) {
    if (kind === "coach" && coach.requested()) answered = notice(text, "Accept", coach.accept);
    else notice(text);
  }
  sounds(before, fresh);
  if (fresh.next && !before.next && !fresh.watching) window.location.assign(fresh.next);
}

/** Sound what has happened, if sounds are on. @param {Api.TableView} before @param {Api.TableView} now */
function sounds(before, { ended, turn, mode, ply }) {
  if (ended && !before.ended) sound(hasWon(view) ? "won" : "over");
  else if (turn?.yours && mode !== "here" && (ply !== before.ply || before.waiting)) sound("turn");
}

/** Draw everything from the view. */
function draw() {
  const focused = document.activeElement;
  if (sent || ahead?.change !== view.change) ahead = null;
  document.title = view.captions.page;
  remember(view);
  if (by("join") && !view.can.includes("join")) by("join").remove();
  show(by("invite"), view.waiting && !view.watching);
  show(by("play"), !view.waiting);
  drawPlayers(expected());
  endPreview();
  drawResult(view, act);
  drawOffers(view, act);
  drawControls(by("tool-buttons"), view.captions.tools, act, { "copy-watch": (button) => copy(view.link, button) });
  show(by("explore-link"), view.coach.open); // the map reveals what the coach would
  coach.draw(view, ahead !== null);
  if (!coach.requested()) answered();
  choices();
  drawStory();
  setClock(view);
  keepFocus(focused);
  // On a shared screen the next tap is another player's, and the computer may answer between two taps that mean one.
  settle(view.mode !== "friend" && view.ply);
}

/** Draw what can be chosen, and the move that is on its way. */
function choices() {
  drawChoices(view, coach.values(), play, onItsWay());
  if (ahead) drawAhead(view, ahead.shown);
  document.querySelector(".sides").classList.toggle("ahead", ahead !== null);
}

/** Return the move that is on its way, until the server has answered or told of it. */
function onItsWay() {
  return sent?.ply === view.ply ? sent.move : null;
}

/** Return the view with the fields as they will be after the move that is on its way. */
function expected() {
  const changes = view.moves.find(({ move }) => move === onItsWay())?.changes ?? [];
  const after = (/** @type {Api.ShownField[]} */ fields, /** @type {number | null} */ owner) =>
    fields.map((field) => ({ ...field, ...changes.find(({ name, player }) => name === field.name && player === owner) }));
  const players = view.players.map((player, at) => ({ ...player, fields: after(player.fields, at) }));
  return /** @type {Api.TableView} */ ({ ...view, players, fields: after(view.fields, null) });
}

/** Draw the moves so far: each player's in a colour of their own. */
function drawStory() {
  sync(
    by("story"),
    [...view.last],
    ({ ply, said }) => `${view.series.game} ${ply} ${said}`,
    ({ ply, player, button, said }) =>
      make(
        "li",
        { "data-ply": ply, class: player === (view.you[0] ?? 0) ? "mine" : null, title: said },
        make("span", { class: "hidden-text" }, `${ply}. ${view.captions.names[player]} `),
        button,
      ),
    () => {},
  );
  by("story").scrollTop = by("story").scrollHeight;
  show(by("story"), view.last.length > 0);
  show(by("no-story"), view.last.length === 0);
}

/** Move the focus if what had it is gone. @param {Element | null} focused */
function keepFocus(focused) {
  if (focused === document.body || focused === document.activeElement) {
    if (!focused.closest("[hidden]")) return;
  }
  if (document.activeElement !== document.body && !document.activeElement.closest("[hidden]")) return;
  if (view.ended) by("result-title").focus();
  else focusMoves(view);
}

/** Send an action; a move is seen at once, and returns if the server refuses it. @param {Action} action */
async function act(action) {
  if (sending) return;
  const serious = /** @type {Record<string, false | [string, string, string]>} */ ({
    resign: ["Resign?", "Your opponent wins this game.", "Resign"],
    // On a shared screen nobody else is asked, and the computer answers at once.
    draw: view.mode === "here" ? ["Call it a draw?", "The game ends and nobody wins.", "Call it a draw"] : view.mode === "bot" && [
      "Offer a draw?", "If the computer agrees, nobody wins.", "Offer a draw",
    ],
  })[action.action];
  if (serious && !(await confirmed(...serious))) return;
  if (sending) return;
  busy(true);
  problem("");
  if (action.move) {
    sent = { ply: view.ply, move: action.move };
    draw();
  }
  try {
    const waiting = () => drawSending("not sent yet; retrying…");
    take(await post(`/api/v1/matches/${view.id}/actions`, { key: newKey(), ply: view.ply, ...action }, waiting));
  } catch (error) {
    if (error.state) take(error.state);
    problem(error.message);
    coach.draw(view, ahead !== null);
  } finally {
    const returns = onItsWay() !== null;
    sent = null;
    busy(false);
    if (returns) draw();
  }
}

/** Show that something is on its way. @param {boolean} now */
function busy(now) {
  sending = now;
  document.body.classList.toggle("busy", now);
  mark(by("choose"), "aria-busy", now ? "true" : null);
  drawSending("");
  clearTimeout(slow);
  if (now) slow = setTimeout(() => pending || drawSending("sending…"), SOON);
}

/** Show that the connection is lost, or what is pending. @param {string} words */
function drawSending(words = pending) {
  pending = words;
  document.body.classList.toggle("late", pending !== "");
  show(by("sending"), lost || pending !== "");
  put(by("sending-words"), lost ? `Connection lost${pending && "; not sent yet"}. Reconnecting… Your game is safe.` : pending);
}

/** Play a move, or show why it cannot be played. @param {string} move */
function play(move) {
  const known = view.moves.find((listed) => listed.move === move);
  if (view.watching && view.turn) {
    notice(WATCHING);
    say(WATCHING);
  } else if (!view.can.includes("move")) {
    problem(view.turn ? `It is ${view.turn.text}.` : "The game is over.");
  } else if (known && !known.legal) {
    problem(known.why ?? "");
  } else act({ action: "move", move });
}

/** Show the connection's state, and announce it if it lasts. @param {string} state */
function connection(state) {
  const place = by("connection");
  if (place.dataset.state === state) return;
  place.dataset.state = state;
  put(by("connection-words"), CONNECTION[state]);
  clearTimeout(losing);
  if (state === "connected" || state === "over") {
    if (lost) {
      say("Connection restored.");
      notice("Connection restored. Nothing was lost.");
    }
    lost = false;
    drawSending();
  } else if (state !== "connecting") {
    losing = setTimeout(() => {
      lost = true;
      drawSending();
      say("Connection lost. Reconnecting… Your game is safe.");
    }, 3000);
  }
}

/** On a phone, coach, moves and more share one place; the arrow keys go from one to the next. @param {HTMLElement} list @param {HTMLElement} place */
function tabs(list, place) {
  const buttons = [...list.children].filter(({ hidden }) => !hidden);
  const choose = (/** @type {HTMLElement} */ chosen) => {
    place.dataset.tab = chosen.getAttribute("aria-controls") ?? "";
    for (const button of buttons) {
      mark(button, "aria-selected", button === chosen ? "true" : "false");
      button.tabIndex = button === chosen ? 0 : -1;
    }
  };
  list.addEventListener("click", (event) => event.target.matches("button") && choose(event.target));
  list.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const next = buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length];
    choose(next);
    next.focus();
  });
  choose(buttons[0]);
}

/** Open the help. */
function help() {
  by("keys-on").checked = keysOn();
  by("help").showModal();
}

typing(() => view, play, {
  "?": help,
  h: () => {
    if (!by("coach").hidden) by("tab-coach").click(); // on a phone, the advice is in a tab
    coach.hint();
  },
  u: () => view.captions.tools.some(({ action, open }) => action === "undo" && open) && act({ action: "undo" }),
});
by("help-button").addEventListener("click", help);
by("sound-on").checked = soundOn();
by("sound-on").addEventListener("change", () => switchSound(by("sound-on").checked));
tabs(by("tabs"), by("beside"));
by("keys-on").addEventListener("change", () => switchKeys(by("keys-on").checked));
inviting(view);
// A rejected join form is at its own address; reloading must not send it again.
window.history.replaceState(null, "", `/m/${view.id}`);
draw();
follow(() => view, {
  onTable: take,
  onState: connection,
  onHere: (here) => showPresence(view, here),
  onGone: (text) => {
    connection("offline");
    put(by("gone"), text);
    show(by("gone"), true);
    by("join")?.remove();
  },
});
