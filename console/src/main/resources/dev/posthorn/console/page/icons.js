// Line drawings of 16 by 16, and the mark.

import { s } from './dom.js';

const PATHS = {
  overview: 'M2 9.500 5.500 6l3 3L14 3.500M10 3.500h4v4M2 13.500h12',
  events: 'M2.500 4h11M2.500 8h11M2.500 12h7',
  key: 'M6.500 8a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0Zm0 0h8M12 8v3',
  dead: 'M8 1.800 14.500 13.500h-13L8 1.800ZM8 6v3.500M8 11.600v.1',
  replay: 'M3 8a5 5 0 1 1 1.600 3.700M3 12.500V9.200h3.200',
  routes: 'M2 4h3.500c4 0 1.500 8 5.500 8h3M11.800 9.800 14 12l-2.200 2.200M8 4h6',
  relays: 'M2.500 2.500h11v4h-11zM2.500 9.500h11v4h-11zM5 4.500h.1M5 11.500h.1',
  consumers: 'M2 8h5M5 5.500 7.500 8 5 10.500M9.500 2.500h4v11h-4',
  jobs: 'M8 4.500V8l2.500 1.500M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z',
  audit: 'M4 1.800h5.500L12.500 5v9.200H4zM6.200 7.500h4M6.200 10.500h4',
  registry: 'M2.500 3h11v10h-11zM2.500 6.500h11M6.500 6.500V13',
  doctor: 'M1.500 8h3l2-4.500 3 9 2-4.500h3',
  search: 'M10.500 10.500 14 14M12 7A5 5 0 1 1 2 7a5 5 0 0 1 10 0Z',
  menu: 'M2.500 4.500h11M2.500 8h11M2.500 11.500h11',
  good: 'M5 8.300 7.200 10.500 11.200 6M14.500 8a6.500 6.500 0 1 1-13 0 6.500 6.500 0 0 1 13 0Z',
  theme: 'M13.500 9.500A6 6 0 0 1 6.500 2.500a6 6 0 1 0 7 7Z',
};

export function icon(name, size = 16) {
  return s('svg', {
    viewBox: '0 0 16 16', width: size, height: size, fill: 'none', stroke: 'currentColor', 'stroke-width': 1.5,
    'stroke-linecap': 'round', 'stroke-linejoin': 'round', 'aria-hidden': 'true',
  }, s('path', { d: PATHS[name] }));
}

/** A post horn. */
export function mark() {
  return s('svg', { viewBox: '0 0 32 32', 'aria-hidden': 'true' },
    s('rect', { width: 32, height: 32, rx: 7, fill: '#f5b90a' }),
    s('g', { fill: 'none', stroke: '#1d1a12', 'stroke-width': 2.6, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' },
      s('circle', { cx: 15, cy: 18, r: 6.2 }),
      s('path', { d: 'M4.500 11.800H15c3.400 0 5.200-.8 7-2' })),
    s('path', { d: 'M20.500 11.500 27 5.800v14.400l-6.500-5z', fill: '#1d1a12', stroke: '#1d1a12', 'stroke-width': 1.4, 'stroke-linejoin': 'round' }));
}
