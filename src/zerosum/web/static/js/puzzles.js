// Puzzles: a position, one right move, and the reason; the streak is stored in this browser.

import { by, make, mark, put, show, sync } from "./dom.js";
import { drawMove, makeMove } from "./move.js";
import { drawPosition } from "./position.js";
import { forget, missed, progress, solved } from "./progress.js";
import { say } from "./say.js";
import { get, Problem } from "./send.js";
import { listen } from "./shortcuts.js";
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
  fail("");
  try {
    const found = await get(`/api/puzzle?${query}`);
    if (turn !== wanted) return; // something else was chosen meanwhile
    puzzle = found.none ? null : found;
    answers = new Map();
    done = false;
    draw(found);
    if (focus) by("task").focus();
  } catch (problem) {
    if (turn !== wanted) return;
    fail(problem.message);
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
  put(by("about"), [found.title, found.variant, found.grade].filter(Boolean).join(" · "));
  put(by("task"), found.task);
  by("position").replaceChildren();
  by("typed-move").inputMode = found.moves.every(({ move }) => /^\d+$/.test(move)) ? "numeric" : "text";
  drawChoices();
  drawLeft(0);
}

/** Draw the position and its moves, with the answers so far. */
function drawChoices() {
  const { id, moves, mover } = puzzle;
  const names = mover ? ["Opponent", "You"] : ["You", "Opponent"];
  const play = (move) => answer({ move });
  const listed = drawPosition(by("position"), puzzle, names, mover, {
    play,
    off: done,
    told: answers,
    moves,
    redraw: drawChoices,
  });
  sync(by("moves"), listed, ({ move }) => `${id} ${move}`, (choice) => makeMove(choice, play), (button, choice) => {
    drawMove(button, choice, answers.get(choice.move));
    mark(button, "aria-disabled", done ? "true" : null);
  });
}

/** Show how many puzzles are left, after `more` have just been solved. */
function drawLeft(more) {
  put(by("left"), `${puzzle.left - more} of ${puzzle.count} puzzles left.`);
}

/** Have the server judge an answer. */
async function judge(body) {
  const answered = await fetch("/api/puzzle", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ id: puzzle.id, ...body }),
    signal: AbortSignal.timeout(20000),
  });
  const found = await answered.json();
  if (!answered.ok) throw new Problem(answered.status, found);
  return found;
}

/** Answer, or give up. */
async function answer(body) {
  if (!puzzle || done || busy) return;
  busy = true;
  fail("");
  try {
    const found = await judge(body);
    if (body.give_up || !found.right) missed();
    if (found.right && !body.give_up) solved(puzzle.id, answers.size === 0);
    tell(found, body);
  } catch (problem) {
    fail(problem instanceof Problem ? problem.message : "The server did not answer. Please try again.");
  }
  busy = false;
}

/** Show whether the answer was right, and why. */
function tell(found, body) {
  done = Boolean(found.right || body.give_up);
  const words = body.give_up ? "The answer" : found.right ? "Right!" : "Not that one.";
  put(by("verdict"), words);
  const value = found.value ? [worth(found.value), " "] : [];
  const lines = done ? (found.why ?? []) : [];
  by("why").replaceChildren(make("p", {}, ...value, found.text === words ? "" : found.text), ...lines.map((line) => make("p", {}, line)));
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
  say(words, found.text === words ? "" : found.text, ...lines);
  if (done) by("next").focus();
}

/** Show an error. */
function fail(text) {
  put(by("problem"), text);
  show(by("problem"), text !== "");
}

by("filter").addEventListener("change", () => next(false));
by("filter").addEventListener("submit", (event) => event.preventDefault());
by("next").addEventListener("click", () => next());
by("give-up").addEventListener("click", () => answer({ give_up: true }));
by("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = by("typed-move");
  const move = field.value.trim();
  field.value = "";
  if (move) answer({ move });
});
by("forget").addEventListener("click", () => {
  forget();
  drawStreak();
  say("Your progress was reset.");
});
listen((key, event) => {
  const moves = puzzle?.moves ?? [];
  if (done || !moves.some(({ move }) => move.startsWith(key))) return;
  event.preventDefault();
  if (moves.every(({ move }) => move.length === 1)) answer({ move: key });
  else {
    by("typed-move").value = key;
    by("typed-move").focus();
  }
}, {});
drawStreak();
next(false);
