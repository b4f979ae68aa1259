import type { Db } from '../platform/database/store.ts';
import { WriteBehind } from '../platform/write-behind.ts';
import {
  deletePresence,
  deletePresenceOfNode,
  LEASE,
  writeActivity,
  writePresence,
} from './activity-writes.ts';
import type { OpenSession } from './open-session.ts';
import type { LocalSessions, SessionsOfSome } from './shown-session.ts';

/** Milliseconds between two writes. */
const WRITE_EVERY = 1_000;

/** Sessions per statement. */
const BATCH = 1_000;

/** Milliseconds between two writes of one session's activity at least, unless the active window is short. */
const ACTIVITY_EVERY = 15_000;

export interface ActivityOptions {
  readonly db: Db;
  readonly nodeId: string;
  readonly activeWindow: number;
  readonly onError: (error: unknown) => void;
}

/**
 * The activity of sessions and their presence on this node, written behind. A tracked session has
 * something in flight, or something that is not written yet; `writer` gets it when that is due.
 */
export class Activity {
  readonly #options: ActivityOptions;
  readonly #tracked = new Map<string, OpenSession>();
  readonly #writer: WriteBehind<OpenSession>;
  /** 0 while closing: everything is due. */
  #activityEvery: number;

  constructor(options: ActivityOptions) {
    this.#options = options;
    this.#activityEvery = Math.min(ACTIVITY_EVERY, options.activeWindow / 4);
    this.#writer = new WriteBehind({
      interval: WRITE_EVERY,
      batchSize: BATCH,
      // Tracked sessions are in memory anyway.
      maxWaiting: Number.POSITIVE_INFINITY,
      collect: () => this.#collectDue(),
      write: (batch) => this.#write([...batch.values()]),
      onError: options.onError,
    });
  }

  /** The tracked object of that session, if there is one: all calls of a session count in one object. */
  sharedObject(session: OpenSession): OpenSession {
    return session.isTracked ? session : (this.#tracked.get(session.id) ?? session);
  }

  /** @returns the shared object of the session, which another call may have tracked before: pass it to `leave` and `touch` */
  enter(loaded: OpenSession): OpenSession {
    const session = this.sharedObject(loaded);
    const now = performance.now();
    if (session.inFlight === 0) session.busySince = now;
    session.inFlight += 1;
    session.activeAt = now;
    this.#track(session);
    return session;
  }

  /** @param session what `enter` returned. */
  leave(session: OpenSession): void {
    session.inFlight -= 1;
    session.activeAt = performance.now();
    this.#track(session);
  }

  /** Sessions with something in flight on this node. */
  countLive(): number {
    let live = 0;
    for (const { inFlight } of this.#tracked.values()) if (inFlight > 0) live += 1;
    return live;
  }

  /** The sessions of these applications or that person; further ones do no harm. */
  localSessions({ applicationId, userId }: SessionsOfSome): LocalSessions {
    const wanted = applicationId && new Set([applicationId].flat());
    const now = performance.now();
    const live: string[] = [];
    const active: string[] = [];
    for (const session of this.#tracked.values()) {
      if (wanted && !wanted.has(session.applicationId)) continue;
      if (userId !== undefined && session.subjectId !== userId) continue;
      if (session.inFlight > 0) live.push(session.id);
      if (session.isTouched || now - session.activeAt < this.#options.activeWindow) {
        active.push(session.id);
      }
    }
    return { nodeId: this.#options.nodeId, live, active };
  }

  /** Writes what is due now. Errors go to `onError`. */
  flush(): Promise<void> {
    return this.#writer.flush().catch(this.#options.onError);
  }

  /** Writes everything and deletes this node's presence. @throws when the database does. */
  async close(): Promise<void> {
    this.#activityEvery = 0;
    await this.#writer.close();
    await deletePresenceOfNode(this.#options.db, this.#options.nodeId);
  }

  #track(session: OpenSession): void {
    if (session.isTracked) return;
    session.isTracked = true;
    this.#tracked.set(session.id, session);
  }

  #collectDue(): void {
    const now = performance.now();
    for (const session of this.#tracked.values()) {
      if (session.isTouched) {
        session.isTouched = false;
        session.activeAt = now;
      }
      const isDue =
        session.isActivityDue(now, this.#activityEvery) ||
        session.isPresenceDue(now) ||
        session.isAbsenceDue();
      if (isDue) this.#writer.add(session.id, session);
    }
  }

  async #write(sessions: readonly OpenSession[]): Promise<ReadonlySet<string>> {
    const now = performance.now();
    const active = sessions.filter((session) => session.isActivityDue(now, this.#activityEvery));
    const present = sessions.filter((session) => session.isPresenceDue(now));
    const absent = sessions.filter((session) => session.isAbsenceDue());
    if (present.length > 0) await this.#writePresence(present);
    if (absent.length > 0) await this.#deletePresence(absent);
    const skipped = active.length > 0 ? await this.#writeActivity(active) : new Set<string>();
    this.#release(sessions);
    return skipped;
  }

  async #writePresence(sessions: readonly OpenSession[]): Promise<void> {
    const { db, nodeId } = this.#options;
    const until = performance.now() + LEASE;
    await writePresence(db, nodeId, idsOf(sessions));
    for (const session of sessions) session.presentUntil = until;
  }

  async #deletePresence(sessions: readonly OpenSession[]): Promise<void> {
    const { db, nodeId } = this.#options;
    await deletePresence(db, nodeId, idsOf(sessions));
    for (const session of sessions) session.presentUntil = 0;
  }

  async #writeActivity(sessions: readonly OpenSession[]): Promise<ReadonlySet<string>> {
    const now = performance.now();
    const sent = sessions.map(({ id, activeAt }) => ({ id, activeAt, age: now - activeAt }));
    const skipped = await writeActivity(this.#options.db, sent);
    for (const [index, session] of sessions.entries()) {
      if (skipped.has(session.id)) continue;
      session.storedActivityAt = Math.max(session.storedActivityAt, sent[index]?.activeAt ?? 0);
      session.activityWrittenAt = now;
    }
    return skipped;
  }

  #release(sessions: readonly OpenSession[]): void {
    for (const session of sessions) {
      if (!session.isSettled()) continue;
      session.isTracked = false;
      this.#tracked.delete(session.id);
    }
  }
}

function idsOf(sessions: readonly OpenSession[]): string[] {
  return sessions.map(({ id }) => id);
}
