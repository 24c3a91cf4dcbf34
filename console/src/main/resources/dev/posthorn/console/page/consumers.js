// Consumers and their members, by their own word.

import { get } from './api.js';
import { act } from './actions.js';
import { h } from './dom.js';
import { count, duration } from './format.js';
import { notice } from './notices.js';
import { badge, body, card, empty, since, table, title } from './parts.js';
import { cli, curl, fromShell } from './shell.js';

export const consumers = {
  name: 'Consumers', nav: 'consumers', path: 'consumers', icon: 'consumers', group: 'Run', letter: 'c', every: 3,

  load: ({ signal }) => get(['consumers'], {}, signal),

  view: (data, context) => {
    const only = context.params[0];
    const shown = only === undefined ? data.consumers : data.consumers.filter((one) => one.name === only);
    return [
      title('Consumers', 'Who has events handled once. Lag is from emitted to handled.', only !== undefined && h('a', { class: 'button', href: '#/consumers' }, 'All consumers')),
      shown.length === 0
        ? card(null, empty('consumers', 'There is no consumer yet', 'One is known here once a member of it has run on this database. See the page on consuming in the documentation.'))
        : shown.map((one) => consumer(one, context)),
      fromShell(cli('consumers list'), curl(['consumers'])),
    ];
  },
};

function consumer(one, context) {
  const alive = one.members.filter((member) => !member.gone).length;
  return h('section', { class: 'card', 'data-key': one.name },
    h('header', null,
      h('div', { class: 'row' }, h('h2', { class: 'break' }, one.name),
        one.paused_at ? badge('Paused', 'warn') : alive === 0 ? badge('No member', 'bad') : badge('Running', 'ok'),
        one.handed_over > 0 && badge(`${count(one.handed_over)} handed over`, 'warn'),
        one.dead_letters > 0 && h('a', { href: `#/dead?consumer=${encodeURIComponent(one.name)}` }, `${count(one.dead_letters)} dead`)),
      context.can('operate') && h('div', { class: 'row' },
        h('a', { class: 'button', href: `#/replays/new?consumer=${encodeURIComponent(one.name)}` }, 'Replay into it…'), change(one, context))),
    one.members.length === 0
      ? empty('consumers', 'No member runs', 'Its events wait at the broker until one starts.')
      : table(`Members of ${one.name}`, columns, one.members, { key: (member) => member.name }),
    one.unhandled.length > 0 && body(h('p', null, 'No handler of any member wants these types:')),
    one.unhandled.length > 0 && table(`Unhandled types of ${one.name}`, unhandled, one.unhandled, { key: (type) => type.type }));
}

const unhandled = [
  { name: 'Unhandled type', cell: (one) => h('span', { class: 'break' }, one.type) },
  { name: 'Events', number: true, cell: (one) => count(one.events) },
  { name: 'First', cell: (one) => since(one.first_at) },
  { name: 'Last', cell: (one) => since(one.last_at) },
];

const columns = [
  { name: 'Member', cell: (one) => [h('span', { class: 'break' }, one.name), ' ', one.gone && badge('Gone', 'bad')] },
  { name: 'Handled', number: true, cell: (one) => count(one.handled) },
  { name: 'Skipped', number: true, cell: (one) => count(one.skipped) },
  { name: 'Retried', number: true, cell: (one) => count(one.retried) },
  { name: 'Dead', number: true, cell: (one) => count(one.dead) },
  { name: 'Lag p50', number: true, cell: (one) => duration(one.lag_p50_seconds) },
  { name: 'Lag p99', number: true, cell: (one) => duration(one.lag_p99_seconds) },
  { name: 'Handler p99', number: true, cell: (one) => duration(one.handler_p99_seconds) },
  { name: 'Trouble', cell: (one) => h('span', { class: 'break' }, one.trouble ?? '–') },
];

function change(one, { reload }) {
  const verb = one.paused_at ? 'Resume' : 'Pause';
  return h('button', { class: one.paused_at && 'main', onclick: () => act({
    title: `${verb} consumer ${one.name}`, verb,
    text: one.paused_at ? 'Its members go on where they were, within seconds.' : 'Its members take nothing more until it is resumed. Its events wait at the broker.',
    segments: ['consumers', one.name, verb.toLowerCase()], body: {},
    command: (reason) => cli(`consumers ${verb.toLowerCase()}`, { reason }, [one.name]),
    done: (answer) => { notice(answer.changed === false ? `Consumer ${one.name} was so already.` : `Consumer ${one.name}: ${verb.toLowerCase()}d.`); reload(); },
  }) }, `${verb}…`);
}
