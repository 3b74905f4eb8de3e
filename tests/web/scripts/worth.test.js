import assert from "node:assert/strict";
import { test } from "node:test";
import { inWords, tight } from "../../../src/zerosum/web/static/js/worth.js";

const WIN = { result: "win", plies: 3, endless: false, glyph: "+", text: "win in 3" };
const DRAW = { result: "draw", plies: null, endless: true, glyph: "=", text: "draw: endless with best play" };

test("a long number on a button keeps its first and last digits", () => {
  assert.equal(tight("win in 12,345,678,901,234"), "win in 1234…1234");
  assert.equal(tight("win in 1234567890"), "win in 1234…7890");
  assert.equal(tight("1234…5678 (30 digits)"), "1234…5678");
  assert.equal(tight("win in 1,234"), "win in 1,234");
  // As the server does: these are the examples of `zerosum.text.tight`.
  assert.equal(tight("below 987654321"), "below 987654321");
  assert.equal(tight(`below ${"7".repeat(40)}`), "below 7777…7777");
});

test("a move is heard as it is seen: its value, its word, its chance", () => {
  assert.deepEqual(inWords({ value: WIN, word: "best", chance: "62%" }), ["win in 3", "best", "62% chance against medium"]);
});

test("why a draw is one comes last", () => {
  assert.deepEqual(inWords({ value: DRAW, word: "best", chance: null }), ["draw", "best", DRAW.text]);
});

test("whether an answer is right comes first", () => {
  assert.deepEqual(inWords({ value: WIN, word: "✓ right", mark: "right" }), ["✓ right", "win in 3"]);
});

test("nothing is said about a move of which nothing is known", () => {
  assert.deepEqual(inWords(undefined), []);
});
