// Every screen, and which address leads to it.

import { audit } from './audit.js';
import { consumers } from './consumers.js';
import { dead, letter } from './dead.js';
import { decide } from './decide.js';
import { doctor } from './doctor.js';
import { event } from './event.js';
import { events } from './events.js';
import { job, jobs } from './jobs.js';
import { key, keys } from './keys.js';
import { overview } from './overview.js';
import { registry } from './registry.js';
import { newReplay } from './replay-new.js';
import { replay, replays } from './replays.js';
import { relays } from './relays.js';
import { routes } from './routes.js';
import { empty } from './parts.js';

/** In the order of the menu. */
export const screens = [overview, events, keys, dead, replays, jobs, routes, relays, consumers, audit, registry, doctor];

const ADDRESSES = [
  ['', overview], ['events', events], ['events/*', event], ['keys', keys], ['keys/*', key],
  ['dead', dead], ['dead/*', letter], ['decide/*', decide],
  ['replays', replays], ['replays/new', newReplay], ['replays/*', replay], ['jobs', jobs], ['jobs/*', job],
  ['routes', routes], ['routes/*', routes], ['relays', relays], ['lanes', relays], ['consumers', consumers], ['consumers/*', consumers],
  ['audit', audit], ['registry', registry], ['doctor', doctor],
];

const nowhere = {
  name: 'Not there', nav: '', load: async () => null,
  view: () => empty('search', 'There is no such screen', 'The menu has all of them.'),
};

/** `#/events/ID?domain=x` as a screen, what its stars stand for, and the query. */
export function find(hash) {
  const [place, search = ''] = hash.replace(/^#\/?/, '').split('?');
  const segments = place === '' || place === 'overview' ? [''] : place.split('/').map(decode);
  const query = Object.fromEntries(new URLSearchParams(search));
  for (const [pattern, screen] of ADDRESSES) {
    const wanted = pattern.split('/');
    if (wanted.length === segments.length && wanted.every((one, index) => one === '*' || one === segments[index])) {
      return { screen, query, params: segments.filter((_, index) => wanted[index] === '*') };
    }
  }
  return { screen: nowhere, query, params: [] };
}

function decode(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
