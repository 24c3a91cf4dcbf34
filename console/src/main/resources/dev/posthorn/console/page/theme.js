// Runs before the first paint, so that a chosen theme does not flash. Without a choice the system's holds.
(() => {
  try {
    const chosen = localStorage.getItem('posthorn.theme');
    if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset.theme = chosen;
  } catch {
    // Storage is switched off: the system's theme it is.
  }
})();
