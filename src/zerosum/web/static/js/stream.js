// Server-sent events of a match, for as long as the page is open, whatever happens to the network.

import { back, get } from "./send.js";

const SLOWEST = 8000;
const QUIET = 35000; // more than two heartbeats, which come every 15 seconds
const ASLEEP = 10000;
const FINAL = ["no_match", "expired", "private"];

/** Follow a match: `onView` gets every view, `onState` the connection's state, `onGone` the final message. */
export function follow(id, { onView, onState, onGone }) {
  let source = null;
  let timer = 0;
  let rest = 500;
  let heard = Date.now();
  let hidden = 0;
  let over = false;

  const tell = (state) => onState(navigator.onLine ? state : "offline");

  function open() {
    if (over) return;
    clearTimeout(timer);
    source?.close();
    heard = Date.now();
    source = new EventSource(`/m/${id}/events`);
    source.addEventListener("open", () => {
      well();
      back();
    });
    source.addEventListener("beat", well);
    source.addEventListener("state", (event) => {
      well();
      onView(JSON.parse(event.data));
    });
    source.addEventListener("error", () => {
      tell("reconnecting");
      // The browser reconnects by itself after a lost connection, but gives up after an error page.
      if (source.readyState === EventSource.CLOSED) check();
    });
  }

  function well() {
    heard = Date.now();
    rest = 500;
    tell("connected");
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(open, rest * (0.8 + 0.4 * Math.random()));
    rest = Math.min(rest * 2, SLOWEST);
  }

  /** Fetch the state, since the stream is closed: does the match still exist? */
  async function check() {
    try {
      onView(await get(`/m/${id}/state`, undefined, 1));
      if (source.readyState === EventSource.CLOSED) later();
    } catch (problem) {
      if (FINAL.includes(problem.code)) {
        over = true;
        source?.close();
        onGone(problem.message);
        return;
      }
      tell("reconnecting");
      later();
    }
  }

  /** Reopen a stream that has gone quiet: a dead connection may not report its end. */
  function listen() {
    if (over || document.hidden || Date.now() - heard <= QUIET) return;
    tell("reconnecting");
    open();
  }

  setInterval(listen, 5000);
  window.addEventListener("online", open);
  window.addEventListener("offline", () => tell("offline"));
  window.addEventListener("pagehide", () => source?.close());
  window.addEventListener("pageshow", (event) => event.persisted && open());
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) hidden = Date.now();
    else if (Date.now() - hidden > ASLEEP) open();
  });
  open();
}
