import assert from "node:assert/strict";
import { test } from "node:test";
import { news, notices } from "../../../src/zerosum/web/static/js/news.js";

const VIEW = {
  change: 5,
  ply: 2,
  mode: "friend",
  game: { title: "Even-Steven" },
  series: { game: 1 },
  players: [{ name: "Ada", joined: true }, { name: "Bob", joined: false }],
  turn: { player: 0, yours: true, text: "Ada's turn" },
  last: [{ ply: 1, said: "Ada plays 1." }, { ply: 2, said: "Bob plays 2." }],
  news: [],
  can: ["move"],
  waiting: false,
  ended: null,
  you: [0],
  captions: { title: "", reason: "" },
};

test("a move that is in the news is said once", () => {
  const moved = { change: 6, kind: "move", move: 3, text: "Ada plays 1 again." };
  const now = { ...VIEW, change: 6, ply: 3, last: [...VIEW.last, { ply: 3, said: "Ada plays 1." }], news: [moved], turn: null };
  assert.deepEqual(news(VIEW, now), ["Ada plays 1 again."]);
});

test("moves that were missed are said, and whose turn it is", () => {
  const before = { ...VIEW, ply: 0, last: [], turn: null };
  assert.deepEqual(news(before, VIEW), ["Ada plays 1.", "Bob plays 2.", "Your turn."]);
});

test("on a shared screen, the turn has a name", () => {
  const before = { ...VIEW, ply: 1 };
  assert.deepEqual(news(before, { ...VIEW, mode: "here" }).at(-1), "Ada's turn.");
});

test("only what is not on the page is noticed, once", () => {
  const heard = [{ change: 5, kind: "join", text: "old" }, { change: 6, kind: "join", text: "Bob joined." }, { change: 7, kind: "move", text: "move" }];
  assert.deepEqual(notices(VIEW, { ...VIEW, change: 7, news: heard }).map(({ text }) => text), ["Bob joined."]);
  const own = [{ change: 6, kind: "decline", text: "You declined the draw.", player: 0 }];
  assert.deepEqual(notices(VIEW, { ...VIEW, change: 6, news: own }), []);
});

test("the end is told once, as the page tells it", () => {
  const agreed = { change: 6, kind: "draw", text: "Draw by agreement." };
  const captions = { title: "Draw", reason: "Both players agreed." };
  const now = { ...VIEW, change: 6, news: [agreed], turn: null, ended: {}, captions };
  assert.deepEqual(news(VIEW, now), ["Draw. Both players agreed."]);
});
