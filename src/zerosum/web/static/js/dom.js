// Small help with the document: find, make, and change only what differs, so that focus stays.

/** Find an element by its id. */
export const by = (id) => document.getElementById(id);

/** Make an element; children are elements or texts. */
export function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** Write a text where it differs. */
export function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Set or remove an attribute where it differs. */
export function mark(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

/** Show or hide an element. */
export function show(element, visible) {
  element.hidden = !visible;
}

/** Make the children of a parent those of a list, each kept as long as its key is there. */
export function sync(parent, items, keyOf, create, update) {
  const keys = items.map((item) => String(keyOf(item)));
  const wanted = new Set(keys);
  const kept = new Map();
  for (const child of [...parent.children]) {
    if (wanted.has(child.dataset.key)) kept.set(child.dataset.key, child);
    else child.remove();
  }
  const focused = document.activeElement;
  let place = parent.firstElementChild;
  items.forEach((item, at) => {
    const child = kept.get(keys[at]) ?? create(item);
    child.dataset.key = keys[at];
    if (child === place) place = place.nextElementSibling;
    else parent.insertBefore(child, place);
    update(child, item);
  });
  // What is moved within the page loses the focus on the way.
  if (parent.contains(focused) && focused !== document.activeElement) focused.focus();
}

/** Whether motion is unwelcome. */
export const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Read a document that the server wrote into an attribute. */
export const given = (element, name) => JSON.parse(element.dataset[name] || "null");

/** Put a picture of the server's into the page, without its own style sheet. */
export function picture(box, text) {
  // The policy of the page refuses styles even while they are only being read.
  const plain = text.replace(/<style[^>]*>[^<]*<\/style>/g, "");
  const drawn = new DOMParser().parseFromString(plain, "image/svg+xml").documentElement;
  if (drawn.localName !== "svg") throw new Error("The server sent no picture.");
  const placed = document.importNode(drawn, true);
  box.replaceChildren(placed);
  return placed;
}

/** Scroll a box sideways until a part of it is in sight; the page itself stays where it is. */
export function inSight(box, part) {
  const [outer, inner] = [box.getBoundingClientRect(), part.getBoundingClientRect()];
  if (inner.left < outer.left || inner.right > outer.right) {
    box.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
  }
}
