// One key: what blocks it, what waits behind that, and its newest events.

import { get } from './api.js';
import { act } from './actions.js';
import { h } from './dom.js';
import { count, plural } from './format.js';
import { notice } from './notices.js';
import { badge, body, card, empty, eventLink, facts, keyLink, since, table, time, title } from './parts.js';
import { cli, curl, fromShell } from './shell.js';
import { eventTable } from './events.js';

/** Those that have waited the longest, of every route. */
export const keys = {
  name: 'Keys', nav: 'keys', path: 'keys', icon: 'key', group: 'Look', letter: 'k', every: 5,

  load: ({ signal }) => get(['status'], {}, signal),

  view: (data) => {
    const blocked = data.routes.flatMap((route) => route.longest_blocked.map((key) => ({ ...key, route: route.route })));
    const all = data.routes.reduce((sum, route) => sum + route.blocked_keys, 0);
    return [
      title('Keys', 'Events of one key are published in order. When one of them cannot be published, its key is blocked and the others wait behind it; other keys go on.'),
      card(h('h2', null, all > blocked.length ? `The longest blocked of ${count(all)}` : 'Blocked keys'), blocked.length === 0
        ? empty('key', 'No key is blocked', 'To see one key, type it into the field above and press Enter.')
        : table('Blocked keys', columns, blocked, { key: (row) => `${row.route} ${row.key}`, href: (row) => `#/keys/${encodeURIComponent(row.key)}` })),
      fromShell(cli('status'), curl(['status'])),
    ];
  },
};

const columns = [
  { name: 'Key', cell: (row) => keyLink(row.key) },
  { name: 'Route', cell: (row) => row.route },
  { name: 'State', cell: (row) => heldOrBlocked(row) },
  { name: 'Since', cell: (row) => since(row.blocked_since) },
  { name: 'Attempts', number: true, cell: (row) => row.attempts },
  { name: 'Last error', cell: (row) => h('span', { class: 'break' }, row.last_error ?? '–') },
];

function heldOrBlocked(row) {
  return row.held ? badge('Held', 'bad') : badge('Blocked', 'warn');
}

export const key = {
  name: 'Key', nav: 'keys', every: 5,

  load: ({ params, signal }) => get(['keys'], { key: params[0] }, signal),

  view: (data, context) => [
    title(h('span', { class: 'break' }, data.key), data.blocked.length === 0 ? 'This key waits nowhere.' : `Blocked on ${plural(data.blocked.length, 'route')}.`),
    data.blocked.map((one) => obstacle(data.key, one, context)),
    card('Its newest events', data.events.length === 0
      ? empty('key', 'No event of the log has this key', 'Keys are matched exactly, with upper and lower case. An event that was published long ago may have been pruned.')
      : eventTable(data.events)),
    fromShell(cli('keys show', {}, [data.key]), curl(['keys'], { query: { key: data.key } })),
  ],
};

function obstacle(name, one, { can, reload }) {
  const behind = one.held ? one.waiting : Math.max(0, one.waiting - 1); // a dead first event no longer waits itself
  return h('section', { class: 'card', 'data-key': one.route },
    h('header', null, h('div', { class: 'row' }, h('h2', null, `Route ${one.route}`), heldOrBlocked(one)),
      one.held && one.head && can('operate') && h('div', { class: 'row' }, decision('Redrive', one, reload), decision('Discard', one, reload))),
    body(
      h('div', { class: 'queue' },
        h('div', { class: 'first' }, h('b', null, 'First: '), one.head ? eventLink(one.head) : 'not in the log'),
        h('div', { class: 'arrow', 'aria-hidden': 'true' }, '◀'),
        h('div', null, h('b', null, count(behind)), behind === 1 ? ' event waits behind it' : ' events wait behind it')),
      facts([
        ['What blocks it', one.last_error ?? 'its first event was not published'],
        ['Since', [since(one.blocked_since), ` (${plural(one.attempts, 'attempt')})`]],
        ['Goes on', one.held ? 'when somebody decides: redrive the first event, or discard it' : one.next_attempt ? ['by itself, next attempt ', time(one.next_attempt)] : 'by itself; its next attempt is due'],
        ['Lane', String(one.lane)],
      ])));
}

function decision(verb, one, reload) {
  const word = verb.toLowerCase();
  return h('button', { class: verb === 'Discard' ? 'risky' : 'main', onclick: () => act({
    title: `${verb} the first event`, verb, risky: verb === 'Discard',
    text: verb === 'Discard' ? 'It is given up for good, and the key goes on without it.' : 'It is published again, and the key goes on when it is through.',
    segments: ['dead', word],
    body: { ids: [one.head] },
    command: (reason) => cli(`dead ${word}`, { reason }, [one.head]),
    done: () => { notice(`${verb}: done.`); reload(); },
  }) }, `${verb}…`);
}
