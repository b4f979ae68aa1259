import { LRUCache } from 'lru-cache';
import { InHand } from '../../../platform/in-hand.ts';
import { MinuteBudget } from '../../../platform/minute-budget.ts';

/** A limit of fetches. */
interface Limit {
  /** At the same time. */
  readonly running: number;
  readonly perMinute: number;
}

/**
 * In all, of one source address, to one host, and of one source address to one host: it leaves a part of
 * the host's fetches to others.
 */
const LIMITS = {
  all: { running: 64, perMinute: 600 },
  source: { running: 4, perMinute: 30 },
  host: { running: 2, perMinute: 30 },
  sourceOfHost: { running: 1, perMinute: 10 },
} satisfies Record<string, Limit>;

/** Milliseconds after which a fetch is given up. */
export const FETCH_TIMEOUT = 5_000;

/**
 * Milliseconds after its beginning in which a fetch that was given up still counts: undici goes on opening
 * its connection for as long as a connection may take, which its timers keep to a second or two.
 */
const CONNECTION_OVER = 10_000;

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
  const failures = new LRUCache<string, Failure>({ max: MAX_FAILURES });
  const [source, sourceOfHost, host, all] = [
    new Counter(LIMITS.source),
    new Counter(LIMITS.sourceOfHost),
    new Counter(LIMITS.host),
    new Counter(LIMITS.all),
  ];

  return {
    async run(url, caller, fetch) {
      const last = failures.get(url);
      if (last !== undefined && Date.now() < last.until) return undefined;
      // Without the port: the machine behind it is the same.
      const target = new URL(url).hostname;
      // A caller who has used up its own share takes nothing from the counters after it.
      const end = beginAll([
        [source, caller],
        [sourceOfHost, `${caller} ${target}`],
        [host, target],
        [all, ''],
      ]);
      if (end === undefined) return undefined;
      const began = Date.now();
      try {
        const result = await fetch();
        if (result !== undefined) failures.delete(url);
        else failures.set(url, failureAfter(last));
        return result;
      } finally {
        const took = Date.now() - began;
        // Two clocks may differ by a little.
        if (took < 0.9 * FETCH_TIMEOUT) end();
        else setTimeout(end, CONNECTION_OVER - took).unref();
      }
    },
  };
}

/** Counts the fetches of one kind of key. */
class Counter {
  readonly #running: number;
  readonly #inHand = new InHand();
  readonly #minute: MinuteBudget;

  constructor({ running, perMinute }: Limit) {
    this.#running = running;
    this.#minute = new MinuteBudget(perMinute);
  }

  begin(key: string): boolean {
    if (!this.#inHand.begin(key, this.#running)) return false;
    if (this.#minute.take(key) === 0) return true;
    this.#inHand.end(key);
    return false;
  }

  end(key: string): void {
    this.#inHand.end(key);
  }

  /** The fetch did not begin. */
  takeBack(key: string): void {
    this.#inHand.end(key);
    this.#minute.giveBack(key);
  }
}

/** Counts a fetch by each key, or by no key. @returns what ends it, or undefined if one has no room */
function beginAll(counters: readonly (readonly [Counter, string])[]): (() => void) | undefined {
  const refusing = counters.findIndex(([counter, key]) => !counter.begin(key));
  if (refusing === -1) {
    return () => {
      for (const [counter, key] of counters) counter.end(key);
    };
  }
  for (const [counter, key] of counters.slice(0, refusing)) counter.takeBack(key);
  return undefined;
}

function failureAfter(last: Failure | undefined): Failure {
  const delay = last === undefined ? FIRST : Math.min(LONGEST, 2 * last.delay);
  return { until: Date.now() + delay, delay };
}
