// One way to change something: what happens, why, the same as a command and as a call, and what came of it.

import { h, replace } from './dom.js';
import { newIdempotencyKey, post } from './api.js';
import { both, curl } from './shell.js';

/**
 * Asks for a reason and does it.
 *
 * what: {title, text, verb, risky, segments, body, command(reason), result(answer), done(answer)}
 * `result` may return a node that is shown before the dialog closes.
 */
export function act(what) {
  const key = newIdempotencyKey(); // of this dialog: whoever presses twice, or again after silence, changes once
  const reason = h('input', { name: 'reason', required: true, maxlength: 500, autocomplete: 'off', placeholder: 'for the record' });
  const shell = h('div', { class: 'stack' });
  const outcome = h('div', { class: 'stack', role: 'status' });
  const go = h('button', { type: 'submit', class: what.risky ? 'main risky' : 'main' }, what.verb);
  const dialog = h('dialog', { 'aria-label': what.title },
    h('form', { onsubmit: (event) => { event.preventDefault(); run(); } },
      h('h2', null, what.title),
      what.text && h('p', null, what.text),
      h('label', null, 'Reason', reason, h('span', { class: 'hint' }, 'Kept in the audit with your name and the time.')),
      h('details', { class: 'disclosure' }, h('summary', null, 'The same from a shell'), shell),
      outcome,
      h('div', { class: 'ends' }, h('button', { type: 'button', onclick: () => dialog.close() }, 'Close'), go)));

  const request = () => ({ ...what.body, reason: reason.value.trim() });
  const told = () => reason.value.trim() || 'WHY';
  const tell = () => replace(shell, both(what.command?.(told()),
    curl(what.segments, { body: { ...what.body, reason: told() }, idempotencyKey: key })));

  async function run() {
    if (reason.value.trim() === '') {
      reason.setCustomValidity('Say why. It is kept in the audit.');
      reason.reportValidity();
      return;
    }
    go.disabled = true;
    replace(outcome, h('p', { class: 'soft' }, 'Asking the server…'));
    try {
      const answer = await post(what.segments, request(), key);
      const shown = what.result?.(answer);
      if (shown) {
        replace(outcome, shown);
        go.hidden = true;
        reason.disabled = true;
      } else {
        dialog.close();
      }
      what.done?.(answer);
    } catch (failure) {
      replace(outcome, fault(failure));
      go.disabled = false;
      go.textContent = failure.isSilence ? 'Try again' : what.verb;
    }
  }

  reason.oninput = () => { reason.setCustomValidity(''); tell(); };
  dialog.onclose = () => dialog.remove();
  tell();
  document.body.append(dialog);
  dialog.showModal();
  reason.focus();
}

/** What the server said no with; after silence, that asking again is safe. */
export function fault(failure) {
  return h('div', { class: 'fault', role: 'alert' },
    h('strong', null, failure.isSilence ? 'No answer. ' : ''),
    failure.message,
    failure.isSilence && ' It may have happened or not. Trying again from here is safe: it carries the same Idempotency-Key, so it happens once.');
}
