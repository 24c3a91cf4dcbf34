// Looks at the database as a relay would see it, and names each trouble.

import { get } from './api.js';
import { h } from './dom.js';
import { badge, card, empty, title } from './parts.js';
import { curl, fromShell } from './shell.js';

export const doctor = {
  name: 'Doctor', nav: 'doctor', path: 'doctor', icon: 'doctor', group: 'Check', letter: 'h',

  load: ({ signal }) => get(['doctor'], {}, signal),

  view: (data, { reload }) => [
    title('Doctor', 'Rights, clock, vacuum, replication slots, long transactions, events that no route takes. Changes nothing.', h('button', { class: 'main', onclick: reload }, 'Examine again')),
    card(null, data.findings.length === 0
      ? empty('good', 'All is well', 'Nothing was found that would hold up a relay or the database.')
      : data.findings.map((finding) => h('article', { class: 'trouble', 'data-key': finding.check + finding.found },
        h('div', null, finding.serious ? badge('Serious', 'bad') : badge('Note', 'warn')),
        h('p', { class: 'what' }, finding.found), h('span', { class: 'soft' }, finding.check),
        h('div', { class: 'rest' }, h('p', { class: 'why' }, finding.advice))))),
    fromShell('posthorn doctor', curl(['doctor'])),
  ],
};
