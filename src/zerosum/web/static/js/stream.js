// @ts-check
// The connection that brings every change of some tables: server-sent events in the answer to one POST.
// It runs in a worker for all pages of a browser (stream-worker.js), or in a page for its own table.

const FIRST = 500;
const QUICK = 2000; // a server that restarts is soon back
const SLOWEST = 8000;
const SOON = 60000;
const UNANSWERED = 15000; // until the server tells how often its heartbeat comes
const LEAVING = 1000; // after a page has left, another often follows
const TOGETHER = 20;
const MOST = 50;

/** Yield the events of an answer: the name and the document of each. @param {ReadableStream<Uint8Array<ArrayBuffer>>} body */
async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const { event, data } = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s)));
      if (event) yield [event, JSON.parse(data)];
    }
  }
}

/**
 * The connection; `tell` gets `{ state }`, `{ id, table }` with the whole document, `{ id, here }` with which players
 * are here, or `{ id, end }` with a code.
 */
export class Stream {
  #tell;
  #tables = /** @type {Map<string, { watching: boolean, table?: Api.TableView, here?: boolean[] }>} */ (new Map()); // by id: whether it is only watched, and the latest document
  #state = "connecting";
  #control = /** @type {AbortController | null} */ (null); // of the open connection, or the one being opened
  #timer = 0;
  #rest = FIRST;
  #lost = 0; // since when the server is away
  #beat = UNANSWERED / 2;
  #heard = 0;

  /** @param {(told: Heard) => void} tell */
  constructor(tell) {
    this.#tell = tell;
    setInterval(() => this.#listen(2 * this.#beat + 5000), 5000);
  }

  /** Follow a table of which a page has a `change`. @param {{ id: string, watching: boolean, change: number }} table */
  follow({ id, watching, change }) {
    const known = this.#tables.get(id);
    if (known?.watching === watching) {
      if (known.table && known.table.change > change) this.#tell({ id, table: known.table });
      if (known.here) this.#tell({ id, here: known.here });
      this.#tell({ state: this.#state });
      return;
    }
    this.#tables.delete(id); // the newest is the last
    this.#tables.set(id, { watching });
    this.#later(TOGETHER);
  }

  /** Stop following a table. @param {{ id: string }} table */
  leave({ id }) {
    if (!this.#tables.delete(id)) return;
    if (this.#tables.size) this.#later(LEAVING);
    else this.#close();
  }

  /** Connect anew if the network was lost, or if a heartbeat is overdue, as after a sleep. @param {{ lost: boolean }} why */
  wake({ lost }) {
    if (lost || !this.#control) this.#later(TOGETHER);
    else this.#listen(this.#beat);
  }

  /** Connect anew if nothing was heard for too long: a dead connection may not report its end. @param {number} patience */
  #listen(patience) {
    if (!this.#control || Date.now() - this.#heard <= patience) return;
    this.#becomes("reconnecting");
    this.#open();
  }

  /** @param {string} state */
  #becomes(state) {
    this.#state = state;
    this.#tell({ state });
  }

  /** @param {number} milliseconds */
  #later(milliseconds) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), milliseconds);
  }

  #close() {
    clearTimeout(this.#timer);
    this.#control?.abort();
    this.#control = /** @type {AbortController | null} */ (null);
  }

  async #open() {
    this.#close();
    if (!this.#tables.size) return;
    const control = (this.#control = new AbortController());
    this.#heard = Date.now();
    let least = 0;
    try {
      const matches = [...this.#tables.keys()].slice(-MOST);
      const headers = { "content-type": "application/json", accept: "text/event-stream" };
      const answer = await fetch("/api/v1/events", { method: "POST", headers, body: JSON.stringify({ matches }), signal: control.signal });
      least = 1000 * Number(answer.headers.get("retry-after") ?? 0);
      if (answer.ok && answer.body) for await (const [name, data] of eventsOf(answer.body)) this.#take(name, data);
    } catch {
      // The network or the server is away.
    }
    if (control !== this.#control) return; // another has taken its place
    this.#control = /** @type {AbortController | null} */ (null);
    if (!this.#tables.size) return;
    this.#becomes("reconnecting");
    this.#later(Math.max(least, this.#rest * (0.8 + 0.4 * Math.random())));
    this.#lost ||= Date.now();
    this.#rest = Math.min(this.#rest * 2, Date.now() - this.#lost < SOON ? QUICK : SLOWEST);
  }

  /** @param {string} name @param {StreamEvent} data */
  #take(name, data) {
    this.#heard = Date.now();
    const known = this.#tables.get(data.id);
    if (name === "open") {
      this.#beat = 1000 * data.beat;
      this.#rest = FIRST;
      this.#lost = 0;
      this.#becomes("connected");
    } else if (name === "end") {
      this.#tables.delete(data.id);
      this.#tell({ id: data.id, end: data.code });
    } else if (name === "here" && known) {
      known.here = data.here;
      this.#tell({ id: data.id, here: data.here });
    } else if (name === "table" && known) {
      known.table = data;
      this.#tell({ id: data.id, table: data });
    }
  }
}
