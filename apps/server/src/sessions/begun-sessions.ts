import type { Loaded } from '../platform/changes/create-cache.ts';
import type { Store, Tx } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import type { Vault } from '../vault/vault.ts';
import type { OpenSession, SessionCaller, SessionRoute } from './open-session.ts';
import { lockApplication, type NewSession, type SessionRow } from './repository.ts';
import type { SessionCache } from './session-cache.ts';
import type { SessionLimit } from './session-limit.ts';
import { createSession } from './session-writes.ts';
import { openUpstreamId, sealUpstreamId } from './upstream-session-id.ts';
import type { SessionWindows } from './windows.ts';

/** A session that has begun upstream, before it is stored. */
export interface BegunSession {
  /** Undefined if the upstream issues no ids. */
  readonly upstreamSessionId: string | undefined;
  /** Ends it upstream, because it will not be used. Never rejects. */
  discard(): Promise<void>;
}

export interface BegunSessionsDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly windows: SessionWindows;
  readonly limit: SessionLimit;
  /** That of the legacy sessions. */
  readonly cache: SessionCache;
}

/** What will be found of a session: its client's id, or the aggregate session that it is behind. */
type Found = Pick<NewSession, 'hash' | 'aggregateSessionId' | 'isUnused'>;

/**
 * Stores sessions that this gateway has begun upstream for their clients. Of two nodes that have begun one at the same
 * moment, one stores its own, and the other discards its own and uses the stored one.
 */
export class BegunSessions {
  readonly #deps: BegunSessionsDeps;

  constructor(deps: BegunSessionsDeps) {
    this.#deps = deps;
  }

  /** @throws ProblemError `session_not_found` once the integration has moved. */
  toLoaded(row: SessionRow, route: SessionRoute): Loaded<OpenSession> {
    const { cache, vault } = this.#deps;
    return cache.toLoaded(row, openUpstreamId(vault, row, route));
  }

  /**
   * @param findOther the session that is stored already, with the application locked
   * @throws ProblemError `not_found`, `forbidden` like `createSession`; what `findOther` throws
   */
  async store(
    route: SessionRoute,
    caller: SessionCaller,
    begun: BegunSession,
    found: Found,
    findOther: (tx: Tx) => Promise<SessionRow | undefined>,
  ): Promise<Loaded<OpenSession>> {
    const { store, vault, cache, limit } = this.#deps;
    const { upstreamSessionId } = begun;
    const created = createId();
    const sealed = sealUpstreamId(vault, route, caller, { id: created.id, upstreamSessionId });
    const session = { ...created, era: 'legacy', ...found, ...sealed } as const;
    const stored = store.transaction(async (tx) => {
      await lockApplication(tx.db, route.applicationId);
      const other = await findOther(tx);
      if (other !== undefined) return other;
      // Streams of the aggregate session, on any node, hear what the upstream sends from now on.
      const { aggregateSessionId: id } = found;
      if (typeof id === 'string') tx.announce({ kind: 'session', id });
      return createSession(tx.db, { route, caller, session });
    });
    const row = await stored.catch(async (error: unknown) => {
      await begun.discard();
      throw error;
    });
    if (row.id !== created.id) {
      await begun.discard();
      return this.toLoaded(row, route);
    }
    limit.noteOpened(caller.subjectId);
    return cache.toLoaded(row, upstreamSessionId);
  }
}
