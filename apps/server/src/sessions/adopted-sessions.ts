import type { Loaded } from '../platform/changes/create-cache.ts';
import type { Db, Store } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import { hashSecret } from '../platform/secrets.ts';
import type { Vault } from '../vault/vault.ts';
import type { OpenSession, SessionCaller, SessionRoute } from './open-session.ts';
import { findSessionInAnyState, lockApplication, type SessionRow } from './repository.ts';
import type { SessionCache } from './session-cache.ts';
import type { SessionLimit } from './session-limit.ts';
import { createSession } from './session-writes.ts';
import { openUpstreamId, sealUpstreamId, sessionNotFound } from './upstream-session-id.ts';
import type { SessionWindows } from './windows.ts';

/** A session that has begun upstream, before it is stored. */
export interface BegunSession {
  /** Undefined if the upstream issues no ids. */
  readonly upstreamSessionId: string | undefined;
  /** Ends it upstream, because it will not be used. Never rejects. */
  discard(): Promise<void>;
}

export interface AdoptedSessionsDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly windows: SessionWindows;
  readonly limit: SessionLimit;
  /** That of the legacy sessions, by the client's session id. */
  readonly cache: SessionCache;
}

/**
 * Connect sessions of people who have connected meanwhile: each becomes the legacy session of its id,
 * once.
 */
export class AdoptedSessions {
  readonly #deps: AdoptedSessionsDeps;

  constructor(deps: AdoptedSessionsDeps) {
    this.#deps = deps;
  }

  /**
   * The session of that id. Requests that need it at the same moment share one beginning on this node; of
   * two nodes, one stores its session and the other discards its own.
   *
   * @param begin begins it upstream
   * @throws ProblemError `session_not_found` once it has ended; `not_found`, `forbidden` like
   *   `createSession`; what `begin` throws
   */
  adopt(
    route: SessionRoute,
    caller: SessionCaller,
    clientSessionId: string,
    begin: () => Promise<BegunSession>,
  ): Promise<OpenSession> {
    return this.#deps.cache.get(clientSessionId, async () => {
      const { db } = this.#deps.store;
      const hash = hashSecret(clientSessionId);
      const row = await this.#find(db, hash);
      if (row !== undefined) return this.#toLoaded(row, route);
      return this.#create(route, caller, hash, await begin());
    });
  }

  /** The session of that id, if it was adopted. @throws ProblemError `session_not_found` once it has ended. */
  async find(route: SessionRoute, clientSessionId: string): Promise<OpenSession | undefined> {
    const row = await this.#find(this.#deps.store.db, hashSecret(clientSessionId));
    if (row === undefined) return undefined;
    return this.#deps.cache.get(clientSessionId, async () => this.#toLoaded(row, route));
  }

  async #find(db: Db, hash: Buffer): Promise<SessionRow | undefined> {
    const row = await findSessionInAnyState(db, hash, this.#deps.windows);
    if (row?.isOpen === false) throw sessionNotFound();
    return row;
  }

  #toLoaded(row: SessionRow, route: SessionRoute): Loaded<OpenSession> {
    const { cache, vault } = this.#deps;
    return cache.toLoaded(row, openUpstreamId(vault, row, route));
  }

  async #create(
    route: SessionRoute,
    caller: SessionCaller,
    hash: Buffer<ArrayBuffer>,
    begun: BegunSession,
  ): Promise<Loaded<OpenSession>> {
    const { store, vault, cache, limit } = this.#deps;
    const { upstreamSessionId } = begun;
    const created = createId();
    const sealed = sealUpstreamId(vault, route, caller, { id: created.id, upstreamSessionId });
    const session = { ...created, era: 'legacy', hash, ...sealed } as const;
    const stored = store.transaction(async ({ db }) => {
      await lockApplication(db, route.applicationId);
      const other = await this.#find(db, hash);
      return other ?? createSession(db, { route, caller, session });
    });
    const row = await stored.catch(async (error: unknown) => {
      await begun.discard();
      throw error;
    });
    if (row.id !== created.id) {
      await begun.discard();
      return this.#toLoaded(row, route);
    }
    limit.noteOpened(caller.subjectId);
    return cache.toLoaded(row, upstreamSessionId);
  }
}
