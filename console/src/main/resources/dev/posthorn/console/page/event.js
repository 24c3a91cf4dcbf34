// One event: where it stands on each route, all that happened to it, and what is in it.

import { get } from './api.js';
import { act } from './actions.js';
import { h, replace } from './dom.js';
import { bytes, duration } from './format.js';
import { notice } from './notices.js';
import { badge, body, card, empty, eventLink, facts, keyLink, state, table, time, title } from './parts.js';
import { decoded, download, payload } from './payload.js';
import { cli, copy, curl, fromShell } from './shell.js';

export const event = {
  name: 'Event', nav: 'events', every: 5,

  load: ({ params, signal }) => get(['events', params[0]], {}, signal),

  view: (data, context) => [
    title(data.in_log ? data.type : 'No longer in the log',
      h('span', { class: 'row' }, h('code', { class: 'break' }, data.id),
        h('button', { class: 'plain', onclick: (click) => copy(data.id, click.currentTarget) }, 'Copy')),
      actions(data, context)),
    data.routes.length > 0 && card('On routes', onRoutes(data.routes)),
    data.in_log && data.routes.length === 0 && card('On routes', empty('routes', 'On no route', 'It was emitted before every route that wants it began, or no route wants it, so it is not published.')),
    h('div', { class: 'halves' },
      h('div', { class: 'stack' },
        card('Story', h('div', { class: 'body' }, timeline(data.story)))),
      h('div', { class: 'stack' },
        card('About it', body(about(data))),
        content(data, context),
        headers(data.headers))),
    fromShell(cli('events show', {}, [data.id]), curl(['events', data.id])),
  ],
};

function actions(data, { can, reload }) {
  const dead = data.routes.filter((one) => one.state === 'FAILED');
  if (dead.length === 0 || !can('operate')) return [];
  const decide = (verb, risky, text) => h('button', { class: risky ? 'risky' : 'main', onclick: () => act({
    title: `${verb} this event`, text, verb, risky,
    segments: ['dead', verb.toLowerCase()],
    body: { ids: [data.id] },
    command: (reason) => cli(`dead ${verb.toLowerCase()}`, { reason }, [data.id]),
    done: () => { notice(`${verb}: done.`); reload(); },
  }) }, `${verb}…`);
  return [
    decide('Redrive', false, `It goes back to where it died: ${dead.map((one) => one.route).join(', ')}.`),
    decide('Discard', true, 'It is given up for good. Events of its key that wait behind it go on.'),
  ];
}

function onRoutes(routes) {
  return table('On routes', [
    { name: 'Route', cell: (one) => h('b', null, one.route) },
    { name: 'State', cell: (one) => state(one.state) },
    { name: 'Attempts', number: true, cell: (one) => one.attempts },
    { name: 'Published', cell: (one) => time(one.published_at, true) },
    { name: 'Next attempt', cell: (one) => time(one.next_attempt) },
    { name: 'Last error', cell: (one) => h('span', { class: 'break' }, one.last_error ?? '–') },
  ], routes, { key: (one) => one.route });
}

/** Each with the time since the event was emitted, so that one sees where it was slow. */
function timeline(story) {
  const begin = story.find((one) => one.what === 'emitted') ?? story[0];
  return h('ol', { class: 'timeline' }, story.map((one) => {
    const after = (Date.parse(one.at) - Date.parse(begin.at)) / 1_000;
    return h('li', { class: tone(one.what, one.detail ?? '') },
      h('div', { class: 'when' }, time(one.at, true), h('br'), one === begin ? '' : `${after < 0 ? '−' : '+'}${duration(Math.abs(after))}`),
      h('div', null,
        h('p', { class: 'what' }, one.what),
        h('p', { class: 'detail' }, [one.place, one.who].filter(Boolean).join(' · ')),
        one.detail && h('p', { class: 'detail' }, one.detail)));
  }));
}

function tone(what, detail) {
  if (what === 'dead') return 'bad';
  if (what.startsWith('attempt')) return /^accepted/i.test(detail) ? 'ok' : 'warn';
  if (what === 'published' || what.startsWith('handled')) return 'ok';
  return what === 'emitted' ? '' : 'go';
}

function about(data) {
  return facts([
    ['Domain', data.domain],
    ['Type', data.type],
    ['Key', data.key !== undefined && keyLink(data.key)],
    ['Aggregate', data.aggregate],
    ['Tenant', data.tenant],
    ['Occurred', data.occurred_at && time(data.occurred_at, true)],
    ['Emitted', data.created_at && time(data.created_at, true)],
    ['Place in the log', data.seq],
    ['Correlation', data.correlation_id && h('a', { class: 'mono', href: `#/events?correlation=${encodeURIComponent(data.correlation_id)}` }, data.correlation_id)],
    ['Caused by', data.causation_id && eventLink(data.causation_id, data.causation_id)],
    ['Trace', data.traceparent && h('code', null, data.traceparent)],
  ]);
}

/** Looked at only by whoever asks for it: payloads hold what people told a service. */
function content(data, { can, params, signal }) {
  if (!data.in_log) return null;
  const kind = [data.content_type, data.payload_size !== undefined && bytes(data.payload_size)].filter(Boolean).join(', ');
  const heading = h('div', { class: 'row' }, h('h2', null, 'Payload'), h('span', { class: 'soft' }, kind));
  if (!can('payloads')) {
    return card(heading, body(h('p', { class: 'soft' }, 'Payloads are shown to operators and administrators. Your role sees everything else.')));
  }
  const place = h('div', { 'data-own': true }, h('p', { class: 'body soft' }, 'Loading…'));
  get(['events', params[0], 'payload'], {}, signal)
    .then((answer) => replace(place, payload(answer.text ?? decoded(answer.base64)), notes(answer, params[0])))
    .catch((failure) => failure.name !== 'AbortError' && replace(place, h('p', { class: 'body' }, failure.message)));
  return card(heading, place);
}

function notes(answer, id) {
  const words = [answer.redacted && badge('Redacted for your role', 'warn'), answer.truncated && badge(`Only the beginning of ${bytes(answer.size)}`, 'warn'),
    answer.truncated && !answer.redacted && download(['events', id, 'payload', 'file'], `${id}.payload`)];
  return words.some(Boolean) && h('footer', { class: 'row body' }, words);
}

function headers(map) {
  const names = Object.keys(map ?? {});
  return names.length > 0 && card('Headers', body(facts(names.map((name) => [name, h('code', { class: 'break' }, map[name])]))));
}
