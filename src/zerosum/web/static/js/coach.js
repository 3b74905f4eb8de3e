// The coach: off, on demand or always; its advice comes from the server, which also enforces the agreement.

import { by, make, put, say, show } from "./dom.js";
import { get } from "./send.js";
import { notice } from "./toasts.js";
import { worth } from "./worth.js";

const BAD = ["mistake", "blunder"];
const WORDS = { off: "off", ask: "on demand", on: "always" };

/** Set up the coach; `current` returns the view, `act` sends an action, `redraw` redraws the moves. */
export function coaching(current, act, redraw) {
  let said = null; // the current advice, with its ply
  let asked = -1; // the ply last asked about

  by("coach-want").addEventListener("change", (event) => {
    act({ action: "coach", want: event.target.value });
  });
  document.querySelector('[data-action="hint"]').addEventListener("click", hint);

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
      const advice = await get(`/m/${view.id}/coach?ply=${ply}`);
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

  /** Show the advice. */
  function speak(view, advice) {
    if (!advice.exact) {
      write(make("p", {}, worth(null), " ", advice.reason));
      say(`The value is unknown. ${advice.reason}`);
      return;
    }
    write(
      make("p", { class: "standing" }, worth(advice.value), " ", advice.standing),
      make("p", {}, advice.hint),
      make("ul", {}, ...advice.why.map((line) => make("li", {}, line))),
    );
    if (view.coach.yours === "ask") say(advice.standing, advice.hint);
  }

  /** Replace the advice on the page. */
  function write(...parts) {
    by("advice").replaceChildren(...parts);
    show(by("advice"), true);
  }

  return {
    hint,
    /** Return the judgements of the moves, by move. */
    values() {
      if (said?.ply !== current().ply || !said.advice.exact) return new Map();
      const { moves } = said.advice;
      return new Map(moves.map((judged) => [judged.move, short(judged, moves)]));
    },
    /** Update the panel from a view. */
    draw(view) {
      show(by("coach"), !view.watching && (view.can.includes("coach") || view.coach.yours !== "off"));
      const chosen = document.querySelector(`#coach-want [value="${view.coach.yours}"]`);
      if (chosen) chosen.checked = true;
      show(by("coach-agreed"), view.mode === "friend");
      put(by("coach-agreed"), agreed(view));
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

/** Leave out the word or the chance of a move: where other good moves have the same word, the chance tells more. */
function short(judged, moves) {
  const alike = moves.filter(({ word }) => word === judged.word);
  const apart = judged.chance !== null && !BAD.includes(judged.verdict) && alike.length > 1;
  return apart ? { ...judged, word: "" } : { ...judged, chance: null };
}

/** Whether the coach may be asked now; it advises the player to move. */
function allowed(view) {
  return Boolean(view.turn?.yours) && view.coach.open && view.coach.yours !== "off";
}

/** Say who wants the coach. */
function agreed(view) {
  const wants = view.players.map((player, at) => `${player.name}: ${WORDS[view.coach.want[at]]}`).join(" · ");
  if (view.over) return "";
  const state = view.coach.open ? "The coach is on." : "It turns on when you both agree.";
  return `${state} ${wants}.`;
}
