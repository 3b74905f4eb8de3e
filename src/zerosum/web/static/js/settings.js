// @ts-check
// What this device remembers for every page: the theme and the visitor's name.
//
// It runs before the page is drawn, so that no other theme flashes up.

import { read, write } from "./storage.js";

const THEME = "zerosum.theme";
const NAME = "zerosum.name";
const GROUND = /** @type {Record<string, string>} */ ({ light: "#f6f5f0", dark: "#131217" });
const root = document.documentElement;

/** Show a theme: light, dark, or the system's own; the browser's own bars follow it. @param {string} theme */
function paint(theme) {
  if (theme in GROUND) root.dataset.theme = theme;
  else delete root.dataset.theme;
  for (const bar of /** @type {NodeListOf<HTMLMetaElement>} */ (document.querySelectorAll('meta[name="theme-color"]'))) {
    bar.content = GROUND[theme] ?? GROUND[bar.media.includes("dark") ? "dark" : "light"];
  }
}

paint(read(THEME) ?? "system");
if ("share" in navigator) root.dataset.share = "yes";

/** Show the visitor's name in the head, and fill it in wherever it is asked for. @param {string} name */
function introduce(name) {
  for (const place of document.querySelectorAll(".own-name")) place.textContent = name || "You";
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('[autocomplete="nickname"], input[data-name]'));
  for (const field of fields) {
    if (field.type === "hidden") field.value = name;
    else if (!field.value) field.value = name;
  }
}

/** The menus that are open. @returns {NodeListOf<HTMLDetailsElement>} */
const openMenus = () => document.querySelectorAll("details.menu[open]");

document.addEventListener("DOMContentLoaded", () => {
  const menu = document.getElementById("me");
  const themes = /** @type {NodeListOf<HTMLInputElement>} */ (menu.querySelectorAll('[name="theme"]'));
  const chosen = read(THEME) ?? "system";
  for (const choice of themes) {
    choice.checked = choice.value === chosen;
    choice.addEventListener("change", () => {
      write(THEME, choice.value);
      paint(choice.value);
    });
  }
  introduce(read(NAME) ?? "");
  document.addEventListener("change", (event) => {
    const target = /** @type {HTMLInputElement} */ (event.target);
    if (!target.matches('[autocomplete="nickname"]')) return;
    write(NAME, target.value.trim());
    introduce(target.value.trim());
  });
  document.addEventListener("click", ({ target }) => {
    for (const open of openMenus()) if (!open.contains(target)) open.open = false;
  });
  document.addEventListener("keydown", ({ key }) => {
    const [open] = openMenus();
    if (key !== "Escape" || !open) return;
    open.open = false;
    open.querySelector("summary").focus();
  });
});
