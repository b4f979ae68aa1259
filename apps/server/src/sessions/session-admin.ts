import type { EventActor } from '@gatehouse/contract';
import type { Db, Tx } from '../platform/database/store.ts';
import type { Activity } from './activity.ts';
import { countOpenSessions, type EndedBatch, endSessions } from './end-sessions.ts';
import {
  type FindSessionsRequest,
  type FoundSession,
  type FoundSessions,
  findSessions,
  findSessionsById,
  type SessionsFilter,
} from './find-sessions.ts';
import {
  countSessions,
  listSessions,
  type SessionCounts,
  type SessionPageRequest,
} from './listing.ts';
import {
  type RevokedSessions,
  revokeAndCount,
  revokeSession,
  type SessionsOf,
} from './revocation.ts';
import type { ListedSession } from './shown-session.ts';
import type { SessionWindows } from './windows.ts';

/** Sessions as the management API shows and ends them: as the database has them, and this node's memory, which is ahead of it. */
export class SessionAdmin {
  readonly #activity: Activity;
  readonly #windows: SessionWindows;

  constructor(activity: Activity, windows: SessionWindows) {
    this.#activity = activity;
    this.#windows = windows;
  }

  /** The counters of these applications, in one grouped, indexed query. */
  count(db: Db, applicationIds: readonly string[]): Promise<ReadonlyMap<string, SessionCounts>> {
    const local = this.#activity.localSessions(new Set(applicationIds));
    return countSessions(db, applicationIds, this.#windows, local);
  }

  /** Sessions in any state, newest first. */
  list(db: Db, page: SessionPageRequest): Promise<readonly ListedSession[]> {
    const local = this.#activity.localSessions(new Set([page.applicationId]));
    return listSessions(db, page, this.#windows, local);
  }

  /** Across applications, newest first. */
  find(db: Db, request: FindSessionsRequest): Promise<FoundSessions> {
    const local = this.#activity.localSessionsFor(request.filter);
    return findSessions(db, request, this.#windows, local);
  }

  /** These of an organization, newest first. */
  findById(
    db: Db,
    ids: readonly string[],
    filter: SessionsFilter,
  ): Promise<readonly FoundSession[]> {
    const local = this.#activity.localSessionsFor(filter);
    return findSessionsById(db, ids, this.#windows, local);
  }

  /** What {@link SessionAdmin.endAll} would end. */
  countOpen(db: Db, filter: SessionsFilter): Promise<EndedBatch> {
    const local = this.#activity.localSessionsFor(filter);
    return countOpenSessions(db, filter, { windows: this.#windows, local });
  }

  /** Like `endSessions`. */
  endAll(tx: Tx, filter: SessionsFilter, actor: EventActor): Promise<EndedBatch> {
    const local = this.#activity.localSessionsFor(filter);
    return endSessions(tx, filter, { windows: this.#windows, local, actor });
  }

  /** Like `revokeSession`. */
  revoke(
    tx: Tx,
    session: { readonly id: string; readonly applicationId: string },
    actor: EventActor,
  ): Promise<boolean> {
    return revokeSession(tx, session, { windows: this.#windows, actor });
  }

  /** Revokes all open sessions of an application or a member, counts them, and announces that row. */
  revokeAll(tx: Tx, of: SessionsOf): Promise<RevokedSessions> {
    const local = this.#activity.localSessionsOf(of);
    return revokeAndCount(tx, of, { windows: this.#windows, local });
  }
}
