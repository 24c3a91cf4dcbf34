// What a screen shows or does, as a command of the command line and as a call with curl: learned here, used in scripts.

import { h } from './dom.js';
import { path, token } from './api.js';
import { notice } from './notices.js';

/** One word for a POSIX shell. */
export function quote(word) {
  const text = String(word);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** `cli('dead redrive', {all: true, cause: 'refused'}, ids)`; options that are empty are left out. */
export function cli(command, options = {}, words = []) {
  const parts = ['posthorn', command, ...words.map(quote)];
  for (const [name, value] of Object.entries(options)) {
    const flag = `--${name.replaceAll('_', '-')}`;
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === true) parts.push(flag);
      else if (one !== null && one !== undefined && one !== false && one !== '') parts.push(flag, quote(one));
    }
  }
  return parts.join(' ');
}

/** A reading call, or with a body a changing one. The token is a variable: a command line is no place for a secret. */
export function curl(segments, { query, body, idempotencyKey } = {}) {
  const lines = [`curl -sS ${quote(path(segments, query).href)}`];
  if (token()) lines.push('-H "Authorization: Bearer $POSTHORN_TOKEN"');
  if (body !== undefined) {
    lines.push("-H 'Content-Type: application/json'");
    lines.push(idempotencyKey ? `-H 'Idempotency-Key: ${idempotencyKey}'` : '-H "Idempotency-Key: $(uuidgen)"');
    lines.push(`-d ${quote(JSON.stringify(body))}`);
  }
  return lines.join(' \\\n  ');
}

/** Text with a button that copies it. */
export function copyable(text, what = 'command') {
  return h('div', { class: 'copyable' },
    h('pre', null, h('code', null, text)),
    h('button', { type: 'button', 'aria-label': `Copy the ${what}`, onclick: (event) => copy(text, event.currentTarget) }, 'Copy'));
}

/** Both ways, one below the other. */
export function both(command, call) {
  return [
    command && h('div', { class: 'shell' }, h('span', { class: 'of' }, 'Command line'), copyable(command, 'command')),
    call && h('div', { class: 'shell' }, h('span', { class: 'of' }, 'HTTP'), copyable(call, 'HTTP call')),
  ];
}

/** Both ways, folded away at the foot of a screen. */
export function fromShell(command, call) {
  return h('details', { class: 'disclosure' },
    h('summary', null, 'The same from a shell'),
    h('div', { class: 'stack' }, both(command, call)));
}

export async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    notice('Copied.');
  } catch {
    // Over plain HTTP from another host a page may not write to the clipboard: leave the text selected instead.
    const shown = button.parentElement.querySelector('code');
    if (shown) getSelection().selectAllChildren(shown);
    notice('This browser does not let the page copy. It is selected: copy it with the keyboard.');
  }
}
