// A line chart over time. The drawing stretches to its place; its words stand beside it and do not. The legend tells the newest
// values, or those under the pointer or the arrow keys, so that nothing floats or jumps.

import { h, s, replace } from './dom.js';
import { clock, secondsSince } from './format.js';

const WIDTH = 1_000;
const HEIGHT = 100;

/** `series`: one or two of `{name, of(point)}`; `show(value)` makes words of a value. Returns `{node, draw(history)}`. */
export function chart(heading, series, show) {
  let points = [];
  let every = 5;
  let chosen = null;
  const values = series.map(() => h('b', null, '–'));
  const at = h('span', null, '');
  const high = h('span', { class: 'high' });
  const half = h('span', { class: 'half' });
  const low = h('span', { class: 'low' }, '0');
  const from = h('span', null, '');
  const to = h('span', null, 'now');
  const none = h('p', { class: 'none' }, 'The first points come within seconds.');
  const drawing = s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', tabindex: 0 });
  const node = h('figure', { class: 'card chart', 'data-own': true },
    h('figcaption', { class: 'legend' }, h('h2', null, heading), series.map((one, index) =>
      h('span', { class: index === 1 && 'second' }, h('i'), one.name, ' ', values[index])), at),
    h('div', { class: 'plot' }, drawing, high, half, low, none),
    h('div', { class: 'times' }, from, to));

  drawing.onpointermove = (event) => {
    const box = drawing.getBoundingClientRect();
    choose(Math.round(((event.clientX - box.left) / box.width) * (points.length - 1)));
  };
  drawing.onpointerleave = () => choose(null);
  drawing.onblur = () => choose(null);
  drawing.onkeydown = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -points.length, End: points.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    choose((chosen ?? points.length - 1) + step);
  };

  function choose(index) {
    chosen = index === null || points.length === 0 ? null : Math.max(0, Math.min(points.length - 1, index));
    paint();
  }

  function paint() {
    const point = points[chosen ?? points.length - 1];
    series.forEach((one, index) => { values[index].textContent = point ? show(one.of(point)) : '–'; });
    at.textContent = chosen === null ? '' : `at ${clock(point.at)}`;
    none.hidden = points.length > 1;
    const top = niceTop(Math.max(...points.flatMap((one) => series.map((line) => line.of(one) ?? 0)), 0));
    high.textContent = points.length > 1 ? show(top) : '';
    half.textContent = points.length > 1 ? show(top / 2) : '';
    from.textContent = points.length > 1 ? clock(points[0].at) : '';
    to.textContent = isOld() ? clock(points[points.length - 1].at) : 'now';
    drawing.setAttribute('aria-label', described(point, top));
    replace(drawing, grid(), points.length > 1 && series.map((one, index) => curve(one, index, top)), cross());
  }

  /** Whether points should have come since: the line then ends before now. */
  function isOld() {
    return points.length > 0 && secondsSince(points[points.length - 1].at) > every * 2;
  }

  function described(point, top) {
    const newest = points[points.length - 1];
    if (!newest) return `${heading}: no points yet`;
    const words = series.map((one) => `${one.name} ${show(one.of(point))}`).join(', ');
    return `${heading} at ${clock(point.at)}: ${words}. Scale up to ${show(top)}. Arrow keys go through ${points.length} points.`;
  }

  const x = (index) => ((index / Math.max(1, points.length - 1)) * WIDTH).toFixed(1);

  function curve(one, index, top) {
    const y = (point) => (HEIGHT - (one.of(point) / top) * HEIGHT).toFixed(2);
    const known = (point) => typeof one.of(point) === 'number';
    // A hole in time, such as while the process was down, is a hole in the line, and so is a value that is not known.
    const all = [[]];
    points.forEach((point, place) => {
      const gap = place > 0 && Date.parse(point.at) - Date.parse(points[place - 1].at) > every * 4_000;
      if (gap || !known(point)) all.push([]);
      if (known(point)) all[all.length - 1].push(`${x(place)},${y(point)}`);
    });
    const runs = all.filter((run) => run.length > 0);
    const line = runs.map((run) => `M${run.join('L')}`).join('');
    const area = runs.map((run) => `M${run.join('L')}L${run[run.length - 1].split(',')[0]},${HEIGHT}L${run[0].split(',')[0]},${HEIGHT}Z`).join('');
    return [index === 0 && s('path', { class: 'area', d: area }), s('path', { class: index === 1 ? 'line second' : 'line', d: line })];
  }

  function cross() {
    return chosen !== null && s('line', { class: 'cross', x1: x(chosen), x2: x(chosen), y1: 0, y2: HEIGHT });
  }

  paint();
  return {
    node,
    draw(history) {
      every = history.every_seconds;
      points = history.points.slice(-Math.ceil(900 / every));
      paint();
    },
  };
}

function grid() {
  return [0, HEIGHT / 2, HEIGHT].map((y) => s('line', { class: 'grid', x1: 0, x2: WIDTH, y1: y, y2: y }));
}

/** The next round number, so that the scale changes seldom. */
function niceTop(highest) {
  if (!(highest > 0)) return 1;
  const size = 10 ** Math.floor(Math.log10(highest));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((factor) => factor * size).find((top) => top >= highest);
}
