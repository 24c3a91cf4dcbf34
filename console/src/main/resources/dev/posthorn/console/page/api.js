// Every word between this page and the server.

const TOKEN = 'posthorn.token';
const BASE = new URL('v1/', new URL('.', location.href.split('#')[0]));

/** Where the server is, below whichever path of an application. */
export const ADDRESS = new URL('..', BASE).href.replace(/\/$/, '');

/** What the server said no with, or why it could not be asked. */
export class ApiError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }

  /** Whether it is unknown if the server did what it was asked. */
  get isSilence() {
    return this.status === 0;
  }
}

let signedOut = () => {};

/** Calls back when the server wants a token, or another one. */
export function onSignedOut(callback) {
  signedOut = callback;
}

export function token() {
  return sessionStorage.getItem(TOKEN);
}

export function keepToken(value) {
  if (value) sessionStorage.setItem(TOKEN, value);
  else sessionStorage.removeItem(TOKEN);
}

/** Path segments are encoded, query values that are empty are left out. */
export function path(segments, query = {}) {
  const url = new URL(segments.map(encodeURIComponent).join('/'), BASE);
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') url.searchParams.set(name, value);
  }
  return url;
}

export function get(segments, query, signal) {
  return ask(path(segments, query), { signal });
}

/** The same key twice changes once, so whoever got no answer may ask again. */
export function post(segments, body, idempotencyKey, signal) {
  return ask(path(segments), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
    body: JSON.stringify(body),
    signal,
  });
}

/** The answer as it comes, for the stream. */
export async function open(segments, signal) {
  const answer = await send(path(segments), { signal });
  if (!answer.ok) throw await refusal(answer);
  return answer;
}

async function ask(url, options) {
  const answer = await send(url, options);
  if (!answer.ok) throw await refusal(answer);
  return answer.json();
}

async function send(url, options) {
  const headers = { ...options.headers };
  if (token()) headers.Authorization = `Bearer ${token()}`;
  try {
    return await fetch(url, { ...options, headers, cache: 'no-store', credentials: 'omit', redirect: 'error' });
  } catch (failure) {
    if (failure.name === 'AbortError') throw failure;
    throw new ApiError(0, 'no-answer', `${url.host} does not answer. Is the relay process running, and can this browser reach it?`);
  }
}

async function refusal(answer) {
  const told = await answer.json().catch(() => ({}));
  const error = new ApiError(answer.status, told.code ?? 'error', told.error ?? `The server answered ${answer.status}.`);
  if (answer.status === 401) signedOut();
  return error;
}

/** A key for one change. `crypto.randomUUID` is missing where the page came over plain HTTP from another host. */
export function newIdempotencyKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
