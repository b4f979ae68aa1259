/** A terminal and npm both deliver the same Ctrl-C. Milliseconds within which they count as one. */
const SAME_SIGNAL_WITHIN = 500;

/** Calls `handle` once for each signal that a person or service manager sends. */
export function onSignals(handle) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    let last = Number.NEGATIVE_INFINITY;
    process.on(signal, () => {
      const now = performance.now();
      if (now - last > SAME_SIGNAL_WITHIN) handle(signal);
      last = now;
    });
  }
}
