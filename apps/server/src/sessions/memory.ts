import type { Db } from '../platform/database/store.ts';
import type { Activity } from './activity.ts';
import { KnownSession } from './known-session.ts';
import { findOpenSession, type SessionRow } from './repository.ts';
import { type SessionWindows, ttlOf } from './windows.ts';

/** This node's view of sessions: one object for each, and whether it has been silent for too long. */
export class SessionMemory {
  readonly #db: Db;
  readonly #windows: SessionWindows;
  readonly #activity: Activity;

  constructor(db: Db, windows: SessionWindows, activity: Activity) {
    this.#db = db;
    this.#windows = windows;
    this.#activity = activity;
  }

  know(row: SessionRow, upstreamSessionId: string | undefined): KnownSession {
    return this.#activity.held(new KnownSession(row, upstreamSessionId, performance.now()));
  }

  /** What a cache holds may have been loaded beside the object that is in flight. */
  held(session: KnownSession): KnownSession {
    return this.#activity.held(session);
  }

  isSilent(session: KnownSession): boolean {
    if (session.inFlight > 0) return false;
    return performance.now() - session.activeAt > ttlOf(this.#windows, session.era);
  }

  /** Silent here for too long: only the database knows whether other nodes heard from it. */
  async isRevived(session: KnownSession): Promise<boolean> {
    const row = await findOpenSession(this.#db, session.id, this.#windows);
    if (row === undefined) return false;
    session.activeAt = Math.max(session.activeAt, performance.now() - row.silentFor);
    return true;
  }
}
