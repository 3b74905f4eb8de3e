import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { dailyStreak, forget, learned, learnedStep, missed, progress, solved, tried, tryDaily } from "../../../src/zerosum/web/static/js/progress.js";

beforeEach(forget);

test("a streak grows with puzzles solved on the first try, and ends with a wrong answer", () => {
  solved("even-steven-1", true);
  solved("even-steven-2", true);
  solved("even-steven-3", false);
  assert.deepEqual([progress().streak, progress().best], [2, 2]);
  missed();
  assert.deepEqual([progress().streak, progress().best], [0, 2]);
});

test("a puzzle solved twice is listed once, the latest last", () => {
  for (const id of ["a-1", "b-1", "a-1"]) solved(id, true);
  assert.deepEqual(progress().solved, ["b-1", "a-1"]);
});

test("a day that is over takes no more tries", () => {
  tryDaily("2026-03-01", "easy", {});
  tryDaily("2026-03-01", "easy", { solved: true });
  tryDaily("2026-03-01", "easy", {});
  assert.deepEqual(tried("2026-03-01", "easy"), { tries: 2, solved: true, over: true });
  assert.deepEqual(tried("2026-03-01", "hard"), { tries: 0, solved: false, over: false });
});

test("a daily streak counts up to yesterday until today's puzzle is solved", () => {
  tryDaily("2026-02-27", "hard", { solved: true });
  for (const grade of ["easy", "medium"]) tryDaily("2026-02-28", grade, { solved: true });
  assert.equal(dailyStreak("2026-03-01"), 2);
  tryDaily("2026-03-01", "easy", { over: true });
  assert.equal(dailyStreak("2026-03-02"), 0);
});

test("each step of a lesson is done once, and lessons do not mix", () => {
  for (const step of [2, 1, 2]) learnedStep("even-steven", step, 8);
  assert.deepEqual(learned("even-steven"), { done: [2, 1], last: 8 });
  assert.deepEqual(learned("dual-digits"), { done: [], last: 0 });
});
