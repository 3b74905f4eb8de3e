// What can be done besides moving: offers and their answers, resigning, the next game, a rematch.

import { by, make, put, show, sync } from "./dom.js";

const ASK = {
  undo: (name) => `${name} asks to take a move back.`,
  draw: (name) => `${name} offers to call the game off.`,
  next: (name) => `${name} is ready for the next game.`,
  rematch: (name) => `${name} would like a rematch.`,
};
const MINE = {
  undo: "You asked to take a move back.",
  draw: "You offered to call the game off.",
  next: "You are ready for the next game.",
  rematch: "You would like a rematch.",
};
const YES = { undo: "Agree", draw: "Agree", next: "Next game", rematch: "Play again" };

/** Ask before something that cannot be undone. */
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

/** Draw the offers that stand, each with its answers. */
export function drawOffers(view, act) {
  const box = by("offers");
  show(box, view.offers.length > 0);
  sync(
    box,
    view.offers,
    (offer) => `${offer.kind} ${offer.player}`,
    () => make("div", { class: "offer" }, make("p")),
    (node, offer) => {
      const mine = view.you.includes(offer.player);
      node.dataset.offer = offer.kind;
      put(node.firstChild, mine ? MINE[offer.kind] : ASK[offer.kind](view.players[offer.player].name));
      if (node.children.length > 1 || view.watching) return;
      const no = make("button", { type: "button", "data-action": "decline" }, mine ? "Withdraw" : "Decline");
      no.addEventListener("click", () => act({ action: "decline", offer: offer.kind }));
      const yes = make("button", { type: "button", class: "primary", "data-action": "accept" }, YES[offer.kind]);
      yes.addEventListener("click", () => act({ action: offer.kind }));
      node.append(...(mine ? [no] : [yes, no]));
    },
  );
}

/** Draw the end of a game, and what may come after it. */
export function drawResult(view, act) {
  const box = by("result");
  const held = box.contains(document.activeElement);
  show(box, Boolean(view.ended));
  if (!view.ended) return;
  put(by("result-title"), view.ended.text);
  const reason = view.ended.reason;
  const known = view.ended.text.toLowerCase().includes(reason.toLowerCase());
  put(by("result-reason"), known ? "" : `${reason[0].toUpperCase()}${reason.slice(1)}.`);
  show(by("result-reason"), !known);
  const asked = (kind) => view.offers.some((offer) => offer.kind === kind);
  const wanted = [
    view.can.includes("next") && !asked("next") && { key: "next", text: "Next game", primary: true },
    view.can.includes("rematch") && !asked("rematch") && { key: "rematch", text: "Rematch", primary: true },
    view.next && { key: "go", text: "Go to the rematch", href: view.next, primary: true },
    view.can.includes("review") && { key: "review", text: "Review", href: `/m/${view.id}/review?game=${Math.max(...view.reviewable)}` },
    { key: "home", text: "Another game", href: "/" },
  ].filter(Boolean);
  // The review of the next game is another link.
  sync(by("result-actions"), wanted, (one) => `${one.key} ${one.href}`, (one) => control(one, act), () => {});
  if (held && !box.contains(document.activeElement)) by("result-title").focus();
}

/** Tell whether there is a move that this visitor could take back. */
export function mayUndo(view) {
  const own = view.mode === "here" || view.last.some((one) => view.you.includes(one.player));
  return view.can.includes("undo") && own;
}

/** Draw the quieter buttons beside the board. */
export function drawTools(view, act, copy) {
  const asked = (kind) => view.offers.some((offer) => offer.kind === kind);
  const friend = view.mode === "friend";
  const wanted = [
    mayUndo(view) && !asked("undo") && { key: "undo", text: friend ? "Ask to take back" : "Undo" },
    view.can.includes("draw") && !asked("draw") && { key: "draw", text: view.mode === "here" ? "Call it off" : "Offer to call it off" },
    view.can.includes("resign") && { key: "resign", text: "Resign" },
    (friend ? view.watch !== false : view.watch) && !view.waiting && { key: "copy-watch", text: "Copy link to watch", run: copy },
  ].filter(Boolean);
  sync(by("tool-buttons"), wanted, (one) => one.key, (one) => control(one, act), () => {});
}

/** Make a button that acts, or a link that leads on. */
function control(one, act) {
  const kind = one.primary ? "button primary" : "button";
  if (one.href) return make("a", { class: kind, href: one.href, "data-action": one.key }, one.text);
  const button = make("button", { type: "button", class: kind, "data-action": one.key }, one.text);
  button.addEventListener("click", one.run ? () => one.run(button) : () => act({ action: one.key }));
  return button;
}
