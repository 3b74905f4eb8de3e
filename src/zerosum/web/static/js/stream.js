// News of a match by server-sent events, for as long as the page is open, whatever happens to the network.

import { back, get } from "./send.js";

const SLOWEST = 8000;
const QUIET = 35000; // more than two beats, which come every 15 seconds
const ASLEEP = 10000;
const FINAL = ["no_match", "expired", "private"];

/** Follow a match: `onView` gets every view, `onState` the state of the connection, `onGone` the last word. */
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
      // The browser tries again by itself after a lost connection, and gives up after an error page.
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

  /** Ask for the state itself, since the stream is shut: is the match still there? */
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

  /** Open the stream anew where it has gone quiet: a dead connection need not tell of its end. */
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
