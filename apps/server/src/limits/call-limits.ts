import { randomUUID } from 'node:crypto';
import type { Store } from '../platform/database/store.ts';
import { type Counter, type Limit, LocalBudgets, LocalSlots } from './counter.ts';
import type { LevelLimits, LimitLevel } from './levels.ts';
import { createLimitStore } from './limit-store.ts';
import { SharedBudgets } from './shared-budgets.ts';
import { SharedSlots } from './shared-slots.ts';

export type LimitKind = 'perMinute' | 'concurrent';

/** A limit that is used up. Nothing was taken of any. */
export interface Limited {
  readonly kind: 'limited';
  readonly level: LimitLevel;
  readonly limit: LimitKind;
  /** Seconds, at least 1. */
  readonly retryAfter: number;
}

/** Requests that may go up; to be released once, when they have ended. */
export interface Reservation {
  readonly kind: 'reserved';
  release(): void;
}

/** The amount that a call takes of each kind of limit. */
export type Counts = Readonly<Record<LimitKind, number>>;

/** Bounds the calls of people, applications and integrations, on all nodes together. */
export interface CallLimits {
  /**
   * Reserves room for all messages of a call, or takes nothing. Synchronous when what it needs is in memory, as in
   * steady state. It rejects like `Store.statement`, and with ProblemError `overloaded`.
   */
  reserve(
    levels: readonly LevelLimits[],
    subjectId: string,
    counts: Counts,
  ): Reservation | Limited | Promise<Reservation | Limited>;
  /** Gives back what this node has taken. */
  close(): Promise<void>;
}

export interface CallLimitsOptions {
  readonly store: Pick<Store, 'kind' | 'statement'>;
  readonly onError: (error: unknown) => void;
}

/** On PostgreSQL nodes share the limits through the database; an embedded database has one process. */
export function createCallLimits({ store, onError }: CallLimitsOptions): CallLimits {
  if (store.kind === 'pglite') {
    return callLimitsOf({ perMinute: new LocalBudgets(), concurrent: new LocalSlots() });
  }
  const limitStore = createLimitStore(store, randomUUID());
  const slots = new SharedSlots({ store: limitStore, onError });
  const counters = { perMinute: new SharedBudgets(limitStore), concurrent: slots };
  return callLimitsOf(counters, () => slots.close());
}

type Counters = Readonly<Record<LimitKind, Counter>>;

const NOTHING_TO_CLOSE = () => Promise.resolve();

/** @param close of the counters */
export function callLimitsOf(counters: Counters, close = NOTHING_TO_CLOSE): CallLimits {
  return {
    reserve(levels, subjectId, counts) {
      const wanted = wantedOf(levels, subjectId, counters, counts);
      const outcome = reserveNow(wanted);
      return typeof outcome === 'function' ? reserveLater(outcome, wanted) : outcome;
    },
    close,
  };
}

/** One limit to take from. */
interface Wanted extends Limit {
  readonly level: LimitLevel;
  readonly kind: LimitKind;
  readonly counter: Counter;
  readonly count: number;
}

function wantedOf(
  levels: readonly LevelLimits[],
  subjectId: string,
  counters: Counters,
  counts: Counts,
): readonly Wanted[] {
  const wanted: Wanted[] = [];
  for (const { level, key: shared, limits } of levels) {
    const key = level === 'person' ? shared + subjectId : shared;
    for (const kind of KINDS) {
      const limit = limits[kind];
      const count = counts[kind];
      if (limit === undefined || count === 0) continue;
      wanted.push({ level, kind, key, limit, counter: counters[kind], count });
    }
  }
  return wanted;
}

/** Once a minute is spent, no slot is asked for. */
const KINDS = ['perMinute', 'concurrent'] as const satisfies readonly LimitKind[];

/** Takes from all limits, or takes nothing. Returns what asks the database where one needs that. */
function reserveNow(wanted: readonly Wanted[]): Reservation | Limited | (() => Promise<void>) {
  const taken: Wanted[] = [];
  for (const one of wanted) {
    const taking = one.counter.take(one, one.count);
    if (taking === 0) {
      taken.push(one);
      continue;
    }
    for (const { counter, key, count } of taken) counter.giveBack(key, count);
    return typeof taking === 'function' ? taking : limitedBy(one, taking);
  }
  return new Taken(taken);
}

async function reserveLater(
  ask: () => Promise<void>,
  wanted: readonly Wanted[],
): Promise<Reservation | Limited> {
  for (let next = ask; ; ) {
    await next();
    const outcome = reserveNow(wanted);
    if (typeof outcome !== 'function') return outcome;
    next = outcome;
  }
}

function limitedBy({ level, kind }: Wanted, milliseconds: number): Limited {
  return { kind: 'limited', level, limit: kind, retryAfter: Math.ceil(milliseconds / 1000) };
}

class Taken implements Reservation {
  readonly kind = 'reserved';
  readonly #taken: readonly Wanted[];

  constructor(taken: readonly Wanted[]) {
    this.#taken = taken;
  }

  /** Ends the call. Its count of the minute stays. */
  release(): void {
    for (const { kind, counter, key, count } of this.#taken) {
      if (kind === 'concurrent') counter.giveBack(key, count);
    }
  }
}
