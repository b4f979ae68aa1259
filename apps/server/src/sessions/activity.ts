import type { Db } from '../platform/database/store.ts';
import {
  BATCH,
  clearPresence,
  deletePresence,
  LEASE,
  writeActivity,
  writePresence,
} from './activity-writes.ts';
import type { KnownSession } from './known-session.ts';

/** Milliseconds: between two looks, until a call in flight is worth a row, between two activity writes. */
const TICK = 1_000;
const PRESENCE_AFTER = 1_000;
const WRITE_EVERY = 15_000;

export interface ActivityOptions {
  readonly db: Db;
  readonly nodeId: string;
  readonly activeWindow: number;
  readonly onError: (error: unknown) => void;
}

/**
 * What happens in sessions, written behind the calls: their activity and their presence on this
 * node, in batches. Whatever fails is tried again at the next tick.
 */
export class Activity {
  readonly #options: ActivityOptions;
  readonly #tracked = new Map<string, KnownSession>();
  readonly #timer: NodeJS.Timeout;
  readonly #writeEvery: number;
  #running: Promise<void> | undefined;

  constructor(options: ActivityOptions) {
    this.#options = options;
    this.#writeEvery = Math.min(WRITE_EVERY, options.activeWindow / 4);
    this.#timer = setInterval(() => void this.tick(), TICK);
    this.#timer.unref();
  }

  /** The one object of a session with something in flight or yet to write; the given one before that. */
  held(session: KnownSession): KnownSession {
    return session.isTracked ? session : (this.#tracked.get(session.id) ?? session);
  }

  tracked(): Iterable<KnownSession> {
    return this.#tracked.values();
  }

  /** Another call may have begun with another object since this one was loaded: that one goes on. */
  begin(loaded: KnownSession): KnownSession {
    const session = this.held(loaded);
    const now = performance.now();
    if (session.inFlight === 0) session.busySince = now;
    session.inFlight += 1;
    session.activeAt = now;
    this.#track(session);
    return session;
  }

  /** @param session what `begin` returned. */
  done(session: KnownSession): void {
    session.inFlight -= 1;
    session.activeAt = performance.now();
    this.#track(session);
  }

  /** Writes what is due now. */
  tick(): Promise<void> {
    this.#running ??= this.#write(false)
      .catch(this.#options.onError)
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  /** Writes everything and takes this node's presence away. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
    await this.#write(true);
    await clearPresence(this.#options.db, this.#options.nodeId);
  }

  #track(session: KnownSession): void {
    if (session.isTracked) return;
    session.isTracked = true;
    this.#tracked.set(session.id, session);
  }

  async #write(isLast: boolean): Promise<void> {
    const now = performance.now();
    const active: KnownSession[] = [];
    const present: KnownSession[] = [];
    const absent: KnownSession[] = [];
    for (const session of this.#tracked.values()) {
      if (session.isTouched) {
        session.isTouched = false;
        session.activeAt = now;
      }
      if (isActivityDue(session, now, isLast ? 0 : this.#writeEvery)) active.push(session);
      if (isPresenceDue(session, now)) present.push(session);
      else if (session.inFlight === 0 && session.presentUntil > 0) absent.push(session);
    }
    await this.#writePresence(present);
    await this.#deletePresence(absent);
    await this.#writeActivity(active);
    this.#release();
  }

  async #writePresence(sessions: readonly KnownSession[]): Promise<void> {
    const { db, nodeId } = this.#options;
    for (const batch of batches(sessions)) {
      const until = performance.now() + LEASE;
      await writePresence(
        db,
        nodeId,
        batch.map(({ id }) => id),
      );
      for (const session of batch) session.presentUntil = until;
    }
  }

  async #deletePresence(sessions: readonly KnownSession[]): Promise<void> {
    const { db, nodeId } = this.#options;
    for (const batch of batches(sessions)) {
      await deletePresence(
        db,
        nodeId,
        batch.map(({ id }) => id),
      );
      for (const session of batch) session.presentUntil = 0;
    }
  }

  async #writeActivity(sessions: readonly KnownSession[]): Promise<void> {
    for (const batch of batches(sessions)) {
      const now = performance.now();
      const known = batch.map(({ activeAt }) => activeAt);
      const left = await writeActivity(
        this.#options.db,
        batch.map(({ id, activeAt }) => ({ id, age: now - activeAt })),
      );
      for (const [index, session] of batch.entries()) {
        if (left.has(session.id)) continue;
        session.writtenActivityAt = Math.max(session.writtenActivityAt, known[index] ?? 0);
        session.wroteAt = now;
      }
    }
  }

  #release(): void {
    for (const session of this.#tracked.values()) {
      if (!session.isSettled()) continue;
      session.isTracked = false;
      this.#tracked.delete(session.id);
    }
  }
}

function isActivityDue(session: KnownSession, now: number, writeEvery: number): boolean {
  return session.activeAt > session.writtenActivityAt && now - session.wroteAt >= writeEvery;
}

function isPresenceDue(session: KnownSession, now: number): boolean {
  return (
    session.inFlight > 0 &&
    now - session.busySince >= PRESENCE_AFTER &&
    session.presentUntil - now < LEASE / 2
  );
}

function* batches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += BATCH) {
    yield items.slice(start, start + BATCH);
  }
}
