// A new replay: where to, which events, how many it would be, why and how fast. Its progress is the replay's own page.

import { get, newIdempotencyKey, post } from './api.js';
import { fault } from './actions.js';
import { h, replace } from './dom.js';
import { count, plural } from './format.js';
import { body, card, title } from './parts.js';
import { both, cli, curl } from './shell.js';
import { steps } from './wizard.js';
import { selected } from './replays.js';

const STEPS = ['Target and events', 'Dry run', 'Reason and rate', 'Progress'];
const LISTS = [
  ['domains', 'Domains', 'domain'], ['types', 'Types', 'type'], ['aggregate_types', 'Aggregate types', 'aggregate_type'],
  ['keys', 'Keys', 'key'], ['tenants', 'Tenants', 'tenant'],
];

export const newReplay = {
  name: 'New replay', nav: 'replays',

  load: async ({ signal }) => {
    const [{ routes }, { consumers }] = await Promise.all([get(['routes'], {}, signal), get(['consumers'], {}, signal)]);
    return { routes, consumers };
  },

  view: () => [title('New replay', 'Publishes events again. Whoever receives them knows each by its id; a consumer with an inbox handles it once more only if it is the target.'),
    h('div', { class: 'stack', 'data-own': true, id: 'wizard' })],

  attach: (main, context) => {
    newReplay.load(context).then((targets) => new Wizard(main.querySelector('#wizard'), context, targets).target(), () => {});
  },
};

class Wizard {
  #place;
  #signal;
  #targets;
  #choice;
  #key = newIdempotencyKey();

  constructor(place, { signal, query }, targets) {
    this.#place = place;
    this.#signal = signal;
    this.#targets = targets;
    this.#choice = { target: query.consumer ? `consumer ${query.consumer}` : query.route ? `route ${query.route}` : '', fields: query };
  }

  target() {
    const { target, fields } = this.#choice;
    const option = (kind, name) => h('option', { value: `${kind} ${name}`, selected: target === `${kind} ${name}` }, name);
    const live = this.#targets.routes.filter((route) => !route.retired_at);
    const next = (event) => {
      event.preventDefault();
      const form = new FormData(event.currentTarget);
      this.#choice = { target: form.get('target'), fields: Object.fromEntries(form) };
      this.#dryRun();
    };
    this.#show(0, h('form', { class: 'stack', onsubmit: next },
      h('div', { class: 'form' },
        h('label', { class: 'wide' }, 'Into', h('select', { name: 'target', required: true },
          live.length > 0 && h('optgroup', { label: 'Routes: everybody who receives from it' }, live.map((one) => option('route', one.name))),
          this.#targets.consumers.length > 0 && h('optgroup', { label: 'Consumers: only this one' }, this.#targets.consumers.map((one) => option('consumer', one.name))))),
        LISTS.map(([name, label]) => h('label', null, label, h('input', { name, value: fields[name] ?? '', autocomplete: 'off', spellcheck: 'false', placeholder: 'all' }), h('span', { class: 'hint' }, 'Several with commas between them.'))),
        h('label', null, 'Emitted at or after', h('input', { name: 'from', value: fields.from ?? '', placeholder: '2026-03-01T10:00:00Z' })),
        h('label', null, 'Emitted before', h('input', { name: 'to', value: fields.to ?? '', placeholder: '2026-03-01T12:00:00Z' }))),
      h('div', { class: 'row' }, h('button', { type: 'submit', class: 'main' }, 'Dry run'), h('a', { class: 'button', href: '#/replays' }, 'Cancel'))));
  }

  #body() {
    const { target, fields } = this.#choice;
    const space = target.indexOf(' ');
    const selection = Object.fromEntries(LISTS.map(([name]) => [name, (fields[name] ?? '').split(',').map((one) => one.trim()).filter((one) => one !== '')]));
    if (fields.from?.trim()) selection.from = fields.from.trim();
    if (fields.to?.trim()) selection.to = fields.to.trim();
    return { [target.slice(0, space)]: target.slice(space + 1), selection };
  }

  #command(more) {
    const { selection, ...target } = this.#body();
    const lists = Object.fromEntries(LISTS.map(([name, , flag]) => [flag, selection[name]]));
    return cli('replay start', { ...target, ...lists, from: selection.from, to: selection.to, ...more });
  }

  async #dryRun() {
    this.#show(1, h('p', { class: 'soft' }, 'Counting…'));
    try {
      const request = { ...this.#body(), dry_run: true, reason: 'dry run' };
      const answer = await post(['replays'], request, newIdempotencyKey(), this.#signal);
      const none = answer.of === 0;
      this.#show(1,
        h('p', null, h('span', { class: 'big-number' }, answer.of === null ? 'Some' : count(answer.of)), answer.of === 1 ? ' event' : ' events', ` would go into ${this.#choice.target}: ${selected(request.selection)}. Nothing was started.`),
        h('div', { class: 'row' }, !none && h('button', { class: 'main', onclick: () => this.#reason(answer.of) }, 'Go on'), h('button', { onclick: () => this.target() }, 'Back')));
    } catch (failure) {
      if (failure.name !== 'AbortError') this.#show(1, fault(failure), h('div', null, h('button', { onclick: () => this.target() }, 'Back')));
    }
  }

  #reason(found) {
    const reason = h('input', { name: 'reason', required: true, maxlength: 500, autocomplete: 'off', placeholder: 'for the record' });
    const rate = h('input', { name: 'rate', type: 'number', min: 1, inputmode: 'numeric', placeholder: 'as fast as it goes' });
    const shell = h('div', { class: 'stack' });
    const outcome = h('div', { role: 'status' });
    const request = (why) => ({ ...this.#body(), ...(rate.value ? { rate: Number(rate.value) } : {}), reason: why });
    const tell = () => {
      const why = reason.value.trim() || 'WHY';
      replace(shell, both(this.#command({ rate: rate.value, reason: why }), curl(['replays'], { body: request(why), idempotencyKey: this.#key })));
    };
    const go = h('button', { type: 'submit', class: 'main' }, found === null ? 'Start' : `Replay ${plural(found, 'event')}`);
    const start = async (event) => {
      event.preventDefault();
      go.disabled = true;
      try {
        const answer = await post(['replays'], request(reason.value.trim()), this.#key);
        location.hash = `#/replays/${answer.id}`;
      } catch (failure) {
        go.disabled = false;
        replace(outcome, fault(failure));
      }
    };
    reason.oninput = tell;
    rate.oninput = tell;
    tell();
    this.#show(2, h('form', { class: 'stack', onsubmit: start },
      h('div', { class: 'form' },
        h('label', { class: 'wide' }, 'Reason', reason, h('span', { class: 'hint' }, 'Kept in the audit with your name and the time.')),
        h('label', null, 'At most, a second', rate, h('span', { class: 'hint' }, 'Leaves room for what is new.'))),
      shell, outcome,
      h('div', { class: 'row' }, go, h('button', { type: 'button', onclick: () => this.#dryRun() }, 'Back'))));
    reason.focus();
  }

  #show(step, ...content) {
    replace(this.#place, steps(STEPS, step), card(null, body(content)));
  }
}
