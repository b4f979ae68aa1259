import type { ProviderEndpoint, ProviderRequest } from '../http/provider-request.ts';
import type { Reply } from '../http/reply.ts';
import { appliesTo, isAfter } from './change-reply.ts';
import type { ActiveFault, FaultAfter, FaultBefore, FaultOptions, ProviderFault } from './fault.ts';

interface Entry {
  readonly endpoint: ProviderEndpoint;
  readonly fault: ProviderFault;
  readonly when: (request: ProviderRequest) => boolean;
  left: number;
  hit(): void;
  clear(): void;
  readonly released: Promise<void>;
}

/** A fault that applies to a request now. */
export interface TakenFault<Kind extends ProviderFault> {
  readonly fault: Kind;
  /** Resolves when the fault is released or cleared. */
  readonly released: Promise<void>;
}

/** The faults of all endpoints. */
export interface FaultTable {
  set(endpoint: ProviderEndpoint, fault: ProviderFault, options?: FaultOptions): ActiveFault;
  /** Clears those of an endpoint, or all. */
  clear(endpoint?: ProviderEndpoint): void;
  /** The first fault that acts before this request is handled, counted as a hit. */
  takeBefore(request: ProviderRequest): TakenFault<FaultBefore> | undefined;
  /** The first fault of this response, counted as a hit. */
  takeAfter(request: ProviderRequest, reply: Reply): TakenFault<FaultAfter> | undefined;
}

/** Creates an empty table. */
export function createFaultTable(): FaultTable {
  const entries: Entry[] = [];

  const take = (request: ProviderRequest, isWanted: (fault: ProviderFault) => boolean) => {
    const entry = entries.find(
      ({ endpoint, fault, left, when }) =>
        endpoint === request.endpoint && left > 0 && isWanted(fault) && when(request),
    );
    entry?.hit();
    return entry;
  };

  return {
    set(endpoint, fault, { times = Number.POSITIVE_INFINITY, when = () => true } = {}) {
      const waiting: { readonly hits: number; readonly resolve: () => void }[] = [];
      let hits = 0;
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const clear = (): void => {
        release();
        const index = entries.indexOf(entry);
        if (index >= 0) entries.splice(index, 1);
      };
      const entry: Entry = {
        endpoint,
        fault,
        when,
        left: times,
        released,
        clear,
        hit() {
          entry.left -= 1;
          hits += 1;
          for (const waiter of waiting) if (waiter.hits <= hits) waiter.resolve();
        },
      };
      entries.push(entry);
      return {
        get hits() {
          return hits;
        },
        reached: (wanted = 1) =>
          new Promise((resolve) => {
            if (hits >= wanted) resolve();
            else waiting.push({ hits: wanted, resolve });
          }),
        release,
        clear,
      };
    },
    clear(endpoint) {
      for (const entry of [...entries]) {
        if (endpoint === undefined || entry.endpoint === endpoint) entry.clear();
      }
    },
    takeBefore(request) {
      const entry = take(request, (fault) => !isAfter(fault));
      return entry && !isAfter(entry.fault) ? { ...entry, fault: entry.fault } : undefined;
    },
    takeAfter(request, reply) {
      const entry = take(request, (fault) => isAfter(fault) && appliesTo(fault, reply));
      return entry && isAfter(entry.fault) ? { ...entry, fault: entry.fault } : undefined;
    },
  };
}
