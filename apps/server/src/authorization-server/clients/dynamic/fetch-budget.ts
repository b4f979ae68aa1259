import { LRUCache } from 'lru-cache';
import { limitPerMinute } from '../../../http/rate-limit.ts';

/** Fetches at the same time: in all, for one source address, and to one host. */
const RUNNING = { all: 64, source: 4, host: 2 };

/** Fetches to one host in a minute. */
const PER_MINUTE = 30;

/** Milliseconds in which a failure is remembered: the first time, and at most. Each failure in a row doubles it. */
const FIRST = 60_000;
const LONGEST = 60 * 60_000;

/** About 200 bytes each. */
const MAX_FAILURES = 1_000;

/** Limits what requests of strangers can make this service fetch. */
export interface FetchBudget {
  /**
   * Runs a fetch, or returns undefined: too much is being fetched, or the last fetch of this URL failed
   * not long ago.
   *
   * @param source the address block of the caller, so that one caller takes nothing from others
   * @param fetch returns undefined for a failure that is worth remembering
   */
  run<T>(url: string, source: string, fetch: () => Promise<T | undefined>): Promise<T | undefined>;
}

interface Failure {
  /** By `Date.now()`. */
  readonly until: number;
  /** Milliseconds. */
  readonly delay: number;
}

export function createFetchBudget(): FetchBudget {
  const running = new Map<string, number>();
  const countHost = limitPerMinute(PER_MINUTE);
  const failures = new LRUCache<string, Failure>({ max: MAX_FAILURES });

  const isBelow = (key: string, limit: number) => (running.get(key) ?? 0) < limit;
  const change = (key: string, by: number): void => {
    const count = (running.get(key) ?? 0) + by;
    if (count === 0) running.delete(key);
    else running.set(key, count);
  };

  return {
    async run(url, source, fetch) {
      const last = failures.get(url);
      if (last !== undefined && Date.now() < last.until) return undefined;
      const { host } = new URL(url);
      const keys = ['all', `source ${source}`, `host ${host}`] as const;
      const [all, ofSource, ofHost] = keys;
      const hasRoom =
        isBelow(all, RUNNING.all) &&
        isBelow(ofSource, RUNNING.source) &&
        isBelow(ofHost, RUNNING.host);
      if (!hasRoom) return undefined;
      for (const key of keys) change(key, 1);
      try {
        if (!(await isWithin(countHost(host)))) return undefined;
        const result = await fetch();
        if (result !== undefined) failures.delete(url);
        else failures.set(url, failureAfter(last));
        return result;
      } finally {
        for (const key of keys) change(key, -1);
      }
    },
  };
}

function failureAfter(last: Failure | undefined): Failure {
  const delay = last === undefined ? FIRST : Math.min(LONGEST, 2 * last.delay);
  return { until: Date.now() + delay, delay };
}

function isWithin(counted: Promise<void>): Promise<boolean> {
  return counted.then(
    () => true,
    () => false,
  );
}
