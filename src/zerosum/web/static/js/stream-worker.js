// @ts-check
// One stream for all tables that are open in a browser, which allows few connections to a server.

import { Stream } from "./stream.js";

const PING = 20000;
const MISSED = 3;
const pages = new Map(); // by port: the table of the page, and the pings that it has not answered
const stream = new Stream((message) => {
  for (const [port, { id }] of pages) if (!message.id || message.id === id) port.postMessage(message);
});

/** Forget a page; its table is left with the last page that shows it. @param {MessagePort} port */
function forget(port) {
  const id = pages.get(port)?.id;
  pages.delete(port);
  if (id && ![...pages.values()].some((page) => page.id === id)) stream.leave({ id });
}

self.addEventListener("connect", ({ ports: [port] }) => {
  port.addEventListener("message", (/** @type {MessageEvent<Call>} */ { data: asked }) => {
    if (asked.call === "leave") forget(port);
    else if (asked.call === "follow") {
      pages.set(port, { id: asked.id, missed: 0 });
      stream.follow(asked);
    } else stream.wake(asked);
  });
  port.start();
});

// A page that crashed or is frozen does not say goodbye; a page that is well follows again.
setInterval(() => {
  for (const [port, page] of pages) {
    page.missed += 1;
    if (page.missed > MISSED) forget(port);
    else port.postMessage({ ping: true });
  }
}, PING);
