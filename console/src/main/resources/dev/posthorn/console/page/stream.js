// What the server tells by itself: an EventSource that can send a token, since it is a fetch.

import { ApiError, get, open } from './api.js';

const SILENCE_MS = 15_000; // several heartbeats
const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;
const MOST_POINTS = 2_000;

/** What is known from the stream; screens read it and listen. */
export const live = new (class extends EventTarget {
  overview = null;
  history = { every_seconds: 5, points: [] };
  connected = false;
  retryAt = null;
  seenAt = null;
  #stop = new AbortController();

  start() {
    this.#stop = new AbortController();
    this.#run(this.#stop.signal);
  }

  stop() {
    this.#stop.abort();
  }

  /** Listens until the signal says no. */
  on(type, callback, signal) {
    this.addEventListener(type, (event) => callback(event.detail), { signal });
  }

  async #run(stopped) {
    let pause = SHORTEST_PAUSE_MS;
    while (!stopped.aborted) {
      try {
        await this.#listen(stopped, () => { pause = SHORTEST_PAUSE_MS; });
        continue; // it ended in order, as it does after some minutes
      } catch (failure) {
        if (stopped.aborted || (failure instanceof ApiError && failure.status === 401)) return;
      }
      this.retryAt = Date.now() + pause;
      this.#connection(false);
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  }

  async #listen(stopped, arrived) {
    const call = new AbortController();
    const cancel = () => call.abort();
    stopped.addEventListener('abort', cancel);
    let silence = setTimeout(cancel, SILENCE_MS);
    try {
      const answer = await open(['stream'], call.signal);
      this.history = await get(['history'], { minutes: 15 }, call.signal); // also what was missed meanwhile
      this.#tell('history', this.history);
      for await (const message of messages(answer.body)) {
        clearTimeout(silence);
        silence = setTimeout(cancel, SILENCE_MS);
        arrived();
        this.#connection(true);
        this.#take(message);
      }
    } finally {
      clearTimeout(silence);
      stopped.removeEventListener('abort', cancel);
      call.abort();
    }
  }

  #take({ event, data }) {
    if (!data) return; // a heartbeat
    const value = JSON.parse(data);
    if (event === 'overview') this.overview = value;
    if (event === 'point') {
      this.history.points.push(value);
      if (this.history.points.length > MOST_POINTS) this.history.points.shift();
    }
    this.#tell(event, value);
  }

  #connection(connected) {
    this.seenAt = connected ? Date.now() : this.seenAt;
    const changed = this.connected !== connected;
    this.connected = connected;
    if (changed || !connected) this.#tell('connection', connected);
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
})();

/** Messages of a text/event-stream; a comment is one without data. */
async function* messages(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value.replaceAll('\r\n', '\n')).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) yield parse(block);
  }
}

function parse(block) {
  let event = 'message';
  const data = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) event = line.slice(6).trim();
    if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
  }
  return { event, data: data.join('\n') };
}
