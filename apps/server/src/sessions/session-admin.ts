import type { EventActor } from '@gatehouse/contract';
import type { Db, Tx } from '../platform/database/store.ts';
import type { Activity } from './activity.ts';
import { countOpenSessions, type EndedBatch, endSessions, revokeSession } from './end-sessions.ts';
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
import { type RevokedSessions, revokeAndCount, type SessionsOf } from './revocation.ts';
import type { ListedSession, SessionView } from './shown-session.ts';
import type { SessionWindows } from './windows.ts';

/** Sessions for the management API: the rows, corrected by this node's memory, which is ahead of them. */
export class SessionAdmin {
  readonly #activity: Activity;
  readonly #windows: SessionWindows;

  constructor(activity: Activity, windows: SessionWindows) {
    this.#activity = activity;
    this.#windows = windows;
  }

  count(db: Db, applicationIds: readonly string[]): Promise<ReadonlyMap<string, SessionCounts>> {
    return countSessions(db, applicationIds, this.#view(applicationIds));
  }

  list(db: Db, page: SessionPageRequest): Promise<readonly ListedSession[]> {
    return listSessions(db, page, this.#view([page.applicationId]));
  }

  find(db: Db, request: FindSessionsRequest): Promise<FoundSessions> {
    return findSessions(db, request, this.#viewOf(request.filter));
  }

  findById(db: Db, ids: readonly string[], of: SessionsFilter): Promise<readonly FoundSession[]> {
    return findSessionsById(db, ids, this.#viewOf(of));
  }

  /** Counts what {@link SessionAdmin.endAll} would end. */
  countOpen(db: Db, filter: SessionsFilter): Promise<EndedBatch> {
    return countOpenSessions(db, filter, this.#viewOf(filter));
  }

  endAll(tx: Tx, filter: SessionsFilter, actor: EventActor): Promise<EndedBatch> {
    return endSessions(tx, filter, this.#viewOf(filter), actor);
  }

  revoke(
    tx: Tx,
    session: { readonly id: string; readonly applicationId: string },
    actor: EventActor,
  ): Promise<boolean> {
    return revokeSession(tx, session, { windows: this.#windows, actor });
  }

  revokeAll(tx: Tx, of: SessionsOf): Promise<RevokedSessions> {
    const view = of.kind === 'application' ? this.#view([of.id]) : this.#view(undefined, of.id);
    return revokeAndCount(tx, of, view);
  }

  #viewOf({ applicationId, userId }: SessionsFilter): SessionView {
    return this.#view(applicationId === undefined ? undefined : [applicationId], userId);
  }

  #view(applicationIds: readonly string[] | undefined, userId?: string): SessionView {
    const local = this.#activity.localSessions({ applicationIds, userId });
    return { windows: this.#windows, local };
  }
}
