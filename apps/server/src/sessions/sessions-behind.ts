import type { ClientHello } from '../mcp/client-hello.ts';
import type { Loaded } from '../platform/changes/create-cache.ts';
import type { Db, Tx } from '../platform/database/store.ts';
import type { Activity } from './activity.ts';
import { lockOpenAggregateSession } from './aggregate-session-repository.ts';
import type { OpenSession, SessionCaller, SessionRoute } from './open-session.ts';
import { findAggregatedSession, isAggregatedRefused, type SessionRow } from './repository.ts';
import { closeSession, expireAggregatedSession } from './session-writes.ts';
import { type BegunSession, storeBegun, type UpstreamSessionDeps } from './store-begun.ts';
import { endUnused, useSession } from './unused-sessions.ts';
import { openUpstreamId, sessionNotFound } from './upstream-session-id.ts';

/** The session of an attachment was revoked by itself: the aggregate session that it was behind begins no other one there. */
export class AggregatedSessionRevoked extends Error {
  override readonly name = 'AggregatedSessionRevoked';

  constructor() {
    super('The session of this attachment was revoked.');
  }
}

/** A session that has ended here. Its upstream hears of it next. */
export interface EndedUnused
  extends Pick<SessionRow, 'organizationId' | 'applicationId' | 'integrationId' | 'subjectId'> {
  /** What its client has said. */
  readonly hello: ClientHello;
  /** Undefined where the upstream issues no ids. @throws ProblemError `session_not_found` once the integration has moved */
  upstreamIdFor(route: SessionRoute): string | undefined;
}

export interface SessionsBehindDeps extends UpstreamSessionDeps {
  readonly activity: Pick<Activity, 'flush'>;
}

/**
 * The sessions behind aggregate sessions: one for each attachment that its client uses, begun when it is first needed, and
 * again after it has ended.
 */
export class SessionsBehind {
  readonly #deps: SessionsBehindDeps;

  constructor(deps: SessionsBehindDeps) {
    this.#deps = deps;
  }

  /** If it is in memory, and has not been silent for too long. */
  peek(
    route: SessionRoute,
    caller: SessionCaller,
    aggregateSessionId: string,
  ): OpenSession | undefined {
    const { cache } = this.#deps;
    const session = cache.peek(keyOf(route, aggregateSessionId));
    const isOwn = session !== undefined && isOf(session, route, caller);
    return isOwn && !cache.isSilent(session) ? session : undefined;
  }

  /** Whether it has begun, on any node. Begins nothing: one indexed read if it is not in memory. */
  async isBegun(
    route: SessionRoute,
    caller: SessionCaller,
    aggregateSessionId: string,
  ): Promise<boolean> {
    if (this.peek(route, caller, aggregateSessionId) !== undefined) return true;
    const row = await this.#find(this.#deps.store.db, route, aggregateSessionId);
    return row?.subjectId === caller.subjectId;
  }

  /**
   * That session, or a new one. Requests that need it at the same moment share one beginning on this node; of two nodes, one stores
   * its session and the other discards its own.
   *
   * @param begin begins it upstream
   * @param isUse its client uses it; else it is only read for lists, and ends soon
   * @throws AggregatedSessionRevoked; ProblemError `session_not_found` once the aggregate session has ended; `not_found`,
   *   `forbidden` like `createSession`; what `begin` throws
   */
  async findOrBegin(
    route: SessionRoute,
    caller: SessionCaller,
    aggregateSessionId: string,
    begin: () => Promise<BegunSession>,
    isUse: boolean,
  ): Promise<OpenSession> {
    const { cache } = this.#deps;
    const foundBy = { hash: null, aggregateSessionId, isUnused: !isUse };
    const load = () => this.#load(route, caller, foundBy, begin);
    const get = () => cache.get(keyOf(route, aggregateSessionId), load);
    let session = await get();
    while (!(await this.#isUsable(session, isUse))) {
      await this.#forget(session);
      session = await get();
    }
    if (!isOf(session, route, caller)) throw sessionNotFound();
    return session;
  }

  /** Ends those that their clients have not used: at most this many. */
  async endUnused(size: number): Promise<readonly EndedUnused[]> {
    const { activity, store, vault } = this.#deps;
    // What this node knows of them is newer.
    await activity.flush();
    const rows = await endUnused(store, size);
    return rows.map((row) => ({
      ...row,
      hello: JSON.parse(row.hello),
      upstreamIdFor: (route) => openUpstreamId(vault, row, route),
    }));
  }

  /** One that its client uses for the first time must not end as unused at that moment. */
  async #isUsable(session: OpenSession, isUse: boolean): Promise<boolean> {
    const { cache, store } = this.#deps;
    if (cache.isSilent(session) && !(await cache.refresh(session))) return false;
    if (isUse && session.isUnused) session.isUnused = !(await useSession(store.db, session.id));
    return !isUse || !session.isUnused;
  }

  async #load(
    route: SessionRoute,
    caller: SessionCaller,
    foundBy: {
      readonly hash: null;
      readonly aggregateSessionId: string;
      readonly isUnused: boolean;
    },
    begin: () => Promise<BegunSession>,
  ): Promise<Loaded<OpenSession>> {
    const { aggregateSessionId } = foundBy;
    const { db } = this.#deps.store;
    const row = await this.#find(db, route, aggregateSessionId);
    const loaded = row && this.#readable(row, route);
    if (loaded !== undefined) return loaded;
    await checkNotRevoked(db, route, aggregateSessionId);
    const findOther = (tx: Tx) => this.#findOther(tx, route, caller, aggregateSessionId);
    return storeBegun(this.#deps, { route, caller, foundBy, findOther }, await begin());
  }

  /** Ends what is left of an earlier one, so that the unique index lets another one be stored. */
  async #findOther(
    { db, announce }: Tx,
    route: SessionRoute,
    caller: SessionCaller,
    aggregateSessionId: string,
  ): Promise<SessionRow | undefined> {
    const isOpen = await lockOpenAggregateSession(db, aggregateSessionId, caller.subjectId);
    if (!isOpen) throw sessionNotFound();
    const { attachmentId } = route;
    const { windows } = this.#deps;
    const expiredId = await expireAggregatedSession(db, aggregateSessionId, attachmentId, windows);
    if (expiredId !== undefined) announce({ kind: 'session', id: expiredId });
    const row = await this.#find(db, route, aggregateSessionId);
    if (row !== undefined && this.#readable(row, route) !== undefined) return row;
    if (row !== undefined && (await closeSession(db, row.id))) {
      announce({ kind: 'session', id: row.id });
    }
    await checkNotRevoked(db, route, aggregateSessionId);
    return undefined;
  }

  #find(
    db: Db,
    { attachmentId }: SessionRoute,
    aggregateSessionId: string,
  ): Promise<SessionRow | undefined> {
    return findAggregatedSession(db, aggregateSessionId, attachmentId, this.#deps.windows);
  }

  /** Undefined once the integration has moved: its upstream does not know the session. */
  #readable(row: SessionRow, route: SessionRoute): Loaded<OpenSession> | undefined {
    try {
      const { cache, vault } = this.#deps;
      return cache.toLoaded(row, openUpstreamId(vault, row, route));
    } catch {
      return undefined;
    }
  }

  /** Every node drops a session that has been silent for too long. Housekeeping does not announce those that it ends. */
  #forget({ id }: OpenSession): Promise<void> {
    return this.#deps.store.transaction(async ({ announce }) => announce({ kind: 'session', id }));
  }
}

/** No client can name it: a header contains no line feed. */
function keyOf({ attachmentId }: SessionRoute, aggregateSessionId: string): string {
  return `${aggregateSessionId}\n${attachmentId}`;
}

function isOf(session: OpenSession, route: SessionRoute, caller: SessionCaller): boolean {
  return session.attachmentId === route.attachmentId && session.subjectId === caller.subjectId;
}

/** @throws AggregatedSessionRevoked */
async function checkNotRevoked(
  db: Db,
  { attachmentId }: SessionRoute,
  aggregateSessionId: string,
): Promise<void> {
  const isRefused = await isAggregatedRefused(db, aggregateSessionId, attachmentId);
  if (isRefused) throw new AggregatedSessionRevoked();
}
