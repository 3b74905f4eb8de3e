// @ts-check
// Everything besides moving: offers and their answers, taking back, resigning.

import { by, make, mark, put, show, sync } from "./dom.js";

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

/** Draw the open offers, each with its answers. @param {Api.TableView} view @param {Act} act */
export function drawOffers(view, act) {
  const box = by("offers");
  show(box, view.offers.length > 0);
  sync(
    box,
    view.offers,
    (offer) => `${offer.kind} ${offer.player}`,
    () => make("div", { class: "toast" }, make("p"), make("div", { class: "answers" })),
    (node, { kind, text, answers }) => {
      node.dataset.offer = kind;
      put(node.firstChild, text);
      drawControls(node.lastChild, answers, act);
    },
  );
}

/**
 * Draw buttons that act, and links, in a box; those that are not open stay where they are.
 * @param {HTMLElement} box @param {Api.Control[]} controls @param {Act} act
 * @param {Record<string, (button: HTMLElement) => unknown>} runs what those do that send nothing
 */
export function drawControls(box, controls, act, runs = {}) {
  const create = (/** @type {Api.Control} */ { action, text, primary, href, offer }) => {
    const kind = primary ? "button primary" : "button";
    if (href) return make("a", { class: kind, href, "data-action": action }, text);
    const button = make("button", { type: "button", class: kind, "data-action": action }, text);
    button.addEventListener("click", () => {
      if (button.getAttribute("aria-disabled")) return;
      if (action in runs) runs[action](button);
      else act({ action, offer });
    });
    return button;
  };
  // The review link differs from game to game.
  sync(box, controls, ({ action, href }) => `${action} ${href}`, create, (button, { open }) => {
    mark(button, "aria-disabled", open ? null : "true");
  });
}
