// What operators did: who, when, what, to what, why, and how many it concerned.

import { get } from './api.js';
import { h } from './dom.js';
import { count } from './format.js';
import { card, empty, filter, pager, table, time, title } from './parts.js';
import { cli, curl, fromShell } from './shell.js';

const PAGE = 50;
/** Where the page about a target is. */
const PAGES = { event: 'events', 'dead-letter': 'dead', replay: 'replays', route: 'routes', consumer: 'consumers', job: 'jobs' };

export const audit = {
  name: 'Audit', nav: 'audit', path: 'audit', icon: 'audit', group: 'Check', letter: 'a',

  load: ({ query, signal }) => get(['audit'], { ...query, limit: PAGE }, signal),

  view: (data, { query, reload }) => [
    title('Audit', 'Whatever an operator changed, here or on the command line.', h('button', { onclick: reload }, 'Refresh')),
    filter([{ name: 'who', label: 'Who' }, { name: 'action', label: 'Action', hint: 'redrive' }], query, '#/audit'),
    card(null, data.actions.length === 0
      ? empty('audit', Object.keys(query).length > 0 ? 'Nobody did anything like that' : 'Nobody has changed anything yet', 'Every pause, redrive, discard, replay and prune leaves a line here, with its reason.')
      : table('Actions', [
        { name: 'When', cell: (one) => h('span', { class: 'nowrap' }, time(one.at)) },
        { name: 'Who', cell: (one) => h('b', { class: 'nowrap' }, one.who) },
        { name: 'Action', cell: (one) => one.action },
        { name: 'On', cell: (one) => [target(one), one.route && one.route !== one.target && h('span', { class: 'soft' }, ` route ${one.route}`)] },
        { name: 'How many', number: true, cell: (one) => count(one.rows) },
        { name: 'Reason', cell: (one) => h('span', { class: 'break' }, one.reason ?? '–') },
      ], data.actions, { key: (one) => one.id })),
    pager('#/audit', query, 'before', data.next),
    fromShell(cli('audit', query), curl(['audit'], { query })),
  ],
};

function target({ target: name, target_kind: kind }) {
  const page = PAGES[kind];
  if (!page) {
    return h('span', { class: 'break' }, name);
  }
  return h('a', { class: 'mono break', href: `#/${page}/${encodeURIComponent(name)}` }, name);
}
