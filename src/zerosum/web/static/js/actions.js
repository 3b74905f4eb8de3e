// Everything besides moving: offers and answers, resigning, the next game, a rematch.

import { by, make, put, show, sync } from "./dom.js";

const ASK = {
  undo: (name) => `${name} asks to take a move back.`,
  draw: (name) => `${name} offers a draw.`,
  next: (name) => `${name} is ready for the next game.`,
  rematch: (name) => `${name} would like a rematch.`,
};
const MINE = {
  undo: "You asked to take a move back.",
  draw: "You offered a draw.",
  next: "You are ready for the next game.",
  rematch: "You asked for a rematch.",
};
const YES = { undo: "Agree", draw: "Accept", next: "Next game", rematch: "Play again" };

/** Whether something is on offer. */
const offered = (view, kind) => view.offers.some((offer) => offer.kind === kind);

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

/** Draw the open offers, each with its answers. */
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
      yes.addEventListener("click", () => act({ action: "accept", offer: offer.kind }));
      node.append(...(mine ? [no] : [yes, no]));
    },
  );
}

/** Draw the end of a game, and what can come next. */
export function drawResult(view, act) {
  const box = by("result");
  const held = box.contains(document.activeElement);
  show(box, Boolean(view.ended));
  if (!view.ended) return;
  const { reason } = view.ended;
  put(by("result-title"), headline(view));
  put(by("result-reason"), reason && `${reason[0].toUpperCase()}${reason.slice(1)}.`);
  const wanted = [
    view.can.includes("next") && !offered(view, "next") && { key: "next", text: "Next game", primary: true },
    view.can.includes("rematch") && !offered(view, "rematch") && { key: "rematch", text: "Rematch", primary: true },
    view.next && { key: "go", text: "Go to the rematch", href: view.next, primary: true },
    view.can.includes("review") && { key: "review", text: "Review", href: `/m/${view.id}/review?game=${Math.max(...view.reviewable)}` },
    { key: "home", text: "Another game", href: "/" },
  ].filter(Boolean);
  // The review link differs from game to game.
  sync(by("result-actions"), wanted, (choice) => `${choice.key} ${choice.href}`, (choice) => control(choice, act), () => {});
  if (held && !box.contains(document.activeElement)) by("result-title").focus();
}

/** Say who won, from this visitor's point of view. */
export function headline(view) {
  const { winner } = view.ended;
  if (winner === null) return "Draw";
  return view.mode !== "here" && view.you.includes(winner) ? "You won!" : `${view.players[winner].name} wins`;
}

/** Whether this visitor has a move to take back. */
export function mayUndo(view) {
  const own = view.mode === "here" || view.last.some(({ player }) => view.you.includes(player));
  return view.can.includes("undo") && own;
}

/** Draw the quieter buttons beside the board. */
export function drawTools(view, act, copy) {
  const friend = view.mode === "friend";
  const wanted = [
    mayUndo(view) && !offered(view, "undo") && { key: "undo", text: friend ? "Ask to take back" : "Undo" },
    view.can.includes("draw") && !offered(view, "draw") && { key: "draw", text: view.mode === "here" ? "Call it a draw" : "Offer a draw" },
    view.can.includes("resign") && { key: "resign", text: "Resign" },
    view.watch && !view.waiting && { key: "copy-watch", text: "Copy spectator link", run: copy },
  ].filter(Boolean);
  sync(by("tool-buttons"), wanted, (choice) => choice.key, (choice) => control(choice, act), () => {});
}

/** Make a button that acts, or a link. */
function control({ key, text, primary, href, run }, act) {
  const kind = primary ? "button primary" : "button";
  if (href) return make("a", { class: kind, href, "data-action": key }, text);
  const button = make("button", { type: "button", class: kind, "data-action": key }, text);
  button.addEventListener("click", run ? () => run(button) : () => act({ action: key }));
  return button;
}
