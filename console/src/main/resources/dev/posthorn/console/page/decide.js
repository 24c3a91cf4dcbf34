// Many dead letters at once: filter, look at how many it would be, say why and how fast, watch, stop.

import { get, newIdempotencyKey, post } from './api.js';
import { act, fault } from './actions.js';
import { h, morph, replace } from './dom.js';
import { count, plural } from './format.js';
import { notice } from './notices.js';
import { body, card, time, title } from './parts.js';
import { both, cli, curl } from './shell.js';
import { progress, steps } from './wizard.js';
import { address, FIELDS, flags } from './dead.js';

const STEPS = ['Filter', 'Dry run', 'Reason and rate', 'Progress'];
const SAMPLES = 5;

const VERBS = {
  redrive: { word: 'Redrive', text: 'They go back to where they died.' },
  discard: { word: 'Discard', text: 'They are given up for good. What waits behind them goes on.', risky: true },
  reprocess: { word: 'Reprocess', text: 'They go back past the inbox, so that effects may happen again. Only where handlers bear that.', risky: true },
};

/** The filter is in the address; what follows is not, since going back must not do it again. */
export const decide = {
  name: 'Decide', nav: 'dead',

  load: async () => null,

  view: (_, context) => {
    const { word, text } = VERBS[context.params[0]] ?? VERBS.redrive;
    return [title(`${word} dead letters`, text), h('div', { class: 'stack', 'data-own': true, id: 'wizard' })];
  },

  attach: (main, context) => new Wizard(main.querySelector('#wizard'), context).filter(),
};

class Wizard {
  #place;
  #context;
  #verb;
  #filter;
  #key = newIdempotencyKey();

  constructor(place, context) {
    this.#place = place;
    this.#context = context;
    this.#verb = VERBS[context.params[0]] ? context.params[0] : 'redrive';
    this.#filter = context.query;
  }

  filter() {
    const apply = (event) => {
      event.preventDefault();
      this.#filter = Object.fromEntries([...new FormData(event.currentTarget)].map(([name, value]) => [name, value.trim()]).filter(([, value]) => value !== ''));
      history.replaceState(null, '', address(`#/decide/${this.#verb}`, this.#filter));
      this.#dryRun();
    };
    this.#show(0, h('form', { class: 'stack', onsubmit: apply },
      h('p', { class: 'soft' }, 'Each field must match exactly. An empty form takes everything that is dead.'),
      h('div', { class: 'form' }, FIELDS.map((field) => h('label', null, field.label,
        h('input', { name: field.name, value: this.#filter[field.name] ?? '', autocomplete: 'off', spellcheck: 'false', placeholder: field.hint })))),
      h('div', { class: 'row' }, h('button', { type: 'submit', class: 'main' }, 'Dry run'), h('a', { class: 'button', href: '#/dead' }, 'Cancel'))));
  }

  async #dryRun() {
    this.#show(1, h('p', { class: 'soft' }, 'Counting…'));
    try {
      const [{ count: found }, { dead }] = await Promise.all([
        post(['dead', 'count'], { filter: this.#filter }, newIdempotencyKey(), this.#context.signal),
        get(['dead'], { ...this.#filter, limit: SAMPLES }, this.#context.signal),
      ]);
      this.#show(1, found === 0
        ? [h('p', null, 'Nothing like that is dead, so there is nothing to do.'), h('button', { onclick: () => this.filter() }, 'Back')]
        : [
          h('p', null, h('span', { class: 'big-number' }, count(found)), found === 1 ? ' dead letter. Nothing was changed.' : ' dead letters. Nothing was changed.'),
          h('div', null, h('h3', null, found > dead.length ? `The first ${dead.length}` : 'They are'),
            h('ul', { class: 'stack' }, dead.map((one) => h('li', { class: 'break' },
              h('a', { href: `#/dead/${one.id}` }, one.kind ?? one.id), one.key && ` · key ${one.key}`, h('br'), h('span', { class: 'soft' }, time(one.dead_since), ' ', one.last_error || one.cause))))),
          h('div', { class: 'row' }, h('button', { class: 'main', onclick: () => this.#reason(found) }, 'Go on'), h('button', { onclick: () => this.filter() }, 'Back')),
        ]);
    } catch (failure) {
      this.#failed(1, failure);
    }
  }

  #reason(found) {
    const { word, risky } = VERBS[this.#verb];
    const reason = h('input', { name: 'reason', required: true, maxlength: 500, autocomplete: 'off', placeholder: 'for the record' });
    const rate = h('input', { name: 'rate', type: 'number', min: 1, inputmode: 'numeric', placeholder: 'as fast as it goes' });
    const shell = h('div', { class: 'stack' });
    const outcome = h('div', { role: 'status' });
    const request = (why) => ({ filter: this.#filter, expected: found, ...(rate.value ? { rate: Number(rate.value) } : {}), reason: why });
    const tell = () => {
      const why = reason.value.trim() || 'WHY';
      const verb = this.#verb === 'discard' ? 'dead discard' : 'dead redrive';
      replace(shell, both(
        cli(verb, { all: true, ...flags(this.#filter), reprocess: this.#verb === 'reprocess', rate: rate.value, reason: why }),
        curl(['dead', this.#verb], { body: request(why), idempotencyKey: this.#key })));
    };
    const go = h('button', { type: 'submit', class: risky ? 'main risky' : 'main' }, `${word} ${plural(found, 'letter')}`);
    const start = async (event) => {
      event.preventDefault();
      go.disabled = true;
      try {
        const answer = await post(['dead', this.#verb], request(reason.value.trim()), this.#key);
        this.#watch(answer);
      } catch (failure) {
        go.disabled = false;
        replace(outcome, fault(failure), failure.status === 409 && h('p', null, h('button', { type: 'button', onclick: () => { this.#key = newIdempotencyKey(); this.#dryRun(); } }, 'Count again')));
      }
    };
    reason.oninput = tell;
    rate.oninput = tell;
    tell();
    this.#show(2, h('form', { class: 'stack', onsubmit: start },
      h('div', { class: 'form' },
        h('label', { class: 'wide' }, 'Reason', reason, h('span', { class: 'hint' }, 'Kept in the audit with your name and the time.')),
        h('label', null, 'At most, a second', rate, h('span', { class: 'hint' }, 'Spares a destination that has just come back.'))),
      shell, outcome,
      h('div', { class: 'row' }, go, h('button', { type: 'button', onclick: () => this.#dryRun() }, 'Back'))));
    reason.focus();
  }

  /** A job for bulk work, or the result at once. */
  #watch(answer) {
    if (!answer.job) {
      this.#show(3, [h('p', null, `Done: ${plural(answer.count, 'letter')}.`), h('a', { class: 'button', href: '#/dead' }, 'Back to dead letters')]);
      return;
    }
    const place = h('div', { class: 'stack' });
    this.#show(3, [place, h('p', { class: 'soft' }, 'It goes on when you leave this page. ', h('a', { href: `#/jobs/${answer.job}` }, 'Its own page'))]);
    const { live, signal } = this.#context;
    const paint = (job) => {
      if (job.id === answer.job) morph(place, h('div', { class: 'stack' }, jobProgress(job)));
    };
    live.on('job', paint, signal);
    get(['jobs', answer.job], {}, signal).then(paint, () => {});
    const look = setInterval(() => get(['jobs', answer.job], {}, signal).then((job) => { paint(job); if (job.state !== 'running') clearInterval(look); }, () => {}), 2_000);
    signal.addEventListener('abort', () => clearInterval(look));
  }

  #failed(step, failure) {
    if (failure.name === 'AbortError') return;
    this.#show(step, [fault(failure), h('button', { onclick: () => this.filter() }, 'Back')]);
  }

  #show(step, ...content) {
    replace(this.#place, steps(STEPS, step), card(null, body(content)));
  }
}

/** How far a job is, with a button that stops it. */
export function jobProgress(job) {
  return [
    progress(job.state, job.count, job.total, job.per_second, job.state === 'running'),
    Object.keys(job.answers ?? {}).length > 0 && h('p', { class: 'soft' }, Object.entries(job.answers).map(([words, times]) => `${count(times)} × ${words}`).join(', ')),
    job.error && h('p', { class: 'fault' }, job.error),
    job.state === 'running' && h('div', null, h('button', { class: 'risky', onclick: () => act({
      title: 'Stop this', verb: 'Stop', risky: true,
      text: 'What is done stays done. The others stay dead as before; the same filter goes on with them.',
      segments: ['jobs', job.id, 'stop'], body: {},
      done: () => notice('Stopping.'),
    }) }, 'Stop…')),
  ];
}
