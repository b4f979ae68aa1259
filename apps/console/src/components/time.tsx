import { useSyncExternalStore } from 'react';
import { relativeTime } from './relative-time.ts';

const listeners = new Set<() => void>();
let now = Date.now();
let ticking: ReturnType<typeof setInterval> | undefined;

/** One clock for all times in view, which stands still when there are no times or nobody looks. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  ticking ??= setInterval(() => {
    if (document.hidden) return;
    now = Date.now();
    for (const each of listeners) each();
  }, 10_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

/** How long ago, in words. The exact time in the person's time zone is its title. */
export function Time({ at }: { at: string }) {
  const present = useSyncExternalStore(subscribe, () => now);
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)} className="whitespace-nowrap">
      {relativeTime(date.getTime(), Math.max(present, Date.now() - 10_000))}
    </time>
  );
}
