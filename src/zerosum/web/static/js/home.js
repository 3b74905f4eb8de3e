// @ts-check
// The home page: your games, the levels, and a position to try.

import "./lesson.js";
import { by, counted, make, mark, put, show, sync } from "./dom.js";
import { beaten, forget, myGames, nextLevel, remember } from "./my-games.js";
import { dailyStreak, learned, today, tried } from "./progress.js";
import { get } from "./send.js";
import { read, write } from "./storage.js";

const SHOWN = 4;
const LEVEL = "zerosum.level.";

/** Describe a game in one line: whose turn it is, and the number. @param {Entry} entry */
function standing({ over, won, result, waiting, between, yours, mode, number }) {
  if (over) return result ?? (won ? "you won" : "over");
  if (waiting) return "waiting for your friend";
  if (between) return "between games";
  const turn = mode === "here" ? "same screen" : yours ? "your move" : "their move";
  return number ? `${turn} · ${number}` : turn;
}

/** Order games: those that wait for you first, then those that go on, then the latest. @param {Entry} game @param {Entry} other */
function sooner(game, other) {
  const urgency = (/** @type {Entry} */ { over, yours }) => (over ? 2 : yours ? 0 : 1);
  return urgency(game) - urgency(other) || other.changed - game.changed;
}

/** List the games of this device. */
function drawGames() {
  const listed = myGames().sort(sooner).slice(0, SHOWN);
  const create = (/** @type {Entry} */ { id, game }) =>
    make("li", { "data-game": game }, make("a", { href: `/m/${id}` }, make("strong"), make("span", { class: "standing" })));
  sync(by("my-games"), listed, ({ id }) => id, create, (item, entry) => {
    const [name, told] = item.firstChild.children;
    put(name, entry.opponent ? `${entry.title} · ${entry.opponent}` : entry.title);
    put(told, standing(entry));
    mark(item, "class", entry.yours && !entry.over ? "yours" : null);
  });
  show(by("yours"), listed.length > 0);
}

/** Ask how the games that are listed stand; those that are gone disappear. */
async function refresh() {
  const open = myGames().filter(({ over }) => !over).slice(0, SHOWN);
  await Promise.all(
    open.map(async ({ id }) => {
      try {
        remember(await get(`/api/v1/matches/${id}`, undefined, 2));
      } catch ({ status }) {
        if ([403, 404].includes(status)) forget(id);
      }
    }),
  );
  drawGames();
}

/** Keep the level of each game, mark those already beaten, and suggest the next. */
function drawLevels() {
  for (const select of /** @type {NodeListOf<HTMLSelectElement>} */ (document.querySelectorAll('select[name="level"]'))) {
    const card = /** @type {HTMLElement} */ (select.closest("[data-game]"));
    const { game } = card.dataset;
    const won = beaten(game);
    for (const option of [...select.options].filter(({ dataset }) => dataset.program === undefined)) put(option, won.includes(option.value) ? `${option.value} ✓` : option.value);
    const kept = read(LEVEL + game);
    if ([...select.options].some(({ value }) => value === kept)) select.value = kept;
    select.onchange = () => write(LEVEL + game, select.value);
    const next = [...select.options].some(({ value }) => value === nextLevel(game)) ? nextLevel(game) : null;
    const tip = card.querySelector(".tip");
    show(tip, next !== null && select.value !== next);
    if (next === null) continue;
    put(tip, `Try ${next}`);
    tip.onclick = () => {
      select.value = next;
      write(LEVEL + game, next);
      show(tip, false);
      select.focus();
    };
  }
}

/** Say which of today's puzzles are solved, and how many days in a row. */
function drawDaily() {
  const day = today();
  const streak = dailyStreak(day);
  const links = /** @type {HTMLElement[]} */ ([...by("daily-solve").children]);
  const open = links.filter((link) => {
    const { solved, over } = tried(day, link.dataset.grade ?? "");
    mark(link, "data-solved", over ? (solved ? "yes" : "no") : null);
    return !over;
  });
  put(by("daily-streak"), `Streak: ${counted(streak, "day")}`);
  show(by("daily-streak"), streak > 0);
  if (!open.length) put(by("daily-said"), "Come back tomorrow for the next ones.");
  else if (streak && open.length === links.length) put(by("daily-said"), "Solve one to keep your streak going.");
}

/** Say how far each lesson is. */
function drawLessons() {
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-learn]"))) {
    const { done, last } = learned(link.dataset.learn ?? "");
    const so = done.length === last ? " ✓" : `: ${done.length} of ${last}`;
    put(/** @type {Element} */ (link.firstElementChild), done.length ? so : "");
  }
}

/** Draw what this device knows. */
function draw() {
  drawLessons();
  drawDaily();
  drawGames();
  drawLevels();
}

by("try").addEventListener("answered", (event) => {
  by("try-on").className = /** @type {CustomEvent} */ (event).detail === "right" ? "primary" : "quiet";
});
draw();
refresh();
// A table needs them; Firefox's policy has no place for <link rel="prefetch">.
for (const url of by("main").dataset.soon?.split(" ") ?? []) fetch(url, { priority: "low" }).catch(() => {});
document.addEventListener("visibilitychange", () => document.hidden || refresh());
window.addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  draw();
  refresh();
});
