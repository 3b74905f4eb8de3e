// @ts-check
// Solved puzzles, the streak, the puzzles of the day and lessons, stored in this browser only.

import { readDocument, write } from "./storage.js";

const PLACE = "zerosum.puzzles";
const [MOST, MOST_DAYS] = [2000, 3000];
export const GRADES = ["easy", "medium", "hard"];
const NONE = { solved: [], streak: 0, best: 0, daily: {}, lessons: {} };
const DAY = 24 * 60 * 60 * 1000;

/** Read the progress so far. @returns {Progress} */
export function progress() {
  const found = { ...NONE, ...readDocument(PLACE, NONE) };
  const whole = Array.isArray(found.solved) && Number.isInteger(found.streak) && Number.isInteger(found.best);
  return whole ? found : NONE;
}

/** Save the progress. @param {Progress} now */
function keep(now) {
  write(PLACE, JSON.stringify(now));
  return now;
}

/** Record a solved puzzle; the streak grows if it was solved on the first try. @param {string} id @param {boolean} first */
export function solved(id, first) {
  const { solved: before, streak, best, ...rest } = progress();
  const now = first ? streak + 1 : streak;
  return keep({ ...rest, solved: [...before.filter((other) => other !== id), id].slice(-MOST), streak: now, best: Math.max(best, now) });
}

/** Record a wrong answer. */
export function missed() {
  return keep({ ...progress(), streak: 0 });
}

/** Return what was tried on a day: the tries, and whether it was solved or is over. @param {string} day @param {string} grade */
export function tried(day, grade) {
  return progress().daily[`${day} ${grade}`] ?? { tries: 0, solved: false, over: false };
}

/** Record a try on a puzzle of a day, unless that is over. @param {string} day @param {string} grade @param {{ solved?: boolean, over?: boolean }} result */
export function tryDaily(day, grade, { solved: right = false, over = right }) {
  const before = tried(day, grade);
  if (before.over) return;
  const days = { ...progress().daily, [`${day} ${grade}`]: { tries: before.tries + 1, solved: right, over } };
  keep({ ...progress(), daily: Object.fromEntries(Object.entries(days).sort().slice(-MOST_DAYS)) });
}

/** Whether a puzzle of a day was solved; before there were three, nothing followed the date. @param {string} day */
const isSolved = (day) => GRADES.some((grade) => tried(day, grade).solved) || Boolean(progress().daily[day]?.solved);

/** Return the day of the daily puzzles, which changes at midnight UTC. */
export const today = () => new Date().toISOString().slice(0, 10);

/** Count the days in a row, up to this one or the one before, with a solved puzzle. @param {string} day */
export function dailyStreak(day) {
  const before = (/** @type {number} */ count) => new Date(Date.parse(day) - count * DAY).toISOString().slice(0, 10);
  const skipped = isSolved(day) ? 0 : 1;
  let streak = 0;
  while (isSolved(before(streak + skipped))) streak += 1;
  return streak;
}

/** Return the steps of a game's lesson that are done, and the number of its last one. @param {string} game */
export function learned(game) {
  return progress().lessons[game] ?? { done: [], last: 0 };
}

/** Record a step of a game's lesson as done. @param {string} game @param {number} step @param {number} last */
export function learnedStep(game, step, last) {
  const done = [...new Set([...learned(game).done, step])];
  const now = progress();
  keep({ ...now, lessons: { ...now.lessons, [game]: { done, last } } });
}

/** Reset everything. */
export function forget() {
  return keep(NONE);
}
