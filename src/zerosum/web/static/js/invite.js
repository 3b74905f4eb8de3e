// @ts-check
// The link for a friend: copied, shared, or scanned.

import { by, put, say, show } from "./dom.js";

/** Copy text, and confirm it on the button. @param {string} text @param {HTMLElement} button */
export async function copy(text, button) {
  const before = button.textContent;
  button.style.minWidth = `${button.offsetWidth}px`; // so that nothing beside it moves
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without a secure connection there is no clipboard; the field can still be selected.
    const field = by("link");
    show(/** @type {HTMLElement} */ (field.closest("section")), true);
    field.focus();
    field.select();
    if (!document.execCommand("copy")) {
      say("The text is selected: copy it with your keyboard.");
      return;
    }
    button.focus();
  }
  put(button, "Copied");
  say("Copied.");
  setTimeout(() => {
    put(button, before);
    button.style.minWidth = "";
  }, 2000);
}

/** Wire up the invitation's buttons. @param {Api.TableView} view */
export function inviting(view) {
  const copying = document.querySelector('[data-action="copy"]');
  if (copying === null) return; // a program is not invited by a link
  copying.addEventListener("click", () => copy(view.link, copying));
  by("link").addEventListener("focus", () => by("link").select());
  const sharing = document.querySelector('[data-action="share"]');
  sharing.addEventListener("click", async () => {
    try {
      await navigator.share({ title: `Play ${view.game.title} with me`, url: view.link });
    } catch {
      // The visitor closed the share sheet.
    }
  });
}
