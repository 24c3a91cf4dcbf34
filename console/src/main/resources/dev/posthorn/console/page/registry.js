// What this process checks events against.

import { ADDRESS, get } from './api.js';
import { h } from './dom.js';
import { badge, card, empty, table, title } from './parts.js';
import { cli, curl, fromShell } from './shell.js';

const MODES = { strict: 'ok', warn: 'warn', off: '' };

export const registry = {
  name: 'Registry', nav: 'registry', path: 'registry', icon: 'registry', group: 'Check', letter: 'y',

  /** A process without one says so with 404, which is no failure here. */
  load: async ({ signal }) => {
    try {
      return await get(['registry'], {}, signal);
    } catch (failure) {
      if (failure.status !== 404) throw failure;
      return { mode: null, types: [], why: failure.message };
    }
  },

  view: (data) => [
    title('Registry', 'Which events there are, and what each must look like; as this process checks them.', data.mode && badge(data.mode, MODES[data.mode])),
    card(null, data.types.length === 0
      ? empty('registry', 'Nothing is checked', data.why ?? 'The registry has no types.')
      : table('Event types', [
        { name: 'Type', cell: (one) => [h('b', { class: 'break' }, one.type), ' ', h('span', { class: 'soft' }, one.domain)] },
        { name: 'Version', number: true, cell: (one) => one.version },
        { name: 'Aggregate', cell: (one) => one.aggregate_type ?? '–' },
        { name: 'Payload', cell: (one) => h('span', { class: 'break' }, one.contract) },
        { name: 'Retry', cell: (one) => one.retry ?? 'as the route' },
        { name: 'Mode', cell: (one) => badge(one.mode ?? data.mode, MODES[one.mode ?? data.mode]) },
      ], data.types, { key: (one) => `${one.domain}/${one.type}/${one.version}` })),
    fromShell(cli('registry list', { url: ADDRESS }), curl(['registry'])),
  ],
};
