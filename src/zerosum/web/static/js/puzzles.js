// @ts-check
// Puzzles: a position, the right moves until it is won, and the reason; progress is stored in this browser.

import { by, counted, make, problem, put, say, show, still } from "./dom.js";
import { copy } from "./invite.js";
import { beaten } from "./my-games.js";
import { dailyStreak, forget, GRADES, missed, progress, solved, today, tried, tryDaily } from "./progress.js";
import { get, post } from "./send.js";
import { drawStudy } from "./study.js";
import { drawTyping, typing } from "./typing.js";

const MOST_SEEN = 850; // nine characters each; many proxies accept addresses up to 8 KiB
const SIGNS = /** @type {Record<string, string>} */ ({ right: "✓", wrong: "✗", told: "→" });
const PAUSE = 900; // milliseconds between one's move and the answer to it

const { daily } = by("main").dataset; // the name of the game of the day
let puzzle = /** @type {Api.PosedPuzzle} */ (/** @type {unknown} */ (null)); // as it was asked
let here = /** @type {Here} */ (/** @type {unknown} */ (null)); // the position now, with its moves
let played = /** @type {string[]} */ ([]); // the right moves so far
let answers = /** @type {Map<string, Told>} */ (new Map()); // what is known about the moves of the position
let wrong = 0;
let done = false;
let busy = false;
let wanted = 0;

/** Show the streak. */
function drawStreak() {
  const { streak, best, solved: all } = progress();
  const row = daily && puzzle ? dailyStreak(puzzle.date ?? "") : 0;
  put(by("streak"), daily ? (row ? `Daily streak: ${counted(row, "day")}` : "") : `Streak ${streak} · best ${best} · solved ${all.length}`);
}

/** List the solved puzzles of one game, or of all, in short form: an address is limited. @param {string} game */
function seen(game) {
  const parts = progress().solved.map((id) => [id.slice(0, id.lastIndexOf("-")), id.slice(-8)]);
  const ends = parts.filter(([name]) => !game || name === game).map(([, end]) => end);
  return ends.slice(-MOST_SEEN).join(",");
}

/** Return what to ask for: the puzzle of the day, the one in the address, or another one. @param {string} named */
function query(named) {
  if (named) return `id=${encodeURIComponent(named)}`;
  const { game, grade } = by("filter").elements;
  if (daily) return `daily=true&grade=${grade.value}`;
  return `game=${game.value}&grade=${grade.value}&seen=${seen(game.value)}`;
}

/** Choose the grade of the day that the address names; or else one within reach: the level beaten here, and not over. */
function chooseGrade() {
  const asked = new URLSearchParams(window.location.search).get("grade") ?? "";
  const within = beaten(daily).findLast((level) => GRADES.includes(level)) ?? "easy";
  const open = [within, ...GRADES].find((grade) => !tried(today(), grade).over);
  by("filter").elements.grade.value = GRADES.includes(asked) ? asked : (open ?? within);
}

/** Fetch a puzzle: the next one, or one by its id. */
async function next(focus = true, named = "") {
  const turn = (wanted += 1);
  by("puzzle").setAttribute("aria-busy", "true");
  problem("");
  try {
    const found = await get(`/api/v1/puzzle?${query(named)}`);
    if (turn !== wanted) return; // something else was chosen meanwhile
    begin(found.none ? null : found, found.none);
    if (focus) by("task").focus();
  } catch (error) {
    if (turn !== wanted) return;
    put(by("task"), "No puzzle");
    problem(error.message);
  }
  by("puzzle").removeAttribute("aria-busy");
}

/** Begin a puzzle, or say that none is left. @param {Api.PosedPuzzle | null} found @param {string} none */
function begin(found, none) {
  puzzle = here = /** @type {Api.PosedPuzzle} */ (found);
  [played, answers, wrong, done] = [[], new Map(), 0, false];
  drawVerdict("");
  for (const part of [by("give-up"), by("typed"), by("position"), by("about"), by("aim")]) show(part, Boolean(found));
  show(by("next"), false);
  by("position").replaceChildren();
  if (!found) {
    by("moves").replaceChildren();
    put(by("task"), none);
    put(by("left"), "");
    return;
  }
  by("puzzle").dataset.game = found.game;
  put(by("about"), `${found.title} · ${found.grade}${origin(found.variant)}`);
  put(by("goal"), found.goal);
  by("rules-link").href = `/rules/${found.game}`;
  put(by("task"), found.task);
  by("permalink").href = `/puzzles?id=${found.id}`;
  window.history.replaceState(null, "", daily ? `/puzzles?daily&grade=${found.grade}` : by("permalink").href);
  drawTyping(found.moves);
  drawHere(false);
  drawLeft(0);
  drawStreak();
  drawResult();
}

/** Say which variant a position comes from, unless it is the usual one. @param {string} variant */
const origin = (variant) => (variant === "default" ? "" : ` · from a game with ${variant}`);

/**
 * Show the answer to a move where it is seen at once: right, wrong or told; without a kind, nothing.
 * @param {string} kind @param {string} title @param {...string} lines
 */
function drawVerdict(kind, title = "", ...lines) {
  const box = by("answer");
  const sign = make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[kind] ?? "");
  by("verdict").replaceChildren(sign, title);
  box.dataset.mark = kind;
  by("why").replaceChildren(...lines.filter(Boolean).map((line) => make("p", {}, line)));
  show(by("verdict"), Boolean(kind));
  if (kind) box.scrollIntoView({ block: "nearest" });
}

/** Draw the position and its moves, with the answers so far. @param {boolean} over */
function drawHere(over) {
  const names = puzzle.mover ? ["Your opponent", "You"] : ["You", "Your opponent"];
  const why = () => (done ? "This puzzle is over." : busy ? "Wait for the answer." : "");
  const held = by("moves").contains(document.activeElement);
  drawStudy(here, names, over ? null : here.mover, { play, told: answers, off: done || busy, why, key: here.state });
  if (held && !by("moves").contains(document.activeElement)) by("moves").focus();
}

/** Show how many puzzles are left, after `more` have just been solved. @param {number} more */
function drawLeft(more) {
  put(by("left"), puzzle.left === null ? "" : `${puzzle.left - more} of ${puzzle.count} puzzles left.`);
}

/** Answer with a move. @param {string} move */
function play(move) {
  answer({ move });
}

/** Answer, or give up; the server judges. @param {{ move?: string, give_up?: boolean }} body */
async function answer(body) {
  if (!puzzle || done || busy) return;
  busy = true;
  problem("");
  try {
    const found = await post("/api/v1/puzzle", { id: puzzle.id, played, ...body }, undefined, 2);
    if (body.give_up) giveUp(found);
    else if (!found.right) refuse(found, body.move ?? "");
    else await goOn(found);
  } catch (error) {
    problem(error.status ? error.message : "The server did not answer. Please try again.");
  }
  busy = false;
  if (here) drawHere(Boolean(here.over));
}

/** Find the move of the position that was typed. @param {string} typed */
function meant(typed) {
  return here.moves.find(({ move }) => move.toLowerCase() === typed.toLowerCase())?.move ?? typed;
}

/** Show that a move was wrong. @param {Api.PuzzleAnswer} found @param {string} typed */
function refuse(found, typed) {
  missed();
  wrong += 1;
  if (daily) tryDaily(puzzle.date ?? "", puzzle.grade, {});
  answers.set(meant(typed), { word: "✗ wrong", mark: "wrong", value: found.value });
  drawVerdict("wrong", "Not that one.", found.text);
  drawStreak();
  say("Not that one.", found.text);
}

/** Show the answer. @param {Api.PuzzleAnswer} found */
function giveUp(found) {
  missed();
  if (daily) tryDaily(puzzle.date ?? "", puzzle.grade, { over: true });
  answers.set(found.answer ?? "", { word: "✓ right", mark: "right", value: found.value });
  drawVerdict("told", "The answer", found.text, ...found.why);
  finish();
  say("The answer.", found.text, ...found.why);
}

/** Show a right move, then the defence against it; the puzzle goes on until it is solved. @param {Api.PuzzleAnswer} found */
async function goOn(found) {
  const [own, ...replies] = found.steps;
  played.push(own.move);
  const said = replies.map(({ text }) => `Your opponent plays ${text}.`);
  step(own);
  if (found.solved) {
    solved(puzzle.id, wrong === 0);
    if (daily) tryDaily(puzzle.date ?? "", puzzle.grade, { solved: true });
    drawVerdict("right", "Solved!", ...found.why);
    put(by("task"), `You solved it in ${counted(played.length, "move")}.`);
    finish();
    drawLeft(1);
    say("Solved!", ...found.why);
    return;
  }
  drawVerdict("right", found.text, ...said);
  say(found.text, ...said, "Your turn.");
  for (const reply of replies) {
    await new Promise((resolve) => setTimeout(resolve, still() ? 0 : PAUSE));
    step(reply);
  }
  const { plies } = found.value; // counted from the move on; the defence is the longest
  const left = plies === null ? "" : plies - found.steps.length;
  put(by("task"), left === 1 ? "Now win at once." : left === "" ? "Now win." : `Now win in ${left.toLocaleString("en")}.`);
}

/** Show the position after a move. @param {Api.AnswerStep} made */
function step({ shown, over }) {
  here = { ...shown, over };
  answers = new Map();
  drawHere(over);
}

/** End the puzzle. */
function finish() {
  done = true;
  for (const part of [by("give-up"), by("typed")]) show(part, false);
  show(by("next"), !daily);
  drawStreak();
  drawResult();
  by(daily ? "verdict" : "next").focus();
}

/** Show the result of the puzzle of the day, as text to share. */
function drawResult() {
  if (!daily) return;
  const { tries, solved: right, over } = tried(puzzle.date ?? "", puzzle.grade);
  show(by("result"), over);
  const about = `Zerosum ${puzzle.date} · ${puzzle.title}, ${puzzle.grade}`;
  by("link").value = `${about} ${right ? `✓ in ${tries} ${tries === 1 ? "try" : "tries"}` : "✗"} ${window.location.origin}/puzzles?daily&grade=${puzzle.grade}`;
  const others = GRADES.filter((grade) => !tried(puzzle.date ?? "", grade).over);
  const left = others.length ? `Today's ${others.join(" and ")} ${others.length > 1 ? "puzzles are" : "puzzle is"} still open.` : "The next ones come at midnight UTC.";
  put(by("result-words"), `${right ? `You solved today's ${puzzle.grade} puzzle. ` : ""}${left}`);
}

if (daily) {
  by("copy").addEventListener("click", () => copy(by("link").value, by("copy")));
  show(by("share"), Boolean(navigator.share));
  by("share").addEventListener("click", () => navigator.share({ text: by("link").value }).catch(() => {}));
  chooseGrade();
} else {
  by("next").addEventListener("click", () => next());
  by("forget").addEventListener("click", () => {
    forget();
    drawStreak();
    say("Your progress was reset.");
  });
}
by("filter").addEventListener("change", () => next(false));
by("filter").addEventListener("submit", (event) => event.preventDefault());
by("give-up").addEventListener("click", () => answer({ give_up: true }));
typing(() => ({ ...here, digits: puzzle?.digits, can: puzzle && !done ? ["move"] : [] }), play);
drawStreak();
next(false, new URLSearchParams(window.location.search).get("id") ?? "");
