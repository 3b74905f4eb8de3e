// @ts-check
// How well the visitor plays a game, in a few lines; told from all their games of it.

import { copyOf, picture, put, show } from "./dom.js";
import { get } from "./send.js";

/**
 * Show in a box how the visitor plays a game, or all games together until that is known.
 * @param {HTMLElement} box @param {string} game
 */
export async function drawStrength(box, game) {
  box.replaceChildren();
  show(box, true); // there is room for what comes
  try {
    const own = /** @type {Api.OwnStrength} */ (await get("/api/v1/me/strength"));
    const found = own.games.find((one) => one.game === game);
    if (!found) return;
    const known = found.svg || !found.strength.games || !own.together.svg;
    const { text, svg, about } = known ? found : own.together;
    const part = copyOf("placed-part");
    const [told, scale, more] = part.children;
    put(told.firstChild, text);
    if (svg) picture(scale, svg);
    put(more, svg ? "The band shows how sure that is." : about);
    box.replaceChildren(told, scale, more);
  } catch {
    // The result stands without it.
  }
}
