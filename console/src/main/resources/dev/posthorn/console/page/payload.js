// Payloads, pretty-printed. Everything is a text node: a payload with a script in it is shown, and never run.

import { open } from './api.js';
import { h } from './dom.js';
import { notice } from './notices.js';

const LONGEST_COLOURED = 200_000;

/** Text of any content type; JSON is indented and coloured. */
export function payload(text) {
  const json = parsed(text);
  const shown = json === undefined ? text : pretty(text, json);
  return h('pre', { class: 'payload', tabindex: 0, 'aria-label': 'Payload' },
    json === undefined || shown.length > LONGEST_COLOURED ? shown : coloured(shown));
}

/** Saves the whole of what is shown in part. A link cannot send the token, so the bytes are fetched first. */
export function download(segments, name) {
  const save = async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    try {
      const file = URL.createObjectURL(await (await open(segments)).blob());
      h('a', { href: file, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(file), 10_000);
    } catch (failure) {
      notice(failure.message);
    } finally {
      button.disabled = false;
    }
  };
  return h('button', { onclick: save }, 'Download all');
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Numbers that JavaScript would round are shown as they are: then only the original text tells the truth. */
function pretty(text, json) {
  return /\d{16,}/.test(text) ? text : JSON.stringify(json, null, 2);
}

function coloured(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)) {
    parts.push(text.slice(end, match.index));
    const isName = match[2] !== undefined;
    parts.push(h('span', { class: isName ? 'name' : match[1] ? 'text' : 'word' }, isName ? match[1] : match[0]));
    end = match.index + (isName ? match[1].length : match[0].length);
  }
  parts.push(text.slice(end));
  return parts;
}

/** Bytes as text if they are text, else as hexadecimal digits. What was cut may end inside a character. */
export function decoded(base64, cut = false) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut });
  } catch {
    return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  }
}
