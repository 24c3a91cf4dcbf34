// Routes: how each stands, with what can be done to it.

import { get } from './api.js';
import { act } from './actions.js';
import { h } from './dom.js';
import { count, duration } from './format.js';
import { notice } from './notices.js';
import { badge, body, card, empty, facts, since, time, title } from './parts.js';
import { cli, curl, fromShell } from './shell.js';
import { routeState } from './overview.js';

export const routes = {
  name: 'Routes', nav: 'routes', path: 'routes', icon: 'routes', group: 'Run', letter: 'r', every: 3,

  load: ({ signal }) => get(['routes'], {}, signal),

  view: (data, context) => {
    const only = context.params[0];
    const shown = only === undefined ? data.routes : data.routes.filter((route) => route.name === only);
    return [
      title('Routes', 'One destination each, with a place of its own in the log. A paused route publishes nothing; its events wait.',
        only !== undefined && h('a', { class: 'button', href: '#/routes' }, 'All routes')),
      shown.length === 0
        ? card(null, empty('routes', 'There is no route yet', 'The first relay creates one.', 'posthorn relay --route main --transport file:events.ndjson'))
        : h('div', { class: 'cards' }, shown.map((route) => one(route, context))),
      fromShell(cli('routes list'), curl(['routes'])),
    ];
  },
};

function one(route, context) {
  return h('section', { class: 'card', 'data-key': route.name },
    h('header', null, h('h2', { class: 'break' }, route.name), routeState(route)),
    body(
      facts([
        ['Takes', wanted(route)],
        ['Waiting', typeof route.waiting === 'number' && [(route.waiting_is_exact === false ? '≈ ' : '') + count(route.waiting), route.waiting > 0 && route.oldest_seconds !== null && `, oldest for ${duration(route.oldest_seconds)}`]],
        ['Scheduled', route.scheduled > 0 && count(route.scheduled)],
        ['Blocked keys', route.blocked_keys !== undefined && count(route.blocked_keys)],
        ['Dead', typeof route.dead === 'number' && (route.dead > 0 ? h('a', { href: `#/dead?route=${encodeURIComponent(route.name)}` }, count(route.dead)) : count(route.dead))],
        ['Breaker', breaker(route)],
        ['Lanes held', route.lanes !== undefined && h('a', { href: '#/relays' }, `${route.lanes_held} of ${route.lanes}`)],
        ['Began', [route.start, route.created_at && [', created ', since(route.created_at)]]],
        ['Paused', route.paused_at && since(route.paused_at)],
        ['Retired', route.retired_at && since(route.retired_at)],
      ]),
      !route.retired_at && context.can('operate') && h('div', { class: 'row' }, actions(route, context))));
}

function wanted(route) {
  const part = (name, list) => (list?.length > 0 ? `${name} ${[...list].sort().join(', ')}` : null);
  return [part('domains', route.domains), part('types', route.types), part('tenants', route.tenants), part('not tenants', route.except_tenants)].filter(Boolean).join('; ') || 'every event';
}

/** Known while a relay of the route is alive, in whatever process. */
function breaker(route) {
  if (!route.breaker) return null;
  return route.breaker === 'closed' ? 'closed: the destination answers' : [badge('Open', 'bad'), ` ${route.outage ?? 'the destination does not answer'}. Its events wait; it tries again by itself.`];
}

function actions(route, { can, reload }) {
  const change = (verb, risky, text) => h('button', { class: risky ? 'risky' : verb === 'Resume' ? 'main' : '', onclick: () => act({
    title: `${verb} route ${route.name}`, text, verb, risky,
    segments: ['routes', route.name, verb.toLowerCase()], body: {},
    command: (reason) => cli(`routes ${verb.toLowerCase()}`, { reason }, [route.name]),
    done: (answer) => { notice(answer.changed === false ? `Route ${route.name} was so already.` : `Route ${route.name}: ${verb.toLowerCase()}d.`); reload(); },
  }) }, `${verb}…`);
  return [
    route.paused_at
      ? change('Resume', false, 'It goes on where it was. What has waited is published as fast as the destination takes it.')
      : change('Pause', false, 'Nothing of it is published until it is resumed. Its events wait, and the log keeps them.'),
    h('button', { onclick: () => test(route) }, 'Test publish…'),
    can('admin') && change('Retire', true, 'It ends for good: nothing of it is published any more, and no event is kept for it. This cannot be undone.'),
  ];
}

function test(route) {
  act({
    title: `Test route ${route.name}`, verb: 'Send it',
    text: 'A marked event goes through the log, the relay and the transport. Consumers recognise it and do nothing.',
    segments: ['routes', route.name, 'test'], body: {},
    command: () => cli('wire-test', { route: route.name }),
    result: hops,
  });
}

function hops(answer) {
  return h('div', { class: 'stack' },
    h('p', null, answer.ok ? badge('It is through', 'ok') : badge('It got stuck', 'bad')),
    h('ol', { class: 'timeline' }, answer.hops.map((hop) => h('li', { class: hop.reached ? 'ok' : 'bad' },
      h('div', { class: 'when' }, hop.reached ? (hop.ms === undefined ? time(hop.at, true) : `+${duration(hop.ms / 1_000)}`) : ''),
      h('div', null, h('p', { class: 'what' }, hop.hop), h('p', { class: 'detail' }, [hop.where, hop.reached ? null : hop.why].filter(Boolean).join(': ')))))),
    h('p', null, h('a', { href: `#/events/${answer.event_id}`, onclick: (event) => event.currentTarget.closest('dialog').close() }, 'Its story')));
}
