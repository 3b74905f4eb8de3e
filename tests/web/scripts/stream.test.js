import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Stream } from "../../../src/zerosum/web/static/js/stream.js";

const TABLE = { id: "m", change: 4 };
let told = [];
let sent = [];
let clock = null;

/** Make an answer whose body comes in these pieces. */
function answer(...pieces) {
  const body = new ReadableStream({
    start(control) {
      for (const piece of pieces) control.enqueue(new TextEncoder().encode(piece));
    },
  });
  return new Response(body);
}

/** Let everything that is due happen. */
async function passed(milliseconds) {
  clock.timers.tick(milliseconds);
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

beforeEach((context) => {
  [told, sent, clock] = [[], [], context.mock];
  clock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
});
afterEach(() => clock.timers.reset());

/** Follow the table at a server that answers in turn. */
function following(...answers) {
  clock.method(globalThis, "fetch", async (url, { body }) => {
    sent.push(JSON.parse(body).matches);
    return answers.shift() ?? Promise.reject(new TypeError("the network is away"));
  });
  const stream = new Stream((message) => told.push(message));
  stream.follow({ id: "m", watching: false, change: 3 });
  return stream;
}

test("an event that comes in pieces is one event", async () => {
  const event = `event: table\ndata: ${JSON.stringify(TABLE)}\n\n`;
  following(answer("event: open\ndata: {\"beat\": 10}\n\n", event.slice(0, 20), event.slice(20)));
  await passed(20);
  assert.deepEqual(told, [{ state: "connected" }, { id: "m", table: TABLE }]);
});

test("a table that another page shows already comes at once, if it is newer", async () => {
  const stream = following(answer(`event: table\ndata: ${JSON.stringify(TABLE)}\n\n`));
  await passed(20);
  told = [];
  stream.follow({ id: "m", watching: false, change: 3 });
  stream.follow({ id: "m", watching: false, change: 4 });
  assert.deepEqual(told.map(({ table }) => table?.change), [4, undefined, undefined]);
});

test("the tables of one browser share a connection", async () => {
  const stream = following(answer());
  stream.follow({ id: "n", watching: false, change: 0 });
  await passed(20);
  assert.deepEqual(sent, [["m", "n"]]);
});

test("a lost connection is made anew", async () => {
  following();
  await passed(20);
  assert.deepEqual(told, [{ state: "reconnecting" }]);
  await passed(1000);
  assert.equal(sent.length, 2);
});

test("a connection in which no heartbeat comes is given up", async () => {
  following(answer('event: open\ndata: {"beat": 10}\n\n'), answer());
  await passed(20);
  await passed(20000);
  assert.equal(sent.length, 1);
  await passed(10000);
  assert.equal(sent.length, 2);
});

test("a table that has ended is followed no more", async () => {
  following(answer('event: end\ndata: {"id": "m", "code": "over"}\n\n'));
  await passed(20);
  assert.deepEqual(told, [{ id: "m", end: "over" }]);
});
