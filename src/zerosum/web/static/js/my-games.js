// @ts-check
// The games of this device: those that go on, those that were, and the levels beaten in them.

import { readDocument, write } from "./storage.js";

const GAMES = "zerosum.games";
const LEVELS = "zerosum.levels";
const MOST = 500; // some 150 kB
const ENOUGH = 2; // wins at a level, before the next one is suggested
const ORDER = document.body.dataset.levels.split(" ");

/** List the games of this device, the latest first. @returns {Entry[]} */
export function myGames() {
  return readDocument(GAMES, /** @type {Entry[]} */ ([])).filter((entry) => typeof entry?.id === "string");
}

/** Forget a game that is gone. @param {string} id */
export function forget(id) {
  write(GAMES, JSON.stringify(myGames().filter((entry) => entry.id !== id)));
}

/** Say how a match ended for one player; on the same screen, nobody in particular has won. @param {Api.TableView} view @param {number} you */
function resultOf({ over, ended, mode, series: { score } }, you) {
  if (!over || mode === "here") return null;
  if (ended?.by === "declined") return "declined";
  const ahead = score[you] - score[1 - you];
  return ahead > 0 ? "you won" : ahead < 0 ? "you lost" : "drawn";
}

/** Summarise the view of a match for the list. @param {Api.TableView} view @returns {Entry} */
function entryOf(view) {
  const [you] = view.you;
  const opponent = view.players[1 - you];
  const own = view.players[you].fields.find(({ kind }) => kind !== "lives");
  const shown = view.board ? undefined : (view.fields[0] ?? own);
  return {
    id: view.id,
    game: view.game.name,
    title: view.game.title,
    mode: view.mode,
    level: opponent.bot,
    opponent: view.mode === "here" ? "" : (opponent.bot ?? view.captions.names[1 - you]),
    waiting: view.waiting,
    yours: Boolean(view.turn?.yours),
    between: Boolean(view.ended) && !view.over,
    number: shown && shown.value.length <= 12 ? `${shown.title.toLowerCase()} ${shown.value}` : "",
    over: view.over,
    result: resultOf(view, you),
    won: view.over && view.mode === "bot" && view.series.score[you] > view.series.score[1 - you],
    changed: Date.now(),
  };
}

/** Remember a match in which this device has a seat; a win against the computer counts once. @param {Api.TableView} view */
export function remember(view) {
  if (!view.you.length) return;
  const entry = entryOf(view);
  const before = myGames();
  const known = before.find(({ id }) => id === entry.id);
  if (known && known.over === entry.over && known.yours === entry.yours && known.number === entry.number) {
    entry.changed = known.changed;
  }
  if (entry.won && !known?.won) count(entry.game, entry.level ?? "");
  write(GAMES, JSON.stringify([entry, ...before.filter(({ id }) => id !== entry.id)].slice(0, MOST)));
}

/** @typedef {Record<string, Record<string, number>>} Wins the wins at each level of each game */

/** Count a win at a level. @param {string} game @param {string} level */
function count(game, level) {
  const wins = readDocument(LEVELS, /** @type {Wins} */ ({}));
  const own = wins[game] ?? {};
  write(LEVELS, JSON.stringify({ ...wins, [game]: { ...own, [level]: (own[level] ?? 0) + 1 } }));
}

/** List the levels of a game that were beaten on this device. @param {string} game */
export function beaten(game) {
  const wins = readDocument(LEVELS, /** @type {Wins} */ ({}))[game] ?? {};
  return ORDER.filter((level) => wins[level] > 0);
}

/** Return the level to try next in a game, once one was beaten twice; null if there is none. @param {string} game */
export function nextLevel(game) {
  const wins = readDocument(LEVELS, /** @type {Wins} */ ({}))[game] ?? {};
  const top = ORDER.findLastIndex((level) => wins[level] >= ENOUGH);
  const next = ORDER[top + 1];
  return top >= 0 && next && !wins[next] ? next : null;
}
