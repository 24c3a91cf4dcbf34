// Light, dark, or as the system says.

import { notice } from './notices.js';

const KEPT = 'posthorn.theme';

/** From what is shown now to the other; back to the system's when that is the other. */
export function nextTheme() {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const shown = document.documentElement.dataset.theme ?? system;
  const next = shown === 'dark' ? 'light' : 'dark';
  if (next === system) {
    delete document.documentElement.dataset.theme;
    localStorage.removeItem(KEPT);
  } else {
    document.documentElement.dataset.theme = next;
    localStorage.setItem(KEPT, next);
  }
  notice(next === 'dark' ? 'Dark.' : 'Light.');
}
