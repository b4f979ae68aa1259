import type { ClientHello } from '../mcp/client-hello.ts';
import type { Loaded } from '../platform/changes/create-cache.ts';
import type { Db, Tx } from '../platform/database/store.ts';
import type { Activity } from './activity.ts';
import { lockOpenAggregateSession } from './aggregate-session-repository.ts';
import type { OpenSession, SessionCaller, SessionRoute } from './open-session.ts';
import {
  endUnused,
  expireSessionBehind,
  findSessionBehind,
  isRefused,
  type PlaceBehind,
  type SessionRow,
  useSession,
} from './repository.ts';
import { closeSession } from './session-writes.ts';
import {
  type BegunSession,
  loadedFrom,
  openUpstreamId,
  sessionNotFound,
  storeBegun,
  type UpstreamSessionDeps,
} from './upstream-session.ts';

/** The session of an attachment was revoked by itself: the aggregate session in front of it begins no other one there. */
export class SessionBehindRevoked extends Error {
  override readonly name = 'SessionBehindRevoked';

  constructor() {
    super('The session of this attachment was revoked.');
  }
}

/** A session that has ended here. Its upstream hears of it next. */
export interface EndedUnused
  extends Pick<SessionRow, 'organizationId' | 'applicationId' | 'integrationId' | 'subjectId'> {
  /** Its client's `initialize`. */
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

  /** The caller's own session, if it is in memory and has not been silent for too long. */
  peek(
    route: SessionRoute,
    caller: SessionCaller,
    aggregateSessionId: string,
  ): OpenSession | undefined {
    const { cache } = this.#deps;
    const session = cache.peek(keyOf(placeOf(route, aggregateSessionId)));
    const isOwn = session !== undefined && isOf(session, route, caller);
    return isOwn && !cache.isSilent(session) ? session : undefined;
  }

  /** True if the session has begun, on any node. One indexed read if it is not in memory. */
  async isBegun(
    route: SessionRoute,
    caller: SessionCaller,
    aggregateSessionId: string,
  ): Promise<boolean> {
    if (this.peek(route, caller, aggregateSessionId) !== undefined) return true;
    const row = await this.#find(this.#deps.store.db, placeOf(route, aggregateSessionId));
    return row?.subjectId === caller.subjectId;
  }

  /**
   * The open session, or a new one. Concurrent requests share one beginning on this node; of two nodes, one stores its
   * session and the other discards its own.
   *
   * @param begin begins it upstream
   * @param isUse its client uses it; else it is only read for lists, and ends soon
   * @throws SessionBehindRevoked; ProblemError `session_not_found` once the aggregate session has ended; `not_found`,
   *   `forbidden` like `createSession`; errors of `begin`
   */
  async findOrBegin(
    route: SessionRoute,
    caller: SessionCaller,
    aggregateSessionId: string,
    begin: () => Promise<BegunSession>,
    isUse: boolean,
  ): Promise<OpenSession> {
    const place = placeOf(route, aggregateSessionId);
    const load = () => this.#load(route, caller, place, begin, !isUse);
    const get = () => this.#deps.cache.get(keyOf(place), load);
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
    // This node's memory is newer than the rows.
    await activity.flush();
    const rows = await endUnused(store, size);
    return rows.map((row) => ({
      ...row,
      hello: JSON.parse(row.hello),
      upstreamIdFor: (route) => openUpstreamId(vault, row, route),
    }));
  }

  /** A session that its client uses for the first time must not end as unused at that moment. */
  async #isUsable(session: OpenSession, isUse: boolean): Promise<boolean> {
    const { cache, store } = this.#deps;
    if (cache.isSilent(session) && !(await cache.refresh(session))) return false;
    if (isUse && session.isUnused) session.isUnused = !(await useSession(store.db, session.id));
    return !isUse || !session.isUnused;
  }

  async #load(
    route: SessionRoute,
    caller: SessionCaller,
    place: PlaceBehind,
    begin: () => Promise<BegunSession>,
    isUnused: boolean,
  ): Promise<Loaded<OpenSession>> {
    const { db } = this.#deps.store;
    const row = await this.#find(db, place);
    const loaded = row && this.#readable(row, route);
    if (loaded !== undefined) return loaded;
    await checkNotRevoked(db, place);
    const { aggregateSessionId } = place;
    const beginning = {
      route,
      caller,
      foundBy: { hash: null, aggregateSessionId, isUnused },
      findOther: (tx: Tx) => this.#findOther(tx, route, caller, place),
    };
    return storeBegun(this.#deps, beginning, await begin());
  }

  /** Ends what is left of an earlier one, so that the unique index lets another one be stored. */
  async #findOther(
    { db, announce }: Tx,
    route: SessionRoute,
    { subjectId }: SessionCaller,
    place: PlaceBehind,
  ): Promise<SessionRow | undefined> {
    const isOpen = await lockOpenAggregateSession(db, place.aggregateSessionId, subjectId);
    if (!isOpen) throw sessionNotFound();
    const expiredId = await expireSessionBehind(db, place, this.#deps.windows);
    if (expiredId !== undefined) announce({ kind: 'session', id: expiredId });
    const row = await this.#find(db, place);
    if (row !== undefined && this.#readable(row, route) !== undefined) return row;
    if (row !== undefined && (await closeSession(db, row.id))) {
      announce({ kind: 'session', id: row.id });
    }
    await checkNotRevoked(db, place);
    return undefined;
  }

  #find(db: Db, place: PlaceBehind): Promise<SessionRow | undefined> {
    return findSessionBehind(db, place, this.#deps.windows);
  }

  /** Undefined once the integration has moved: its upstream does not know the session. */
  #readable(row: SessionRow, route: SessionRoute): Loaded<OpenSession> | undefined {
    try {
      return loadedFrom(this.#deps, row, route);
    } catch {
      return undefined;
    }
  }

  /** Every node drops a session that has been silent for too long. Housekeeping does not announce those that it ends. */
  #forget({ id }: OpenSession): Promise<void> {
    return this.#deps.store.transaction(async ({ announce }) => announce({ kind: 'session', id }));
  }
}

function placeOf({ attachmentId }: SessionRoute, aggregateSessionId: string): PlaceBehind {
  return { aggregateSessionId, attachmentId };
}

/** A key that no client can name: a header contains no line feed. */
function keyOf({ aggregateSessionId, attachmentId }: PlaceBehind): string {
  return `${aggregateSessionId}\n${attachmentId}`;
}

function isOf(session: OpenSession, route: SessionRoute, caller: SessionCaller): boolean {
  return session.attachmentId === route.attachmentId && session.subjectId === caller.subjectId;
}

/** @throws SessionBehindRevoked */
async function checkNotRevoked(db: Db, place: PlaceBehind): Promise<void> {
  if (await isRefused(db, place)) throw new SessionBehindRevoked();
}
