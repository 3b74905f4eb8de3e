// Shortcuts that work anywhere on the page; they can be switched off, since they get in some people's way.

const SWITCH = "zerosum.keys";

/** Whether shortcuts are on. */
export function keysOn() {
  try {
    return localStorage.getItem(SWITCH) !== "off";
  } catch {
    return true;
  }
}

/** Switch shortcuts on or off. */
export function switchKeys(on) {
  try {
    localStorage.setItem(SWITCH, on ? "on" : "off");
  } catch {
    // Storage may be blocked; then the setting is not remembered.
  }
}

/** Call `digit` or one of `keys` for what is typed outside fields. */
export function listen(digit, keys) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (!keysOn() || document.querySelector("dialog[open]")) return;
    if (event.target.closest?.("input, select, textarea, [contenteditable]")) {
      if (!event.target.matches('[type="radio"], [type="checkbox"]')) return;
    }
    if (/^\d$/.test(event.key)) digit(event.key, event);
    else keys[event.key]?.(event);
  });
}
