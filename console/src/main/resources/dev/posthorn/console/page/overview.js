// What is wrong, why, and what to do; then how it goes.

import { get } from './api.js';
import { chart } from './chart.js';
import { h } from './dom.js';
import { ago, count, duration, short } from './format.js';
import { icon } from './icons.js';
import { badge, card, empty, table } from './parts.js';
import { copyable, curl, fromShell } from './shell.js';

export const overview = {
  name: 'Overview', nav: 'overview', path: '', icon: 'overview', group: 'Look', letter: 'o',

  load: ({ live, signal }) => live.overview ?? get(['overview'], {}, signal),

  view: (data) => [
    verdict(data.troubles),
    figures(data),
    h('div', { class: 'halves', 'data-own': true, id: 'charts' }),
    routes(data),
    fromShell('posthorn status', curl(['overview'])),
  ],

  /** Charts and figures follow the stream. */
  attach(main, { live, signal, reload }) {
    const charts = [
      chart('Rate', [{ name: 'published', of: (point) => point.published_per_second }, { name: 'emitted', of: (point) => point.emitted_per_second }], (value) => `${short(value)}/s`),
      chart('Waiting', [{ name: 'events', of: (point) => point.waiting }], short),
      chart('Lag', [{ name: 'oldest', of: (point) => point.lag_seconds }], duration),
      chart('Stuck', [{ name: 'dead letters', of: (point) => point.dead }, { name: 'blocked keys', of: (point) => point.blocked_keys }], short),
    ];
    main.querySelector('#charts')?.append(...charts.map((one) => one.node));
    const draw = () => charts.forEach((one) => one.draw(live.history));
    draw();
    live.on('history', draw, signal);
    live.on('point', draw, signal);
    live.on('overview', () => { draw(); reload(); }, signal);
  },
};

function verdict(troubles) {
  const serious = troubles.filter((trouble) => trouble.severity === 'critical').length;
  const tone = serious > 0 ? 'bad' : troubles.length > 0 ? 'warn' : '';
  const words = troubles.length === 0 ? 'All is well' : troubles.length === 1 ? 'One thing is wrong' : `${troubles.length} things are wrong`;
  return h('section', { class: 'card', 'aria-label': 'What is wrong' },
    h('div', { class: `verdict ${tone}` }, icon(troubles.length === 0 ? 'good' : 'dead', 36),
      h('div', null, h('h1', { tabindex: -1 }, words),
        h('p', null, troubles.length === 0
          ? 'Every route publishes, nothing is dead, no key is blocked.'
          : 'Each with its reason and what to do about it, the most serious first.'))),
    troubles.map(trouble));
}

function trouble({ severity, what, why, do: remedy, command, link }) {
  return h('div', { class: 'trouble' },
    h('div', null, badge(severity === 'critical' ? 'Critical' : 'Warning', severity === 'critical' ? 'bad' : 'warn')),
    h('p', { class: 'what' }, what),
    link ? h('a', { class: 'button', href: inside(link) }, 'Look at it') : h('span'),
    h('div', { class: 'rest' },
      why && h('p', { class: 'why' }, why),
      remedy && h('p', null, h('b', null, 'What to do: '), remedy),
      command && copyable(command)));
}

/** Only to a screen of this page. */
export function inside(link) {
  return link.startsWith('#') ? link : `#/${link.replace(/^\/+/, '')}`;
}

/** What is not known is a dash; what is old says so. */
function figures({ totals, stale, at }) {
  const tile = (name, value, unit, note, href, tone) => h('a', { href, class: tone, 'data-key': name },
    h('span', { class: 'name' }, name),
    h('span', { class: 'value' }, value, unit && h('small', null, unit)),
    h('span', { class: 'note' }, note));
  const old = at ? ago(at) : 'not known';
  const note = (value, words) => (stale ? old : value === null ? 'not known' : words);
  const waiting = totals.waiting > 0 && totals.oldest_seconds !== null ? `oldest for ${duration(totals.oldest_seconds)}` : 'nothing to publish';
  return h('section', { class: stale ? 'card figures old' : 'card figures', 'aria-label': stale ? 'Figures, out of date' : 'Figures' },
    tile('Published', short(totals.published_per_second), '/s', note(totals.published_per_second, 'by all relays'), '#/routes'),
    tile('Waiting', (totals.waiting_is_exact === false ? '≈ ' : '') + short(totals.waiting), '', note(totals.waiting, waiting), '#/routes'),
    tile('Lag, p99', duration(totals.lag_p99_seconds), '', stale ? old : totals.lag_p99_seconds === null ? 'nothing published yet' : `half within ${duration(totals.lag_p50_seconds)}`, '#/relays'),
    tile('Consumer lag', duration(totals.consumer_lag_seconds), '', stale ? old : totals.consumer_lag_seconds === null ? 'no consumer' : 'p99 of the slowest', '#/consumers'),
    tile('Dead letters', (totals.dead_is_exact === false ? '≥ ' : '') + short(totals.dead), '', note(totals.dead, totals.dead > 0 ? 'wait for a decision' : 'none'), '#/dead', totals.dead > 0 && 'bad'),
    tile('Blocked keys', short(totals.blocked_keys), '', note(totals.blocked_keys, totals.blocked_keys > 0 ? 'wait for their first event' : 'none'), '#/keys', totals.blocked_keys > 0 && 'warn'));
}

function routes({ routes: list, stale, at }) {
  if (list === null) {
    return card('Routes', empty('routes', 'The routes are not known yet', 'The database has not answered. They are shown as soon as it does.', 'posthorn doctor'));
  }
  if (list.length === 0) {
    return card('Routes', empty('routes', 'There is no route yet', 'A route is one destination with a place of its own in the log. The first relay creates one.', 'posthorn relay --route main --transport file:events.ndjson'));
  }
  return card([h('h2', null, 'Routes'), stale && badge(`As of ${ago(at)}`, 'warn')], table('Routes', [
    { name: 'Route', cell: (route) => h('a', { href: `#/routes/${encodeURIComponent(route.route)}` }, route.route) },
    { name: 'State', cell: routeState },
    { name: 'Oldest', number: true, cell: (route) => (route.waiting > 0 ? duration(route.oldest_seconds) : '–') },
    { name: 'Waiting', number: true, cell: (route) => (route.waiting_is_exact === false ? '≈ ' : '') + count(route.waiting) },
    { name: 'Blocked keys', number: true, cell: (route) => count(route.blocked_keys) },
    { name: 'Dead', number: true, cell: (route) => (route.dead > 0 ? h('a', { href: `#/dead?route=${encodeURIComponent(route.route)}` }, count(route.dead)) : count(route.dead)) },
    { name: 'Lanes held', number: true, cell: (route) => (route.lanes === undefined ? '–' : `${route.lanes_held} of ${route.lanes}`) },
  ], list, { key: (route) => route.route }));
}

export function routeState(route) {
  if (route.retired_at) return badge('Retired');
  if (route.paused_at || route.paused) return badge('Paused', 'warn');
  if (route.breaker === 'open') return badge('Breaker open', 'bad');
  if (route.lanes_held === 0) return badge('No relay', 'bad');
  return badge('Running', 'ok');
}

