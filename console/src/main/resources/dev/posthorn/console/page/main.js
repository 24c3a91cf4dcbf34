// Starts the page: who is there, the frame, then the screen that the address names.

import { get, keepToken, onSignedOut, token } from './api.js';
import { h, replace } from './dom.js';
import { Frame } from './frame.js';
import { mark } from './icons.js';
import { live } from './stream.js';

const page = document.getElementById('page');
let frame = null;

/** A link can carry a token. It is kept like one that was typed, and leaves the address bar and the history at once. */
function takeToken() {
  const carried = /^#token=([\w-]+)$/.exec(location.hash);
  if (carried) {
    keepToken(carried[1]);
    history.replaceState(null, '', `${location.pathname}${location.search}#/`);
  }
  return carried !== null;
}

async function start() {
  try {
    const session = await get(['session']);
    frame = new Frame(session, leave);
    replace(page, frame.node);
    live.start();
    frame.start();
  } catch (failure) {
    if (failure.status === 401) askForToken(token() ? failure.message : '');
    else replace(page, unreachable(failure));
  }
}

/** Forgets the token, and with it what was shown. */
function leave(why = '') {
  live.stop();
  frame?.stop();
  frame = null;
  keepToken(null);
  askForToken(why);
}

function askForToken(fault) {
  const field = h('input', { type: 'password', name: 'token', required: true, autocomplete: 'current-password', 'aria-describedby': 'token-hint' });
  const enter = (event) => {
    event.preventDefault();
    keepToken(field.value.trim());
    start();
  };
  document.title = 'Sign in · Posthorn';
  replace(page, h('main', { class: 'signin' }, h('form', { class: 'card stack', onsubmit: enter },
    h('p', { class: 'brand' }, mark(), 'Posthorn'),
    h('h1', null, 'Sign in'),
    fault && h('p', { class: 'fault', role: 'alert' }, fault),
    h('label', null, 'Token', field),
    h('p', { class: 'small soft', id: 'token-hint' }, 'One of http.tokens in the configuration of this process. Without configured tokens the process prints a link with a token at start. The token stays in this tab and is forgotten when the tab closes.'),
    h('button', { type: 'submit', class: 'main' }, 'Sign in'))));
  field.focus();
}

function unreachable(failure) {
  return h('main', { class: 'signin' }, h('div', { class: 'card stack' },
    h('p', { class: 'brand' }, mark(), 'Posthorn'),
    h('h1', null, 'The console cannot start'),
    h('p', { class: 'fault', role: 'alert' }, failure.message),
    h('button', { class: 'main', onclick: start }, 'Try again')));
}

onSignedOut(() => {
  if (frame) leave('The server no longer knows this token. Sign in again.');
});
addEventListener('hashchange', () => {
  if (takeToken()) location.reload();
});
takeToken();
start();
