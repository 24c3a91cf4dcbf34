// Dead letters: those of one kind as one line, each by itself, and one with all that is known of it.

import { get } from './api.js';
import { act } from './actions.js';
import { h } from './dom.js';
import { bytes, count, plural } from './format.js';
import { notice } from './notices.js';
import { badge, body, card, empty, eventLink, facts, filter, keyLink, pager, since, state, table, time, title } from './parts.js';
import { decoded, download, payload } from './payload.js';
import { cli, curl, fromShell } from './shell.js';

const PAGE = 50;

export const FIELDS = [
  { name: 'route', label: 'Route' }, { name: 'consumer', label: 'Consumer' }, { name: 'cause', label: 'Cause' },
  { name: 'domain', label: 'Domain' }, { name: 'type', label: 'Type' }, { name: 'key', label: 'Key' }, { name: 'tenant', label: 'Tenant' },
  { name: 'fingerprint', label: 'Fingerprint' },
  { name: 'from', label: 'Died since', hint: '2026-03-01T10:00:00Z' }, { name: 'to', label: 'Died before', hint: '2026-03-01T12:00:00Z' },
];

/** What the command line calls the same filter. */
export function flags({ from, to, ...rest }) {
  return { ...rest, since: from, until: to };
}

export const dead = {
  name: 'Dead letters', nav: 'dead', path: 'dead', icon: 'dead', group: 'Decide', letter: 'd', every: 10,

  load: ({ query, signal }) => {
    const { view, ...wanted } = query;
    return view === 'letters' ? get(['dead'], { ...wanted, limit: PAGE }, signal) : get(['dead', 'groups'], wanted, signal);
  },

  view: (data, { query, can }) => {
    const { view, after, ...wanted } = query;
    const filtered = Object.keys(wanted).length > 0;
    return [
      title('Dead letters', 'What is not tried again by itself. Decide: redrive sends it back to where it died, discard gives it up.',
        can('operate') && [
          h('a', { class: 'button main', href: address('#/decide/redrive', wanted) }, filtered ? 'Redrive these…' : 'Redrive…'),
          h('a', { class: 'button', href: address('#/decide/discard', wanted) }, filtered ? 'Discard these…' : 'Discard…')]),
      tabs(view, wanted),
      view === 'letters' && filter(FIELDS, wanted, '#/dead', h('input', { type: 'hidden', name: 'view', value: 'letters' })),
      card(null, view === 'letters' ? letters(data.dead, filtered) : groups(data.groups, wanted, can)),
      view === 'letters' && pager('#/dead', query, 'after', data.next),
      fromShell(cli('dead list', { grouped: view !== 'letters', ...flags(wanted) }), curl(view === 'letters' ? ['dead'] : ['dead', 'groups'], { query: wanted })),
    ];
  },
};

export function address(target, query) {
  const search = new URLSearchParams(query).toString();
  return search ? `${target}?${search}` : target;
}

function tabs(view, wanted) {
  const tab = (name, text) => h('a', { href: address('#/dead', name === 'groups' ? wanted : { ...wanted, view: name }), 'aria-current': (view ?? 'groups') === name && 'page' }, text);
  return h('nav', { class: 'tabs', 'aria-label': 'Views' }, tab('groups', 'By reason'), tab('letters', 'One by one'));
}

function groups(list, wanted, can) {
  if (list.length === 0) return none(Object.keys(wanted).length > 0);
  return list.map((group) => {
    const these = { ...wanted, cause: group.cause, fingerprint: group.fingerprint };
    return h('article', { class: 'group', 'data-key': `${group.cause} ${group.fingerprint}` },
      h('p', { class: 'count' }, count(group.count)),
      h('div', { class: 'stack' },
        h('div', null,
          h('p', { class: 'fingerprint' }, group.fingerprint || group.cause),
          h('p', { class: 'row small' }, badge(group.cause, 'bad'), h('span', { class: 'soft' }, 'first ', since(group.first), ', last ', since(group.last)))),
        h('p', null, h('b', null, 'What to do: '), group.remedy),
        h('p', { class: 'row small' }, h('a', { href: `#/dead/${group.example}` }, 'An example'), h('a', { href: address('#/dead', { ...these, view: 'letters' }) }, `All ${count(group.count)}`))),
      h('div', { class: 'acts' }, can('operate') && [
        h('a', { class: 'button', href: address('#/decide/redrive', these) }, 'Redrive…'),
        h('a', { class: 'button', href: address('#/decide/discard', these) }, 'Discard…')]));
  });
}

function letters(list, filtered) {
  if (list.length === 0) return none(filtered);
  return table('Dead letters', [
    { name: 'Dead since', cell: (one) => h('span', { class: 'nowrap' }, time(one.dead_since)) },
    { name: 'Where', cell: where },
    { name: 'Event', cell: (one) => one.type ? [h('b', null, one.type), ' ', h('span', { class: 'soft' }, one.domain)] : h('span', { class: 'soft' }, 'unknown') },
    { name: 'Key', cell: (one) => [keyLink(one.key), one.held && [' ', badge('Held', 'warn')]] },
    { name: 'Reason', cell: (one) => h('span', { class: 'break' }, one.last_error || one.cause) },
    { name: 'Attempts', number: true, cell: (one) => one.attempts },
  ], list, { key: (one) => one.id, href: (one) => `#/dead/${one.id}` });
}

function where(one) {
  return one.station === 'route' ? `route ${one.route}` : `consumer ${one.consumer}${one.handler ? ` / ${one.handler}` : ''}`;
}

function none(filtered) {
  return filtered
    ? empty('search', 'Nothing like that is dead', 'Each field must match exactly.')
    : empty('good', 'Nothing is dead', 'An event dies when its destination refuses it, or when attempts run out; a delivery, when a handler gives it up. It then waits here with its reason, and nothing is lost.');
}

/** One letter; an event can be dead at several places. */
export const letter = {
  name: 'Dead letter', nav: 'dead', every: 10,

  load: async ({ params, signal }) => {
    const found = await get(['dead', params[0]], {}, signal);
    return found.dead ?? [found];
  },

  view: (list, context) => list.map((one) => whole(one, context)).concat(
    fromShell(cli('dead show', {}, [list[0].id]), curl(['dead', list[0].id]))),
};

function whole(one, context) {
  return h('div', { class: 'stack', 'data-key': where(one) },
    title(one.kind ?? 'No event', `Died on ${where(one)}`, one.state === 'DEAD' || one.state === undefined || one.state === 'FAILED' ? decisions(one, context) : []),
    h('div', { class: 'halves' },
      card(h('div', { class: 'row' }, h('h2', null, 'Why'), one.state && state(one.state)), body(
        h('div', { class: 'hint-box' }, h('b', null, 'What to do: '), one.remedy),
        facts([
          ['Reason', one.last_error], ['Cause', one.cause], ['Attempts', String(one.attempts)],
          ['Dead', [since(one.dead_since), ' (', time(one.dead_since), ')']],
          ['Its key', one.held ? 'waits for it' : one.key && 'goes on without it'],
          ...Object.entries(one.details ?? {}).map(([name, value]) => [name, h('span', { class: 'break' }, value)]),
          ['Others alike', h('a', { href: address('#/dead', { cause: one.cause, fingerprint: one.fingerprint, view: 'letters' }) }, 'List them')],
        ]))),
      card('What', body(facts([
        ['Event', one.event ? eventLink(one.event, one.event) : 'unknown'], ['Domain', one.domain], ['Type', one.type],
        ['Key', one.key && keyLink(one.key)], ['Tenant', one.tenant],
        ...Object.entries(one.metadata ?? {}).map(([name, value]) => [`From ${name}`, value]),
        ...Object.entries(one.headers ?? {}).map(([name, value]) => [name, h('code', { class: 'break' }, value)]),
      ])))),
    card('Body', bodyOf(one)));
}

function bodyOf(one) {
  if (one.body_base64 !== undefined) {
    return [payload(decoded(one.body_base64, one.body_truncated)), one.body_truncated && h('footer', { class: 'row body' },
      badge(`Only the beginning of ${bytes(one.body_size)}`, 'warn'),
      one.station === 'consumer' ? download(['dead', one.id, 'body'], `${one.id}.body`) : download(['events', one.event, 'payload', 'file'], `${one.event}.payload`))];
  }
  if (one.body) return payload(one.body);
  return body(h('p', { class: 'soft' }, 'Bodies are shown to operators and administrators. Your role sees everything else.'));
}

function decisions(one, { can, reload }) {
  if (!can('operate')) return [];
  const decide = (verb, text, options = {}) => h('button', { class: verb === 'Redrive' ? 'main' : verb === 'Discard' ? 'risky' : '', onclick: () => act({
    title: `${verb} this dead letter`, text, verb, risky: verb !== 'Redrive',
    segments: ['dead', verb.toLowerCase()],
    body: { ids: [one.id] },
    command: (reason) => cli(`dead ${verb === 'Discard' ? 'discard' : 'redrive'}`, { ...options, reason }, [one.id]),
    done: (answer) => { notice(`${verb}: ${plural(answer.count ?? 1, 'letter')}.`); reload(); },
  }) }, `${verb}…`);
  return [
    decide('Redrive', `It goes back to ${where(one)}, and is handled once.`),
    one.station === 'consumer' && decide('Reprocess', 'It goes back past the inbox, so that effects may happen again. Only where the handler bears that.', { reprocess: true }),
    decide('Discard', 'It is given up for good, with your reason. What waits behind it goes on.'),
  ];
}
