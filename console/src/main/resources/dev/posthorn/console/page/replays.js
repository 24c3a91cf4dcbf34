// What is, or was, published again.

import { get } from './api.js';
import { act } from './actions.js';
import { h } from './dom.js';
import { count } from './format.js';
import { notice } from './notices.js';
import { body, card, empty, facts, state, table, time, title } from './parts.js';
import { cli, curl, fromShell } from './shell.js';
import { progress } from './wizard.js';

export const replays = {
  name: 'Replays', nav: 'replays', path: 'replays', icon: 'replay', group: 'Decide', letter: 'p', every: 3,

  load: ({ signal }) => get(['replays'], {}, signal),

  view: (data, { can }) => [
    title('Replays', 'A replay publishes again what was published, into a route or one consumer, while everything else goes on.',
      can('operate') && h('a', { class: 'button main', href: '#/replays/new' }, 'New replay…')),
    card(null, data.replays.length === 0
      ? empty('replay', 'Nothing was replayed yet', 'Use it for a new consumer that needs the past, or one that lost its state. Choose a target and events, look at how many it would be, then start.', 'posthorn replay start --route main --dry-run')
      : table('Replays', [
        { name: 'Started', cell: (one) => time(one.started_at) },
        { name: 'Into', cell: (one) => h('a', { href: `#/replays/${one.id}` }, into(one)) },
        { name: 'State', cell: (one) => state(one.state) },
        { name: 'Done', number: true, cell: (one) => `${count(one.done)} of ${count(one.of)}` },
        { name: 'What', cell: (one) => h('span', { class: 'break' }, selected(one.selection)) },
        { name: 'Who', cell: (one) => one.who },
        { name: 'Reason', cell: (one) => h('span', { class: 'break' }, one.reason ?? '–') },
      ], data.replays, { key: (one) => one.id, href: (one) => `#/replays/${one.id}` })),
    fromShell(cli('replay list'), curl(['replays'])),
  ],
};

export function into(one) {
  return one.route ? `route ${one.route}` : `consumer ${one.consumer}`;
}

export function selected(selection) {
  const names = { domains: 'domain', types: 'type', aggregate_types: 'aggregate type', keys: 'key', tenants: 'tenant' };
  const words = Object.entries(names).filter(([field]) => selection[field]?.length > 0).map(([field, name]) => `${name} ${selection[field].join(' or ')}`);
  if (selection.from) words.push(`from ${selection.from}`);
  if (selection.to) words.push(`to ${selection.to}`);
  return words.length === 0 ? 'every event' : words.join(', ');
}

export const replay = {
  name: 'Replay', nav: 'replays', every: 1,

  load: ({ params, signal }) => get(['replays', params[0]], {}, signal),

  view: (one, context) => [
    title(`Replay into ${into(one)}`, one.reason, actions(one, context)),
    card(null, body(
      progress(one.state, one.done, one.of, one.per_second, one.state === 'RUNNING'),
      one.fault && h('p', { class: 'fault' }, one.fault),
      facts([
        ['Events', selected(one.selection)], ['From', one.archive ? `the archive ${one.archive}` : 'the log'],
        ['At most, a second', one.rate === null ? 'as many as the destination takes' : count(one.rate)],
        ['Expected end', one.expected_end && time(one.expected_end)],
        ['Started', [time(one.started_at), ` by ${one.who}`]], ['Changed', time(one.changed_at)], ['Id', h('code', { class: 'break' }, one.id)],
      ]))),
    fromShell(cli('replay list'), curl(['replays', one.id])),
  ],
};

function actions(one, { can, reload }) {
  if (!can('operate')) return [];
  const decide = (verb, risky, text) => h('button', { class: risky ? 'risky' : 'main', onclick: () => act({
    title: `${verb} this replay`, text, verb: `${verb} it`, risky,
    segments: ['replays', one.id, verb.toLowerCase()], body: {},
    command: (reason) => cli(`replay ${verb.toLowerCase()}`, { reason }, [one.id]),
    done: () => { notice(`${verb}: done.`); reload(); },
  }) }, `${verb}…`);
  if (one.state === 'RUNNING') return [decide('Cancel', true, 'What was published stays published. It can be resumed where it stopped.')];
  return one.state === 'DONE' ? [] : [decide('Resume', false, 'It goes on where it stopped.')];
}
