// Makes elements, and changes a tree that is shown into another without disturbing what stays the same. Data becomes text nodes
// only, so that nothing in an event can become markup.

const SVG = 'http://www.w3.org/2000/svg';
const HANDLERS = Symbol('handlers');
/** What a person may have changed by hand; it stays as it is. */
const OWNED_BY_PEOPLE = new Set(['open', 'value', 'checked', 'data-chosen']);

/** An HTML element: `h('a', {href, class, onclick}, 'text', child, null)`. A property that is null or false is left out. */
export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** The same for SVG. */
export function s(tag, properties, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) set(element, name, value);
  append(element, children);
  return element;
}

function set(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (typeof value === 'function') {
    (element[HANDLERS] ??= []).push(name);
    element[name] = value;
  } else if (name === 'value') {
    element.value = value;
  } else {
    element.setAttribute(name, value === true ? '' : String(value));
  }
}

export function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

/** Turns `shown` into `wanted`, keeping nodes, focus, scroll positions and what was typed. Returns what is shown then. */
export function morph(shown, wanted) {
  if (shown.nodeType !== wanted.nodeType || shown.nodeName !== wanted.nodeName || key(shown) !== key(wanted)) {
    shown.replaceWith(wanted);
    return wanted;
  }
  if (shown.nodeType !== Node.ELEMENT_NODE) {
    if (shown.data !== wanted.data) shown.data = wanted.data;
    return shown;
  }
  if (shown.hasAttribute('data-own')) return shown; // it looks after itself
  morphAttributes(shown, wanted);
  morphHandlers(shown, wanted);
  if (shown.nodeName !== 'TEXTAREA') morphChildren(shown, wanted);
  return shown;
}

function key(node) {
  return node.nodeType === Node.ELEMENT_NODE ? node.getAttribute('data-key') : null;
}

function morphAttributes(shown, wanted) {
  for (const { name } of [...shown.attributes]) {
    if (!wanted.hasAttribute(name) && !OWNED_BY_PEOPLE.has(name)) shown.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    const mayDiffer = OWNED_BY_PEOPLE.has(name) && shown.nodeName !== 'PROGRESS';
    if (!mayDiffer && shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  }
  if (shown.nodeName === 'PROGRESS' && wanted.hasAttribute('value')) shown.value = wanted.value;
}

function morphHandlers(shown, wanted) {
  for (const name of shown[HANDLERS] ?? []) shown[name] = null;
  for (const name of wanted[HANDLERS] ?? []) shown[name] = wanted[name];
  shown[HANDLERS] = wanted[HANDLERS];
}

function morphChildren(shown, wanted) {
  const known = new Map();
  for (const child of shown.childNodes) if (key(child) !== null) known.set(key(child), child);
  let place = shown.firstChild;
  for (const child of [...wanted.childNodes]) {
    const match = key(child) === null ? place : known.get(key(child));
    if (!match || (key(child) === null && key(match) !== null)) {
      shown.insertBefore(child, place);
    } else if (match === place) {
      place = morph(match, child).nextSibling;
    } else {
      shown.insertBefore(match, place);
      morph(match, child);
    }
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

/** Puts one node in the place of all that an element holds. */
export function replace(element, ...children) {
  element.replaceChildren();
  return append(element, children);
}
