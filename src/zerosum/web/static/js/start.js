// The forms that start a match: a new key on each visit, and only the fields for the chosen opponent.

import { newKey } from "./send.js";

/** Give every form a new key, so that going back and starting again starts another match. */
function freshen() {
  for (const field of document.querySelectorAll('input[name="key"]')) field.value = newKey();
}

/** Show the fields that belong to the chosen opponent. */
function fit(form) {
  const mode = form.elements.mode.value;
  for (const part of form.querySelectorAll("[data-for]")) {
    part.hidden = !part.dataset.for.split(" ").includes(mode);
    for (const field of part.querySelectorAll("input, select")) field.disabled = part.hidden;
  }
}

window.addEventListener("pageshow", freshen);

const form = document.getElementById("new");
if (form) {
  let touched = false;
  form.elements.watch[1].addEventListener("change", () => (touched = true));
  form.addEventListener("change", (event) => {
    fit(form);
    // By default, games with friends can be watched and games against the computer cannot.
    if (event.target.name === "mode" && !touched) form.elements.watch[1].checked = event.target.value === "friend";
  });
  fit(form);
  form.querySelector('[aria-invalid="true"]')?.focus();
}
