// What screens are made of.

import { h } from './dom.js';
import { ago, clock, shortId } from './format.js';
import { icon } from './icons.js';
import { copyable } from './shell.js';

const TONES = {
  SENT: 'ok', PENDING: 'go', RETRYING: 'warn', PARKED: 'warn', DELAYED: 'go', FAILED: 'bad',
  RUNNING: 'go', DONE: 'ok', CANCELLED: '', DEAD: 'bad', HANDLED: 'ok', REDRIVE: 'go', DISCARDED: '',
  running: 'go', done: 'ok', stopped: 'warn', failed: 'bad',
};

const MEANINGS = {
  SENT: 'published', PENDING: 'its turn has not come', RETRYING: 'did not go through, is tried again by itself',
  PARKED: 'waits behind an earlier event of its key', DELAYED: 'asked for a later time', FAILED: 'dead: not tried again by itself',
};

export function badge(text, tone = '') {
  return h('span', { class: `badge ${tone}` }, text);
}

/** A state of an event, a replay, a dead letter or a job. */
export function state(name, before = '') {
  return h('span', { class: `badge ${TONES[name] ?? ''}`, title: MEANINGS[name] }, before, name);
}

/** A title, a sentence below it, and what can be done. */
export function title(text, lead, ...actions) {
  return h('div', { class: 'title' },
    h('div', null, h('h1', { tabindex: -1 }, text), lead && h('p', { class: 'lead' }, lead)),
    actions.flat().some(Boolean) && h('div', { class: 'row' }, actions));
}

export function card(heading, ...content) {
  return h('section', { class: 'card' }, heading && h('header', null, typeof heading === 'string' ? h('h2', null, heading) : heading), content);
}

export function body(...content) {
  return h('div', { class: 'body stack' }, content);
}

/** An empty place says what would be here and how it gets here. */
export function empty(image, heading, text, command) {
  return h('div', { class: 'empty' }, icon(image, 32), h('h2', null, heading), text && h('p', null, text), command && copyable(command));
}

/** A point in time; the whole of it is in the tooltip. */
export function time(iso, exactly = false) {
  return iso ? h('time', { datetime: iso, title: iso }, clock(iso, exactly)) : '–';
}

export function since(iso) {
  return iso ? h('time', { datetime: iso, title: iso }, ago(iso)) : '–';
}

export function eventLink(id, text = shortId(id)) {
  return h('a', { class: 'mono', href: `#/events/${id}`, title: id }, text);
}

export function keyLink(key) {
  return key === null || key === undefined
    ? h('span', { class: 'soft' }, 'no key')
    : h('a', { class: 'mono break', href: `#/keys/${encodeURIComponent(key)}` }, key);
}

/** Names beside values; a row without a value is left out. */
export function facts(rows) {
  return h('dl', { class: 'facts' }, rows
    .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
    .map(([name, value]) => [h('dt', null, name), h('dd', null, value)]));
}

/**
 * A table. Columns: `{name, cell(row), number, label}`. With `href(row)` a row opens by a click, Enter, or the keys j and k.
 * Where there is no room, each row becomes a block whose cells carry the column's name.
 */
export function table(caption, columns, rows, { key, href } = {}) {
  return h('div', { class: 'table', tabindex: -1 },
    h('table', { class: 'folds' },
      h('caption', { class: 'unseen' }, caption),
      h('thead', null, h('tr', null, columns.map((column) => h('th', { scope: 'col', class: column.number && 'number' },
        column.name || h('span', { class: 'unseen' }, 'Actions'))))),
      h('tbody', null, rows.map((row) => tableRow(columns, row, key, href)))));
}

function tableRow(columns, row, key, href) {
  return h('tr', { 'data-key': key?.(row), class: href && 'opens', 'data-href': href?.(row), onclick: href && open },
    columns.map((column) => h('td', {
      class: [column.number && 'number', !column.name && 'acts'].filter(Boolean).join(' ') || null, 'data-label': column.name,
    }, h('div', null, column.cell(row)))));
}

function open(event) {
  const inside = event.target.closest('a, button, input, summary');
  if (!inside && getSelection().isCollapsed) location.hash = event.currentTarget.dataset.href;
}

/** A form over the query of the address, so that what was searched for can be shared and gone back to. */
export function filter(fields, query, target, ...more) {
  const apply = (event) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)].filter(([, value]) => value.trim() !== '');
    location.hash = `${target}?${new URLSearchParams(entries.map(([name, value]) => [name, value.trim()]))}`;
  };
  return h('form', { class: 'filter', role: 'search', 'aria-label': 'Filter', onsubmit: apply, 'data-key': JSON.stringify(query) },
    fields.map((field) => h('label', null, field.label, field.options
      ? h('select', { name: field.name }, field.options.map(([value, text]) =>
        h('option', { value, selected: value === (query[field.name] ?? '') }, text)))
      : h('input', { name: field.name, value: query[field.name] ?? '', type: field.type ?? 'text', autocomplete: 'off', spellcheck: 'false', placeholder: field.hint }))),
    h('div', { class: 'row' }, h('button', { type: 'submit', class: 'main' }, 'Search'),
      Object.keys(query).length > 0 && h('a', { class: 'button', href: `${target}` }, 'Clear'), more));
}

/** From one page of a list to the next; keyset paging knows no page numbers. */
export function pager(target, query, cursor, next) {
  const { [cursor]: here, ...first } = query;
  if (!here && !next) return null;
  const address = (values) => `${target}?${new URLSearchParams(values)}`;
  return h('nav', { class: 'pager', 'aria-label': 'Pages' },
    here ? h('a', { class: 'button', href: address(first) }, '« First page') : h('span'),
    next ? h('a', { class: 'button', href: address({ ...query, [cursor]: next }) }, 'Next page »') : h('span', { class: 'soft' }, 'That is all.'));
}
