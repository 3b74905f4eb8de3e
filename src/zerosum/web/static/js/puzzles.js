// Puzzles: a position, one right move, and the reason; the streak is stored in this browser.

import { by, make, problem, put, show } from "./dom.js";
import { drawMoves } from "./moves.js";
import { drawPosition } from "./position.js";
import { forget, missed, progress, solved } from "./progress.js";
import { say } from "./say.js";
import { get, post } from "./send.js";
import { drawTyping, typing } from "./typing.js";
import { worth } from "./worth.js";

const MOST_SEEN = 850; // nine characters each; many proxies accept addresses up to 8 KiB

let puzzle = null;
let answers = new Map();
let done = false;
let busy = false;
let wanted = 0;

/** Show the streak. */
function drawStreak() {
  const { streak, best, solved: all } = progress();
  put(by("streak"), `Streak ${streak} · best ${best} · solved ${all.length}`);
}

/** List the solved puzzles of one game, or of all, in short form: an address is limited. */
function seen(game) {
  const parts = progress().solved.map((id) => [id.slice(0, id.lastIndexOf("-")), id.slice(-8)]);
  const ends = parts.filter(([name]) => !game || name === game).map(([, end]) => end);
  return ends.slice(-MOST_SEEN).join(",");
}

/** Fetch the next puzzle. */
async function next(focus = true) {
  const { game, grade } = by("filter").elements;
  const turn = (wanted += 1);
  const query = `game=${game.value}&grade=${grade.value}&seen=${seen(game.value)}`;
  by("puzzle").setAttribute("aria-busy", "true");
  problem("");
  try {
    const found = await get(`/api/puzzle?${query}`);
    if (turn !== wanted) return; // something else was chosen meanwhile
    puzzle = found.none ? null : found;
    answers = new Map();
    done = false;
    draw(found);
    if (focus) by("task").focus();
  } catch (error) {
    if (turn !== wanted) return;
    problem(error.message);
  }
  by("puzzle").removeAttribute("aria-busy");
}

/** Draw a puzzle, or say that none is left. */
function draw(found) {
  show(by("answer"), false);
  show(by("next"), false);
  const open = !found.none;
  show(by("give-up"), open);
  show(by("typed"), open);
  show(by("position"), open);
  if (!open) {
    by("moves").replaceChildren();
    put(by("task"), found.none);
    put(by("about"), "");
    put(by("left"), "");
    return;
  }
  put(by("about"), `${found.title} · ${found.variant} · ${found.grade}`);
  put(by("task"), found.task);
  by("position").replaceChildren();
  drawTyping(found.moves);
  drawChoices();
  drawLeft(0);
}

/** Draw the position and its moves, with the answers so far. */
function drawChoices() {
  const { id, moves, mover } = puzzle;
  const names = mover ? ["Opponent", "You"] : ["You", "Opponent"];
  const box = drawPosition(by("position"), puzzle, names, mover);
  const why = () => (done ? "This puzzle is solved." : "");
  drawMoves(box, by("moves"), puzzle.board, moves, { play, told: answers, off: done, why, key: id });
}

/** Show how many puzzles are left, after `more` have just been solved. */
function drawLeft(more) {
  put(by("left"), `${puzzle.left - more} of ${puzzle.count} puzzles left.`);
}

/** Answer with a move. */
function play(move) {
  answer({ move });
}

/** Answer, or give up; the server judges. */
async function answer(body) {
  if (!puzzle || done || busy) return;
  busy = true;
  problem("");
  try {
    const found = await post("/api/puzzle", { id: puzzle.id, ...body }, undefined, 2);
    if (found.right) solved(puzzle.id, answers.size === 0);
    else missed();
    tell(found, body);
  } catch (error) {
    problem(error.status ? error.message : "The server did not answer. Please try again.");
  }
  busy = false;
}

/** Show whether the answer was right, and why. */
function tell(found, body) {
  done = Boolean(found.right || body.give_up);
  const words = body.give_up ? "The answer" : found.right ? "Right!" : "Not that one.";
  put(by("verdict"), words);
  const text = found.right ? "" : found.text;
  by("why").replaceChildren(make("p", {}, worth(found.value), " ", text), ...found.why.map((line) => make("p", {}, line)));
  show(by("answer"), true);
  show(by("next"), done);
  show(by("give-up"), !done);
  show(by("typed"), !done);
  const sign = done ? { word: "✓ right", mark: "right" } : { word: "✗ wrong", mark: "wrong" };
  const typed = body.move?.toLowerCase();
  const chosen = puzzle.moves.find(({ move }) => move.toLowerCase() === typed)?.move;
  answers.set(found.answer ?? chosen ?? body.move, sign);
  drawChoices();
  drawStreak();
  if (found.right) drawLeft(1);
  say(words, text, ...found.why);
  if (done) by("next").focus();
}

by("filter").addEventListener("change", () => next(false));
by("filter").addEventListener("submit", (event) => event.preventDefault());
by("next").addEventListener("click", () => next());
by("give-up").addEventListener("click", () => answer({ give_up: true }));
by("forget").addEventListener("click", () => {
  forget();
  drawStreak();
  say("Your progress was reset.");
});
typing(() => ({ ...puzzle, can: puzzle && !done ? ["move"] : [] }), play);
drawStreak();
next(false);
