// @ts-check
// Everything besides moving: offers and their answers, taking back, resigning.

import { by, make, mark, put, show, sync } from "./dom.js";

const MINE = {
  undo: "You asked to take a move back.",
  draw: "You offered a draw.",
  next: "You are ready for the next game.",
  rematch: "You asked for a rematch.",
};
const YES = { undo: "Agree", draw: "Accept", next: "Next game", rematch: "Play again" };

/** Whether something is on offer. @param {Api.Table} view @param {string} kind */
export const offered = (view, kind) => view.offers.some((offer) => offer.kind === kind);

/** Ask before something that cannot be undone. @param {string} title @param {string} text @param {string} yes @returns {Promise<boolean>} */
export function confirmed(title, text, yes) {
  const dialog = by("confirm");
  put(by("confirm-title"), title);
  put(by("confirm-text"), text);
  put(by("confirm-yes"), yes);
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

/** Draw the open offers, each with its answers. @param {Api.Table} view @param {Act} act */
export function drawOffers(view, act) {
  const box = by("offers");
  show(box, view.offers.length > 0);
  sync(
    box,
    view.offers,
    (offer) => `${offer.kind} ${offer.player}`,
    () => make("div", { class: "toast" }, make("p")),
    (node, offer) => {
      const mine = view.you.includes(offer.player);
      node.dataset.offer = offer.kind;
      put(node.firstChild, mine ? MINE[offer.kind] : offer.text);
      if (node.children.length > 1 || view.watching) return;
      /** @param {string} key @param {string} text @param {boolean} [primary] */
      const answer = (key, text, primary) => control({ key, text, primary, offer: offer.kind }, act);
      const yes = mine ? [] : [answer("accept", YES[offer.kind], true)];
      node.append(make("div", { class: "answers" }, ...yes, answer("decline", mine ? "Withdraw" : "Decline")));
    },
  );
}

/** Whether this visitor has a move to take back. @param {Api.Table} view */
export function mayUndo(view) {
  const own = view.mode === "here" || view.last.some(({ player }) => view.you.includes(player));
  return view.can.includes("undo") && own;
}

/**
 * Draw the quieter buttons beside the board; in a running game they stay where they are, open or not.
 * @param {Api.Table} view @param {Act} act @param {(button: HTMLElement) => void} copy
 */
export function drawTools(view, act, copy) {
  const [friend, here] = [view.mode === "friend", view.mode === "here"];
  const playing = Boolean(view.turn) && !view.watching;
  const wanted = /** @type {Control[]} */ ([
    playing && { key: "undo", text: friend ? "Ask to take back" : "Undo", open: mayUndo(view) },
    playing && { key: "draw", text: here ? "Call it a draw" : "Offer a draw", open: view.can.includes("draw") && !offered(view, "draw") },
    playing && { key: "resign", text: "Resign", open: view.can.includes("resign") },
    view.watch && !view.waiting && { key: "copy-watch", text: "Copy spectator link", run: copy, open: true },
  ].filter(Boolean));
  sync(by("tool-buttons"), wanted, (choice) => choice.key, (choice) => control(choice, act), (button, { open }) => {
    mark(button, "aria-disabled", open ? null : "true");
  });
}

/** Make a button that acts, or a link. @param {Control} choice @param {Act} act */
export function control({ key, text, primary, href, run, offer }, act) {
  const kind = primary ? "button primary" : "button";
  if (href) return make("a", { class: kind, href, "data-action": key }, text);
  const button = make("button", { type: "button", class: kind, "data-action": key }, text);
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled")) return;
    if (run) run(button);
    else act({ action: key, offer });
  });
  return button;
}
