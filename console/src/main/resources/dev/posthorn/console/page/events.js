// The log from its end, searched.

import { get } from './api.js';
import { h } from './dom.js';
import { card, empty, eventLink, filter, keyLink, pager, state, table, time, title } from './parts.js';
import { cli, curl, fromShell } from './shell.js';

const PAGE = 50;
const STATES = ['PENDING', 'RETRYING', 'PARKED', 'DELAYED', 'FAILED', 'SENT'];

const FIELDS = [
  { name: 'domain', label: 'Domain' },
  { name: 'type', label: 'Type' },
  { name: 'key', label: 'Key' },
  { name: 'tenant', label: 'Tenant' },
  { name: 'correlation', label: 'Correlation' },
  { name: 'state', label: 'State', options: [['', 'any'], ...STATES.map((name) => [name, name])] },
];

export const events = {
  name: 'Events', nav: 'events', path: 'events', icon: 'events', group: 'Look', letter: 'e',

  load: ({ query, signal }) => get(['events'], { ...query, limit: PAGE }, signal),

  view: (data, { query, reload }) => [
    title('Events', 'The newest first. Open one for its whole story.', h('button', { onclick: reload }, 'Refresh')),
    filter(FIELDS, query, '#/events'),
    card(null, data.events.length === 0 ? nothing(query, data.next) : eventTable(data.events)),
    pager('#/events', query, 'before', data.next),
    fromShell(cli('events list', query), curl(['events'], { query })),
  ],
};

export function eventTable(list) {
  return table('Events', [
    { name: 'Emitted', cell: (event) => h('span', { class: 'nowrap' }, time(event.emitted_at, true)) },
    { name: 'Event', cell: (event) => [h('b', { class: 'break' }, event.type), ' ', h('span', { class: 'soft' }, event.domain)] },
    { name: 'Key', cell: (event) => keyLink(event.key) },
    { name: 'Tenant', cell: (event) => event.tenant ?? h('span', { class: 'soft' }, '–') },
    { name: 'On routes', cell: (event) => h('span', { class: 'row' }, onRoutes(event.routes)) },
    { name: 'Id', cell: (event) => eventLink(event.id) },
  ], list, { key: (event) => event.id, href: (event) => `#/events/${event.id}` });
}

function onRoutes(routes) {
  return routes.length === 0 ? h('span', { class: 'soft' }, 'on no route') : routes.map((one) => state(one.state, `${one.route} `));
}

function nothing(query, next) {
  if (next) {
    return empty('search', 'Nothing like that so far', ['The search goes back through the log for a moment, then shows what it has. The next page goes on where it stopped.',
      query.state === 'FAILED' && [' What is dead is listed at once under ', h('a', { href: '#/dead?view=letters' }, 'dead letters'), '.']]);
  }
  return Object.keys(query).length > 0
    ? empty('search', 'No event is like that', 'Each field must match exactly. Leave some out, or look for a state by itself.')
    : empty('events', 'The log is empty', 'An event is emitted in the transaction that makes it true. For a first one:',
      "posthorn emit --domain shop --type order.placed --key order-1 --json-payload '{\"total\":4200}'");
}
