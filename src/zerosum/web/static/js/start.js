// @ts-check
// The forms that start a match: a new key on each visit, and only the fields for the chosen opponent.

import { newKey } from "./send.js";

/** Give every form a new key, so that going back and starting again starts another match. */
function freshen() {
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('input[name="key"]'));
  for (const field of fields) field.value = newKey();
}

/** Show the fields that belong to the chosen opponent. @param {HTMLFormElement} form */
function fit(form) {
  const mode = form.elements.mode.value;
  for (const part of form.querySelectorAll("[data-for]")) {
    part.hidden = !part.dataset.for.split(" ").includes(mode);
    const fields = /** @type {NodeListOf<HTMLInputElement>} */ (part.querySelectorAll("input, select"));
    for (const field of fields) field.disabled = part.hidden;
  }
}

window.addEventListener("pageshow", freshen);

const form = document.getElementById("new");
if (form) {
  let touched = false;
  form.elements.watch[1].addEventListener("change", () => (touched = true));
  form.addEventListener("change", (event) => {
    const { name, value } = /** @type {HTMLInputElement} */ (event.target);
    fit(form);
    // By default, games with friends can be watched and games against the computer cannot.
    if (name === "mode" && !touched) form.elements.watch[1].checked = value === "friend";
  });
  fit(form);
  form.querySelector('[aria-invalid="true"]')?.focus();
  // A refused form is shown where it was sent to, an address that has no page to return to.
  if (location.pathname.startsWith("/api/")) history.replaceState(null, "", `/new/${document.body.dataset.game}`);
}
