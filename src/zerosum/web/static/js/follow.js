// @ts-check
// This page's table, followed for as long as the page is open, whatever happens to the network.

import { back, get } from "./send.js";
import { Stream } from "./stream.js";

const FIRST = 1000;
const SLOWEST = 60000;

/**
 * Connect to the stream of this browser, or to one of this page; return how to call it.
 * @param {(told: Heard) => void} hear @param {() => void} begin @returns {(message: Call) => void}
 */
function connect(hear, begin) {
  const own = () => {
    const stream = new Stream(hear);
    return (/** @type {Call} */ asked) => {
      if (asked.call === "follow") stream.follow(asked);
      else if (asked.call === "leave") stream.leave(asked);
      else stream.wake(asked);
    };
  };
  let worker = null;
  try {
    worker = new SharedWorker(new URL("./stream-worker.js", import.meta.url), { type: "module" });
  } catch {
    return own(); // Chrome on Android has none, and a browser without storage allows none
  }
  let send = (/** @type {Call} */ message) => worker.port.postMessage(message);
  worker.port.addEventListener("message", ({ data }) => hear(data));
  worker.port.start();
  worker.addEventListener("error", () => {
    send = own();
    begin();
  });
  return (message) => send(message);
}

/**
 * Follow the table that `current` returns: `onTable` gets every document, `onState` the connection's state, `onHere`
 * which players are here, and `onGone` the final message.
 * @param {() => Api.TableView} current @param {Follower} hooks
 */
export function follow(current, { onTable, onState, onHere, onGone }) {
  let state = "connecting";
  let following = true;
  let gone = false;
  let rest = FIRST;
  const call = connect(hear, begin);
  const where = `/api/v1/matches/${current().id}`;

  /** @param {string} now */
  function show(now) {
    state = now;
    onState(navigator.onLine ? state : "offline");
  }

  function begin() {
    const { id, watching, change } = current();
    following = true;
    call({ call: "follow", id, watching, change });
  }

  /** @param {Heard} told */
  function hear({ state: now, table, here, end, ping }) {
    if (!following) return;
    if (ping) begin();
    if (now) show(now);
    if (now === "connected") back();
    if (here) onHere(here);
    if (table) {
      rest = FIRST;
      onTable(table);
    }
    if (!end) return;
    following = false;
    show(end === "over" ? end : "reconnecting");
    if (end === "over") return; // until somebody comes back to it
    setTimeout(refresh, rest);
    rest = Math.min(2 * rest, SLOWEST);
  }

  /** Fetch the table, as often as it takes, and follow it; if it is refused, it is gone for good. */
  async function refresh() {
    try {
      onTable(await get(where, undefined, Infinity));
      begin();
    } catch (problem) {
      gone = true;
      following = false;
      call({ call: "leave", id: current().id });
      onGone(problem.message);
    }
  }

  function returned(lost = false) {
    if (gone || (document.hidden && !lost)) return;
    if (following) call({ call: "wake", lost });
    else refresh();
  }

  window.addEventListener("online", () => {
    show(state);
    returned(true);
  });
  window.addEventListener("offline", () => show(state));
  window.addEventListener("pagehide", () => call({ call: "leave", id: current().id }));
  window.addEventListener("pageshow", (event) => event.persisted && refresh());
  document.addEventListener("visibilitychange", () => returned());
  window.addEventListener("focus", () => returned());
  begin();
}
