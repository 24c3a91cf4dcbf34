// Numbers, times and durations as people read them.

const WHOLE = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const TENTH = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });
const NONE = '–';

export function count(number) {
  return number === null || number === undefined ? NONE : WHOLE.format(number);
}

/** Short enough for a tile: 1,234 · 56.7 k · 5.0 M. */
export function short(number) {
  if (number === null || number === undefined) return NONE;
  const size = Math.abs(number);
  if (size < 10 && !Number.isInteger(number)) return number.toFixed(1);
  if (size < 10_000) return WHOLE.format(number);
  if (size < 1_000_000) return `${(number / 1_000).toFixed(size < 100_000 ? 1 : 0)} k`;
  return `${(number / 1_000_000).toFixed(1)} M`;
}

export function plural(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** 0.4 ms · 320 ms · 4.2 s · 75 s · 12 min · 5 h · 3 d. */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return NONE;
  if (seconds === 0) return '0 s';
  if (seconds < 0.01) return `${TENTH.format(seconds * 1_000)} ms`;
  if (seconds < 1) return `${Math.round(seconds * 1_000)} ms`;
  if (seconds < 10) return `${TENTH.format(seconds)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

export function bytes(number) {
  if (number === null || number === undefined) return NONE;
  if (number < 1_024) return `${number} bytes`;
  if (number < 1_048_576) return `${TENTH.format(number / 1_024)} KiB`;
  return `${TENTH.format(number / 1_048_576)} MiB`;
}

export function secondsSince(iso) {
  return Math.max(0, (Date.now() - Date.parse(iso)) / 1_000);
}

export function ago(iso) {
  return iso ? `${duration(Math.floor(secondsSince(iso)))} ago` : NONE;
}

/** Clock time of today, date and time of any other day; the reader's time zone. */
export function clock(iso, exactly = false) {
  if (!iso) return NONE;
  const at = new Date(iso);
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
    + (exactly ? `.${String(at.getMilliseconds()).padStart(3, '0')}` : '');
  return at.toDateString() === new Date().toDateString() ? time : `${day(at)} ${time}`;
}

function day(at) {
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

function two(number) {
  return String(number).padStart(2, '0');
}

/** The first and last characters of an id; those of one moment share their beginning. */
export function shortId(id) {
  return id.length > 20 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id;
}
