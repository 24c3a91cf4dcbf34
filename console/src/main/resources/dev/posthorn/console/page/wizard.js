// What the wizards have in common: where one is, and a bar that tells how far the work is.

import { h } from './dom.js';
import { count, duration } from './format.js';
import { state } from './parts.js';

export function steps(names, at) {
  return h('ol', { class: 'steps', 'aria-label': 'Steps' }, names.map((name, index) =>
    h('li', { class: index < at && 'past', 'aria-current': index === at && 'step' }, h('span', null, name))));
}

/** `done` of `total`, how fast, how long it will take. */
export function progress(name, done, total, perSecond, isRunning) {
  const left = perSecond > 0 && total !== null ? (total - done) / perSecond : null;
  return h('div', { class: 'stack' },
    h('div', { class: 'row spread' }, h('span', null, h('b', null, count(done)), total === null ? '' : ` of ${count(total)}`),
      h('span', { class: 'row' }, isRunning && h('span', { class: 'soft' }, perSecond > 0 ? `${count(perSecond)}/s` : '', left !== null && left > 0 ? `, about ${duration(left)} left` : ''), state(name))),
    h('progress', { max: Math.max(1, total ?? 1), value: done, 'aria-label': 'Progress' }));
}
