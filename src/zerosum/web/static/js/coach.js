// @ts-check
// The coach: off, on demand or always; its advice comes from the server, which also enforces the agreement.

import { by, make, mark, put, say, show, whole } from "./dom.js";
import { get } from "./send.js";
import { read, write as keep } from "./storage.js";
import { notice } from "./toasts.js";
import { worth } from "./worth.js";

const BAD = /** @type {(string | null)[]} */ (["mistake", "blunder"]);
const COUNTED = "zerosum.counted"; // the match in which it was said how moves are counted
const WORDS = { off: "off", ask: "on demand", on: "always" };

/**
 * Set up the coach; `current` returns the view, `act` sends an action, `redraw` redraws the moves, and `ahead` shows a
 * position that the coach expects, or null.
 * @param {() => Api.TableView} current @param {Act} act @param {() => void} redraw @param {(shown: Api.Asked | null) => void} ahead
 */
export function coaching(current, act, redraw, ahead) {
  let said = /** @type {{ ply: number, advice: Api.Advice } | null} */ (null); // the current advice, with its ply
  let asked = -1; // the ply last asked about
  let told = ""; // why the value was unknown, when that was last said

  by("coach-want").addEventListener("change", ({ target }) => {
    act({ action: "coach", want: /** @type {HTMLInputElement} */ (target).value });
  });
  document.querySelector('[data-action="hint"]').addEventListener("click", hint);
  by("coach-accept").addEventListener("click", accept);

  /** Agree to the coach: it is there when it is asked. */
  function accept() {
    act({ action: "coach", want: "ask" });
  }

  /** Ask for advice about the current position. */
  async function hint() {
    const view = current();
    if (view.coach.yours === "off" && view.can.includes("coach")) {
      say("The coach is off.");
      notice("The coach is off.", "Turn it on", () => act({ action: "coach", want: "ask" }));
    }
    if (!allowed(view)) return;
    if (said?.ply === view.ply) speak(view, said.advice);
    if (asked === view.ply) return;
    const ply = (asked = view.ply);
    write(make("p", { class: "soft" }, "Thinking…"));
    try {
      const advice = await get(`/api/v1/matches/${view.id}/coach`);
      if (advice.ply !== ply) return; // a move was faster than the question
      if (current().ply !== ply || !allowed(current())) return; // the agreement may have ended meanwhile
      said = { ply, advice };
      speak(view, advice);
    } catch (problem) {
      if (current().ply !== ply || !allowed(current())) return;
      asked = -1;
      write(make("p", { class: "problem" }, problem.message));
    }
    redraw();
  }

  /** Show the advice. @param {Api.TableView} view @param {Api.Advice} advice */
  function speak(view, advice) {
    const { value, title, because, standing, line, compared, why } = advice;
    const more = [standing, compared, ...why].filter((text) => text && text !== because);
    write(
      make("p", { class: "standing" }, ...(value ? [worth(value), " "] : []), make("strong", {}, whole(title))),
      ...(because ? [make("p", { class: "soft" }, whole(because))] : []),
      ...(line.length ? [chips(line)] : []),
      ...(advice.counts && isFirst(view) ? [make("p", { class: "help" }, advice.counts)] : []),
      ...(more.length ? [make("details", {}, make("summary", {}, "Why?"), ...more.map((text) => make("p", {}, text)))] : []),
    );
    // What is known is heard at each move; that a value is unknown, once.
    const unknown = value ? "" : title;
    if (view.coach.yours === "ask" || (unknown && unknown !== told)) say(title, because);
    told = unknown;
  }

  /** Make the chips of a line of play; each shows its position on the board, and once more the one of the game. @param {Api.AnswerStep[]} line */
  function chips(line) {
    const list = make("ol", { class: "chips", "aria-label": "How it can go on" });
    for (const { player, text, shown } of line) {
      const chip = make("button", { type: "button", class: player === line[0].player ? "mine" : null, "aria-pressed": "false" }, text);
      chip.addEventListener("click", () => {
        const on = chip.getAttribute("aria-pressed") === "false";
        for (const other of list.querySelectorAll("button")) mark(other, "aria-pressed", String(other === chip && on));
        ahead(on ? shown : null);
        say(on ? `${text}. ${shown.position}` : "Back to the game.");
      });
      list.append(make("li", {}, chip));
    }
    return list;
  }

  /** Whether this is the first match in which it is said how moves are counted. @param {Api.TableView} view */
  function isFirst({ id }) {
    if (!read(COUNTED)) keep(COUNTED, id);
    return read(COUNTED) === id;
  }

  /** Replace the advice on the page. @param {Node[]} parts */
  function write(...parts) {
    by("advice").replaceChildren(...parts);
    show(by("advice"), true);
  }

  return {
    hint,
    /** Return the judgements of the moves, by move. */
    values() {
      if (said?.ply !== current().ply) return new Map();
      const { moves } = said.advice;
      if (!moves.some(({ value }) => value)) return new Map(); // the coach says so once for all of them
      return new Map(moves.map((judged) => [judged.move, short(judged, moves)]));
    },
    accept,
    /** Whether the opponent asks for the coach. */
    requested: () => requested(current()),
    /** Update the panel from a view; `previewing` if the board shows a position that the coach expects. @param {Api.TableView} view @param {boolean} previewing */
    draw(view, previewing) {
      const wants = by("coach-want").querySelectorAll("input");
      for (const want of wants) want.checked = want.value === view.coach.yours;
      show(by("coach-agreed"), view.mode === "friend");
      show(by("coach-accept"), requested(view));
      put(by("coach-agreed"), agreed(view));
      const chips = previewing ? [] : by("advice").querySelectorAll("[aria-pressed]");
      for (const chip of chips) mark(chip, "aria-pressed", "false"); // the game is shown again
      const may = allowed(view);
      show(document.querySelector('[data-action="hint"]'), may && view.coach.yours === "ask");
      if (!may || (said && said.ply !== view.ply)) {
        said = null;
        if (asked !== view.ply || !may) {
          asked = -1;
          by("advice").replaceChildren();
          show(by("advice"), false);
        }
      }
      if (may && view.coach.yours === "on" && said?.ply !== view.ply) hint();
    },
  };
}

/**
 * Leave out the word or the chance of a move: where other good moves have the same word, the chance tells more, and where
 * all moves have, the advice says it once.
 * @param {Api.MoveAdvice} judged @param {Api.MoveAdvice[]} moves @returns {Told}
 */
function short(judged, moves) {
  const alike = moves.filter(({ word }) => word === judged.word);
  const apart = judged.chance !== null && !BAD.includes(judged.verdict) && alike.length > 1;
  const once = moves.length > 1 && alike.length === moves.length;
  return { ...judged, word: apart || once ? "" : judged.word, chance: apart ? judged.chance : null };
}

/** Whether the coach may be asked now; it advises the player to move. @param {Api.TableView} view */
function allowed(view) {
  return Boolean(view.turn?.yours) && view.coach.open && view.coach.yours !== "off";
}

/** Whether the opponent wants the coach, and this visitor does not yet. @param {Api.TableView} view */
const requested = ({ coach, mode, you, can }) =>
  mode === "friend" && can.includes("coach") && coach.yours === "off" && coach.want.some((want, at) => want !== "off" && !you.some((own) => own === at));

/** Say who wants the coach. @param {Api.TableView} view */
function agreed(view) {
  const wants = view.players.map((_, at) => `${view.captions.names[at]}: ${WORDS[view.coach.want[at]]}`).join(" · ");
  if (view.over) return "";
  const state = view.coach.open ? "The coach is on." : "It turns on when you both agree.";
  return `${state} ${wants}.`;
}
