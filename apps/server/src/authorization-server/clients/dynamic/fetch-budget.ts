import { LRUCache } from 'lru-cache';
import type { AdmitAddresses } from '../../../egress/connector.ts';
import { addressBlockOf, networkOf } from '../../../http/client-address.ts';
import { type Counted, Counter, countAll, type Limit } from './fetch-counters.ts';

/**
 * In all, of one source address and its network, to one host, to one address, and of each source to each of these:
 * it leaves a part of their fetches to others. Any number of names may lead to an address, so it has a limit
 * of all of them; a wider one than a host, because a CDN has many hosts at one address.
 */
const LIMITS = {
  all: { running: 64, perMinute: 600 },
  network: { running: 16, perMinute: 150 },
  source: { running: 4, perMinute: 30 },
  host: { running: 2, perMinute: 30 },
  networkOfHost: { running: 1, perMinute: 15 },
  sourceOfHost: { running: 1, perMinute: 10 },
  address: { running: 8, perMinute: 60 },
  networkOfAddress: { running: 4, perMinute: 30 },
  sourceOfAddress: { running: 2, perMinute: 10 },
} satisfies Record<string, Limit>;

/** A host with more addresses is not fetched from: each may be dialled. CDNs have fewer. */
const MAX_ADDRESSES = 16;

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
   * @param source the address block of the caller; neither it nor its network takes anything from others
   * @param fetch asks `admit` before each connection, and returns undefined for a failure
   */
  run<T>(
    url: string,
    source: string,
    fetch: (admit: AdmitAddresses) => Promise<T | undefined>,
  ): Promise<T | undefined>;
}

interface Failure {
  /** By `Date.now()`. */
  readonly until: number;
  /** Milliseconds. */
  readonly delay: number;
}

export function createFetchBudget(): FetchBudget {
  const failures = new LRUCache<string, Failure>({ max: MAX_FAILURES });
  const countBeginning = beginningCounter();
  const countConnection = connectionCounter();

  return {
    async run(url, source, fetch) {
      const last = failures.get(url);
      if (last !== undefined && Date.now() < last.until) return undefined;
      const beginning = countBeginning(url, source);
      if (beginning === undefined) return undefined;
      const connections: Counted[] = [];
      let isRefused = false;
      const admit: AdmitAddresses = (addresses) => {
        const connection = countConnection(addresses, source);
        if (connection === undefined) isRefused = true;
        else connections.push(connection);
        return connection !== undefined;
      };
      const began = Date.now();
      try {
        const result = await fetch(admit);
        if (result !== undefined) failures.delete(url);
        else if (!isRefused) {
          failures.set(url, failureAfter(last));
          // It would fail again under each name that leads there.
          for (const connection of connections) connection.countAgain();
        }
        return result;
      } finally {
        endLater([beginning, ...connections], Date.now() - began);
      }
    },
  };
}

/** Counts a fetch before it is known where it goes. */
function beginningCounter() {
  const source = new Counter(LIMITS.source);
  const network = new Counter(LIMITS.network);
  const all = new Counter(LIMITS.all);
  const sourceOfHost = new Counter(LIMITS.sourceOfHost);
  const networkOfHost = new Counter(LIMITS.networkOfHost);
  const host = new Counter(LIMITS.host);
  return (url: string, caller: string) => {
    // Without the port: the machine behind it is the same.
    const { hostname } = new URL(url);
    const callers = networkOf(caller);
    // A caller who has used up its own share takes nothing from the counters after it.
    return countAll([
      [source, caller],
      [sourceOfHost, `${caller} ${hostname}`],
      [network, callers],
      [networkOfHost, `${callers} ${hostname}`],
      [host, hostname],
      [all, ''],
    ]);
  };
}

/** Counts a connection by all the addresses that it may reach. */
function connectionCounter() {
  const sourceOfAddress = new Counter(LIMITS.sourceOfAddress);
  const networkOfAddress = new Counter(LIMITS.networkOfAddress);
  const address = new Counter(LIMITS.address);
  return (addresses: readonly string[], caller: string) => {
    const callers = networkOf(caller);
    const blocks = [...new Set(addresses.map(addressBlockOf))];
    if (blocks.length > MAX_ADDRESSES) return undefined;
    return countAll([
      ...blocks.map((block) => [sourceOfAddress, `${caller} ${block}`] as const),
      ...blocks.map((block) => [networkOfAddress, `${callers} ${block}`] as const),
      ...blocks.map((block) => [address, block] as const),
    ]);
  };
}

/** @param took milliseconds that the fetch took */
function endLater(all: readonly Counted[], took: number): void {
  const end = () => {
    for (const counted of all) counted.end();
  };
  // Two clocks may differ by a little.
  if (took < 0.9 * FETCH_TIMEOUT) end();
  else setTimeout(end, CONNECTION_OVER - took).unref();
}

function failureAfter(last: Failure | undefined): Failure {
  const delay = last === undefined ? FIRST : Math.min(LONGEST, 2 * last.delay);
  return { until: Date.now() + delay, delay };
}
