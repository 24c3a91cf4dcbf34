// What stands around every screen, and which screen stands in it.

import { h, morph, replace } from './dom.js';
import { fault } from './actions.js';
import { clock, short } from './format.js';
import { icon, mark } from './icons.js';
import { Keyboard } from './keyboard.js';
import { notices } from './notices.js';
import { find, screens } from './screens.js';
import { live } from './stream.js';
import { copyable } from './shell.js';
import { nextTheme } from './themes.js';

const SHOWS_WAITING_AFTER_MS = 200;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export class Frame {
  #session;
  #here = new AbortController();
  #whole = new AbortController();
  #shown = null;
  #loadedAt = null;
  #stale = h('p', { class: 'fault old', role: 'status' });
  #missed = false; // the screen could not be loaded since nobody answered
  #navigation = h('nav', { 'aria-label': 'Console' });
  #main = h('main', { id: 'main', tabindex: -1 });
  #side;
  #veil = h('button', { class: 'veil', hidden: true, 'aria-label': 'Close the menu', onclick: () => this.#menu(false) });
  #menuButton = h('button', { class: 'menu', 'aria-label': 'Menu', 'aria-expanded': 'false', onclick: () => this.#menu(!this.#side.classList.contains('open')) }, icon('menu'));
  #live = h('p', { class: 'live', role: 'status' }, h('span', { class: 'dot' }), h('span', { class: 'text' }, 'Connecting'));
  #search = h('input', { type: 'search', name: 'q', 'aria-label': 'Go to an event id or a key', placeholder: 'Event id or key', autocomplete: 'off', spellcheck: 'false' });

  constructor(session, leave) {
    this.#session = session;
    this.#side = h('aside', { class: 'side' },
      h('a', { class: 'brand', href: '#/' }, mark(), 'Posthorn'), this.#navigation, this.#who(leave));
    this.node = h('div', { class: 'frame' },
      h('a', { class: 'skip', href: '#main', onclick: (event) => { event.preventDefault(); this.#main.focus(); } }, 'Skip to the content'),
      this.#side, this.#veil,
      h('div', null,
        h('header', { class: 'head' }, this.#menuButton,
          h('form', { role: 'search', 'aria-label': 'Go to', onsubmit: (event) => this.#find(event) }, icon('search'), this.#search, h('kbd', { 'aria-hidden': 'true' }, '/')),
          this.#live),
        this.#main),
      notices());
  }

  start() {
    const { signal } = this.#whole;
    addEventListener('hashchange', () => this.#go(), { signal });
    live.on('connection', (connected) => {
      this.#connection();
      if (connected && this.#missed) this.#go();
    }, signal);
    live.on('overview', () => {
      this.#navigate();
      this.#connection();
    }, signal);
    new Keyboard(this.#search, screens).listen(signal);
    this.#connection();
    this.#go();
  }

  stop() {
    this.#whole.abort();
    this.#here.abort();
  }

  #who(leave) {
    const { name, role, version } = this.#session;
    return h('div', { class: 'who small soft' },
      h('p', null, h('b', null, name), ` · ${role}`),
      version && h('p', null, `Version ${version}`),
      h('div', { class: 'row' },
        h('button', { class: 'icon', 'aria-label': 'Light or dark', title: 'Light or dark', onclick: nextTheme }, icon('theme')),
        h('button', { class: 'icon', 'aria-label': 'Keyboard shortcuts', title: 'Keyboard shortcuts (?)', onclick: () => Keyboard.help(screens) }, '?'),
        sessionStorage.getItem('posthorn.token') && h('button', { onclick: () => leave() }, 'Sign out')));
  }

  /** The menu, with what wants attention counted beside it. */
  #navigate() {
    const counts = { overview: live.overview?.troubles.length, dead: live.overview?.totals.dead, keys: live.overview?.totals.blocked_keys };
    const groups = ['Look', 'Decide', 'Run', 'Check'];
    morph(this.#navigation, h('nav', { 'aria-label': 'Console' }, groups.map((group) => [
      h('h2', null, group),
      screens.filter((screen) => screen.group === group).map((screen) => h('a', {
        href: `#/${screen.path}`, 'aria-current': this.#shown?.screen.nav === screen.nav && 'page',
      }, icon(screen.icon), screen.name, counts[screen.nav] > 0
        && h('span', { class: `count ${screen.nav === 'keys' ? 'warn' : 'bad'}` }, short(counts[screen.nav])))),
    ])));
  }

  #menu(open) {
    this.#side.classList.toggle('open', open);
    this.#veil.hidden = !open;
    this.#menuButton.setAttribute('aria-expanded', String(open));
    if (open) this.#navigation.querySelector('a')?.focus();
  }

  #find(event) {
    event.preventDefault();
    const words = this.#search.value.trim();
    if (words === '') return;
    location.hash = UUID.test(words) ? `#/events/${words.toLowerCase()}` : `#/keys/${encodeURIComponent(words)}`;
    this.#search.value = '';
    this.#search.blur();
  }

  #connection() {
    const text = this.#live.querySelector('.text');
    const stale = live.connected && live.overview?.stale === true;
    this.#live.className = stale ? 'live off' : live.connected ? 'live on' : live.retryAt ? 'live off' : 'live';
    text.textContent = stale ? outdated(live.overview.at)
      : live.connected ? 'Live'
        : live.retryAt ? `Connection lost${live.seenAt ? ` at ${clock(new Date(live.seenAt).toISOString())}` : ''}, trying again` : 'Connecting';
  }

  /** Goes where the address says. A screen is loaded whole before it takes the place of the last one. */
  async #go() {
    this.#here.abort();
    this.#here = new AbortController();
    this.#menu(false);
    const { signal } = this.#here;
    const { screen, params, query } = find(location.hash);
    const context = {
      params, query, signal, live,
      session: this.#session,
      can: (what) => this.#session.can.includes(what),
      reload: () => this.#reload(screen, context),
    };
    const waiting = h('div', { class: 'waiting-bar' });
    this.#missed = false;
    const patience = setTimeout(() => this.node.append(waiting), SHOWS_WAITING_AFTER_MS);
    try {
      const data = await screen.load(context);
      if (!signal.aborted) this.#show(screen, context, screen.view(data, context));
    } catch (failure) {
      this.#missed = !signal.aborted && failure.isSilence === true;
      if (!signal.aborted && failure.name !== 'AbortError') this.#show(screen, context, failed(failure, () => this.#go()));
    } finally {
      clearTimeout(patience);
      waiting.remove();
    }
  }

  #show(screen, context, view) {
    const again = this.#shown?.address === location.hash;
    this.#shown = { screen, address: location.hash };
    document.title = `${context.params[0] ?? screen.name} · Posthorn`;
    replace(this.#main, wrapped(view));
    this.#loadedAt = new Date().toISOString();
    this.#main.dataset.address = location.hash;
    this.#navigate();
    if (!again) {
      scrollTo(0, 0);
      this.#main.querySelector('h1')?.focus({ preventScroll: true });
    }
    screen.attach?.(this.#main, context);
    if (screen.every) this.#repeat(screen, context);
  }

  /** Loads again now and then, and changes only what has changed. */
  async #repeat(screen, context) {
    while (!context.signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, screen.every * 1_000));
      if (!document.hidden && live.connected) await this.#reload(screen, context);
    }
  }

  async #reload(screen, context) {
    try {
      const data = await screen.load(context);
      if (context.signal.aborted) return;
      const current = this.#main.querySelector('.screen');
      if (current) morph(current, wrapped(screen.view(data, context)));
      this.#loadedAt = new Date().toISOString();
      this.#stale.remove();
    } catch (failure) {
      // What is shown stays, and says from when it is and why.
      if (context.signal.aborted || failure.name === 'AbortError') return;
      this.#stale.textContent = `This is from ${clock(this.#loadedAt)}. ${failure.message}`;
      this.#main.prepend(this.#stale);
    }
  }
}

function outdated(at) {
  return at ? `Out of date, as of ${clock(at)}` : 'Nothing is known yet';
}

function wrapped(view) {
  return h('div', { class: 'screen' }, view);
}

function failed(failure, again) {
  return [h('h1', { tabindex: -1 }, failure.status === 404 ? 'Not there' : 'That did not work'), fault(failure),
    failure.status === 503 && copyable('posthorn doctor'),
    h('p', null, h('button', { onclick: again }, 'Try again'))];
}
