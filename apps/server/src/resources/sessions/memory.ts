import type { Db } from '../../platform/database/store.ts';
import { ProblemError } from '../../platform/problem-error.ts';
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
    return (
      this.#activity.get(row.id) ?? new KnownSession(row, upstreamSessionId, performance.now())
    );
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

export function sessionNotFound(): ProblemError {
  return new ProblemError('session_not_found', 'There is no such open session; initialize again.');
}

/** @param left milliseconds until the token may begin a session there again. */
export function sessionRevoked(left: number): ProblemError {
  const detail = 'The session of this token was revoked; it may begin another one later.';
  return new ProblemError('forbidden', detail, {
    headers: { 'Retry-After': String(Math.ceil(left / 1000)) },
  });
}

export function routeGone(): ProblemError {
  return new ProblemError('not_found', 'There is no such gateway URL.');
}
