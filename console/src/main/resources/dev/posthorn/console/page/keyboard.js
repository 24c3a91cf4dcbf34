// Everything that can be reached by pointer can be reached from the keyboard; some of it faster.

import { h } from './dom.js';

const SECOND_KEY_WITHIN_MS = 1_200;

export class Keyboard {
  #search;
  #screens;
  #wentAt = 0;

  constructor(search, screens) {
    this.#search = search;
    this.#screens = screens.filter((screen) => screen.letter);
  }

  listen(signal) {
    addEventListener('keydown', (event) => this.#pressed(event), { signal });
  }

  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.target.closest('input, textarea, select')) {
      if (event.key === 'Escape') event.target.blur();
      return;
    }
    if (Date.now() - this.#wentAt < SECOND_KEY_WITHIN_MS) {
      this.#wentAt = 0;
      const screen = this.#screens.find((one) => one.letter === event.key);
      if (screen) location.hash = `#/${screen.path}`;
      return;
    }
    const does = {
      '/': () => this.#search.focus(),
      '?': () => Keyboard.help(this.#screens),
      g: () => { this.#wentAt = Date.now(); },
      j: () => choose(1),
      k: () => choose(-1),
      Enter: () => openChosen(event),
    }[event.key];
    if (does) {
      if (event.key !== 'Enter') event.preventDefault();
      does();
    }
  }

  static help(screens) {
    const row = (keys, text) => [h('span', { class: 'nowrap' }, keys.map((key, index) => [index > 0 && ' ', h('kbd', null, key)])), h('span', null, text)];
    const dialog = h('dialog', { 'aria-label': 'Keyboard shortcuts' }, h('div', { class: 'inside' },
      h('h2', null, 'Keyboard shortcuts'),
      h('div', { class: 'keys' },
        row(['/'], 'Go to an event id or a key'),
        row(['j'], 'Next row'), row(['k'], 'Row before'), row(['Enter'], 'Open the row'),
        screens.filter((screen) => screen.letter).map((screen) => row(['g', screen.letter], screen.name)),
        row(['?'], 'This list'), row(['Esc'], 'Close')),
      h('div', { class: 'ends' }, h('button', { class: 'main', onclick: () => dialog.close() }, 'Close'))));
    dialog.onclose = () => dialog.remove();
    document.body.append(dialog);
    dialog.showModal();
  }
}

function choose(step) {
  const rows = [...document.querySelectorAll('main tr.opens')];
  if (rows.length === 0) return;
  const now = rows.findIndex((row) => row.hasAttribute('data-chosen'));
  const next = rows[Math.max(0, Math.min(rows.length - 1, now + step))];
  rows.forEach((row) => row.toggleAttribute('data-chosen', row === next));
  next.scrollIntoView({ block: 'nearest' });
}

function openChosen(event) {
  const chosen = document.querySelector('main tr[data-chosen]');
  if (chosen && !event.target.closest('a, button, summary')) location.hash = chosen.dataset.href;
}
