import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { dailyStreak, forget, missed, progress, solved, tried, tryDaily } from "../../../src/zerosum/web/static/js/progress.js";

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
  tryDaily("2026-03-01", {});
  tryDaily("2026-03-01", { solved: true });
  tryDaily("2026-03-01", {});
  assert.deepEqual(tried("2026-03-01"), { tries: 2, solved: true, over: true });
});

test("a daily streak counts up to yesterday until today's puzzle is solved", () => {
  for (const day of ["2026-02-27", "2026-02-28"]) tryDaily(day, { solved: true });
  assert.equal(dailyStreak("2026-03-01"), 2);
  tryDaily("2026-03-01", { over: true });
  assert.equal(dailyStreak("2026-03-02"), 0);
});
