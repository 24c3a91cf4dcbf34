// Short words at the foot of the page, also for those who listen to it.

import { h } from './dom.js';

const SHOWN_MS = 5_000;
const place = h('div', { class: 'notices', role: 'status', 'aria-live': 'polite' });

export function notices() {
  return place;
}

export function notice(text) {
  const shown = h('p', { class: 'notice' }, text);
  place.replaceChildren(shown);
  setTimeout(() => shown.remove(), SHOWN_MS);
}
