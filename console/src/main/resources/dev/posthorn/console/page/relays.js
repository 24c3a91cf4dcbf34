// Who does the work, and which lane is whose.

import { get } from './api.js';
import { h } from './dom.js';
import { count, duration, plural, secondsSince } from './format.js';
import { badge, body, card, empty, since, table, title } from './parts.js';
import { cli, curl, fromShell } from './shell.js';

const SILENT_SECONDS = 30;

export const relays = {
  name: 'Relays and lanes', nav: 'relays', path: 'relays', icon: 'relays', group: 'Run', letter: 'l', every: 3,

  load: async ({ signal }) => {
    const [{ relays: list }, { lanes }] = await Promise.all([get(['relays'], {}, signal), get(['lanes'], {}, signal)]);
    return { list, lanes };
  },

  view: ({ list, lanes }) => [
    title('Relays and lanes', 'Relays of one route share its lanes evenly. When one dies, the others take over its lanes within seconds.'),
    card('Relays', list.length === 0
      ? empty('relays', 'No relay runs', 'Without one nothing is published; events wait in the log.', 'posthorn relay --route main --transport file:events.ndjson')
      : table('Relays', [
        { name: 'Relay', cell: (one) => h('b', { class: 'break' }, one.name) },
        { name: 'Route', cell: (one) => one.route },
        { name: 'State', cell: life },
        { name: 'Lanes', number: true, cell: (one) => count(one.lanes) },
        { name: 'Running for', cell: (one) => duration(Math.floor(secondsSince(one.started_at))) },
        { name: 'Seen', cell: (one) => since(one.seen_at) },
      ], list, { key: (one) => `${one.route} ${one.name}` })),
    [...new Set(lanes.map((lane) => lane.route))].map((route) => laneCard(route, lanes.filter((lane) => lane.route === route))),
    fromShell(cli('relays list'), [curl(['relays']), curl(['lanes'])].join('\n')),
  ],
};

function life(one) {
  return secondsSince(one.seen_at) > SILENT_SECONDS ? badge('Silent', 'bad') : one.lanes === 0 ? badge('Stands by') : badge('At work', 'ok');
}

function laneCard(route, lanes) {
  const orphans = lanes.filter((lane) => !lane.owner).length;
  const waiting = lanes.reduce((sum, lane) => sum + lane.waiting, 0);
  const counted = lanes.every((lane) => lane.waiting_is_exact);
  return h('section', { class: 'card', 'data-key': route },
    h('header', null, h('h2', null, `Lanes of route ${route}`),
      h('span', { class: 'soft' }, `${counted ? '' : '≈ '}${count(waiting)} waiting`, orphans > 0 && [', ', badge(`${plural(orphans, 'lane')} without a relay`, 'bad')])),
    body(h('ul', { class: 'lanes' }, lanes.map((lane) => h('li', {
      'data-key': lane.lane, class: !lane.owner ? 'orphan' : lane.waiting > 0 ? 'waits' : '',
      title: `lane ${lane.lane}, ${lane.owner ? `held by ${lane.owner}` : 'held by nobody'}, epoch ${lane.epoch}`,
    }, h('span', { class: 'soft' }, h('span', { class: 'unseen' }, 'Lane '), lane.lane), h('b', null, (lane.waiting_is_exact ? '' : '≈ ') + count(lane.waiting), h('span', { class: 'unseen' }, ' waiting')), h('span', { class: 'owner' }, lane.owner ?? 'nobody'))))));
}
