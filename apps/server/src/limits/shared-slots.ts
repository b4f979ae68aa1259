import { ProblemError } from '../platform/problem-error.ts';
import { type Counter, type Limit, SLOT_PAUSE, type Taking } from './counter.ts';
import { LEASE, type LimitStore } from './limit-store.ts';

/** Keys with requests in progress, or until a moment ago. More are refused. */
const MAX_KEYS = 20_000;

/** The parts in which a node takes a limit at most. */
const PARTS = 20;

/** Milliseconds between two looks at what can be given back: so long a slot is kept at least. */
const LOOK_EVERY = 1_000;

/** Milliseconds of a lease after which it is renewed. */
const RENEW_AFTER = 2_000;

/** Leases in one statement. */
const BATCH = 200;

/** What this node may use of one key's limit. Times are by the clock of `performance`. */
interface Lease {
  limit: number;
  slots: number;
  used: number;
  /** The most that were used since the last look. */
  peak: number;
  /** From then on other nodes may have the slots. */
  until: number;
  /** Until then it is not worth asking for more. */
  fullUntil: number;
  /** The statement about this lease, of which there is one at a time. */
  writing: Promise<void> | undefined;
}

export interface SharedSlotsOptions {
  readonly store: Pick<LimitStore, 'takeSlots' | 'keepSlots'>;
  /** Called when leases could not be renewed. */
  readonly onError: (error: unknown) => void;
}

/** Counts the requests in progress, together with other nodes: each has leases in the database. */
export class SharedSlots implements Counter {
  readonly #options: SharedSlotsOptions;
  readonly #leases = new Map<string, Lease>();
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> = Promise.resolve();
  #isLooking = false;

  constructor(options: SharedSlotsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      if (!this.#isLooking) this.#looking = this.#look().catch(options.onError);
    }, LOOK_EVERY);
    this.#timer.unref();
  }

  take({ key, limit }: Limit, count: number): Taking {
    if (count > limit) return SLOT_PAUSE;
    const now = performance.now();
    const lease = this.#leaseOf(key, limit);
    if (lease === undefined) return () => Promise.reject(tooManyKeys());
    const slots = now < lease.until ? lease.slots : 0;
    if (lease.used + count <= slots) {
      lease.used += count;
      lease.peak = Math.max(lease.peak, lease.used);
      return 0;
    }
    return now < lease.fullUntil ? lease.fullUntil - now : () => this.#ask(key, lease, count);
  }

  giveBack(key: string, count: number): void {
    const lease = this.#leases.get(key);
    if (lease !== undefined) lease.used -= count;
  }

  /** Gives all slots back. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    for (const lease of this.#leases.values()) lease.used = lease.peak = 0;
    await this.#look();
  }

  /** Undefined where there are too many. */
  #leaseOf(key: string, limit: number): Lease | undefined {
    const known = this.#leases.get(key);
    if (known === undefined) {
      if (this.#leases.size >= MAX_KEYS) return undefined;
      const made = {
        limit,
        slots: 0,
        used: 0,
        peak: 0,
        until: 0,
        fullUntil: 0,
        writing: undefined,
      };
      this.#leases.set(key, made);
      return made;
    }
    if (known.limit !== limit) {
      known.limit = limit;
      giveUpUnused(known);
    }
    return known;
  }

  #ask(key: string, lease: Lease, count: number): Promise<void> {
    return lease.writing ?? this.#write([lease], () => this.#takeMore(key, lease, count));
  }

  async #takeMore(key: string, lease: Lease, count: number): Promise<void> {
    const { limit, used } = lease;
    const askedAt = performance.now();
    const held = Math.max(used, askedAt < lease.until ? lease.slots : 0);
    const wanted = held + Math.max(Math.ceil(limit / PARTS), used + count - held);
    lease.slots = await this.#options.store.takeSlots({ key, limit }, { used, wanted });
    lease.until = askedAt + LEASE;
    lease.fullUntil = lease.slots < wanted ? performance.now() + SLOT_PAUSE : 0;
    if (lease.limit !== limit) giveUpUnused(lease);
  }

  /** Renews leases in use, gives back what was not used since the last look, and forgets what is over. */
  async #look(): Promise<void> {
    this.#isLooking = true;
    try {
      const due = [...this.#dueLeases()];
      while (due.length > 0) {
        // One that has been asked for meanwhile is renewed by that.
        const batch = due.splice(0, BATCH).filter(([, { writing }]) => writing === undefined);
        if (batch.length === 0) continue;
        const leases = batch.map(([, lease]) => lease);
        await this.#write(leases, () => this.#keep(new Map(batch)));
      }
    } finally {
      this.#isLooking = false;
    }
  }

  *#dueLeases(): Iterable<[string, Lease]> {
    const now = performance.now();
    for (const [key, lease] of this.#leases) {
      const { slots, used, peak } = lease;
      if (lease.writing !== undefined) continue;
      lease.peak = used;
      if (used === 0 && (slots === 0 || lease.until <= now)) {
        if (lease.fullUntil <= now) this.#leases.delete(key);
      } else if (peak < slots || lease.until - LEASE + RENEW_AFTER <= now) {
        lease.slots = Math.min(slots, peak);
        yield [key, lease];
      }
    }
  }

  async #keep(leases: ReadonlyMap<string, Lease>): Promise<void> {
    const askedAt = performance.now();
    const slots = new Map([...leases].map(([key, lease]) => [key, lease.slots]));
    const kept = await this.#options.store.keepSlots(slots);
    for (const [key, lease] of leases) {
      lease.slots = kept.get(key) ?? 0;
      lease.until = askedAt + LEASE;
    }
  }

  async #write(leases: readonly Lease[], write: () => Promise<void>): Promise<void> {
    const writing = write().finally(() => {
      for (const lease of leases) lease.writing = undefined;
    });
    for (const lease of leases) lease.writing = writing;
    await writing;
  }
}

/** What was taken of another limit has to be asked for again. */
function giveUpUnused(lease: Lease): void {
  lease.slots = Math.min(lease.slots, lease.used);
  lease.fullUntil = 0;
}

function tooManyKeys(): ProblemError {
  return new ProblemError(
    'overloaded',
    'The service has too many limited callers in hand. Try again shortly.',
    { headers: { 'Retry-After': '1' } },
  );
}
