// @ts-check
// A lesson: which steps are done on this device, and the level of the match at its end.

import "./lesson.js";
import { by, mark, put } from "./dom.js";
import { beaten } from "./my-games.js";
import { learned, learnedStep } from "./progress.js";

const game = document.body.dataset.game ?? "";
const [number, last] = [Number(by("main").dataset.number), Number(by("main").dataset.last)];

/** Mark the steps that are done. */
function drawSteps() {
  const { done } = learned(game);
  document.querySelectorAll(".steps li").forEach((item, at) => {
    if (done.includes(at + 1)) mark(item, "data-done", "yes");
  });
}

/** Choose the level above the best one beaten on this device, unless it is known how the visitor plays. @param {HTMLSelectElement} select */
function drawLevel(select) {
  const why = document.getElementById("why-level");
  if (!why || why.dataset.known) return;
  const levels = [...select.options].map(({ value }) => value);
  const best = Math.max(...beaten(game).map((level) => levels.indexOf(level)), -1);
  if (best < 0) return;
  const next = levels[best + 1];
  select.value = next ?? levels[best];
  const beat = `You have beaten ${levels[best]} on this device`;
  put(why, next ? `${beat}, so ${next} is the level to try.` : `${beat}: there is no higher level.`);
}

document.querySelector(".learn")?.addEventListener("answered", (event) => {
  if (/** @type {CustomEvent} */ (event).detail !== "right") return;
  learnedStep(game, number, last);
  drawSteps();
  by("next").className = "button primary";
});
const level = document.getElementById("level");
if (level) {
  drawLevel(/** @type {HTMLSelectElement} */ (level));
  document.querySelector(".learn form")?.addEventListener("submit", () => learnedStep(game, last, last));
}
drawSteps();
