import type { Loaded } from '../platform/changes/create-cache.ts';
import type { Db } from '../platform/database/store.ts';
import { hashSecret, isSecret, newSecret } from '../platform/secrets.ts';
import { isConnectSessionId } from './connect-session-ids.ts';
import type { OpenSession, SessionCaller, SessionRoute } from './open-session.ts';
import { findByHash, type SessionRow } from './repository.ts';
import { SessionWriter } from './session-writes.ts';
import {
  type BegunSession,
  loadedFrom,
  newSession,
  sessionNotFound,
  storeBegun,
  type UpstreamSessionDeps,
} from './upstream-session.ts';

/**
 * Sessions with an `Mcp-Session-Id` from the upstream; the client gets one of ours instead. A connect session becomes one
 * of them, with the id that it has, once its person has connected.
 */
export class LegacySessions {
  readonly #deps: UpstreamSessionDeps;
  readonly #writer: SessionWriter;

  /** @param deps with a cache by the client's session id */
  constructor(deps: UpstreamSessionDeps) {
    this.#deps = deps;
    this.#writer = new SessionWriter(deps.store);
  }

  /** True for a session of that id in memory. */
  has(clientSessionId: string): boolean {
    return this.#deps.cache.peek(clientSessionId) !== undefined;
  }

  /**
   * Writes the row, then returns the `Mcp-Session-Id` for the client (256 random bits).
   *
   * @throws ProblemError `not_found` when the attachment, its application or its integration is
   *   gone; `forbidden` while the token is blocked there.
   */
  async open(
    route: SessionRoute,
    caller: SessionCaller,
    upstreamSessionId: string,
  ): Promise<{ session: OpenSession; clientSessionId: string }> {
    const { vault, cache, limit } = this.#deps;
    const clientSessionId = newSecret();
    // The row is written inside the load, so that a revocation right after it is not missed.
    const opened = await cache.get(clientSessionId, async () => {
      const foundBy = { hash: hashSecret(clientSessionId) };
      const session = newSession(vault, route, caller, upstreamSessionId, foundBy);
      return cache.toLoaded(await this.#writer.open({ route, caller, session }), upstreamSessionId);
    });
    limit.noteOpened(caller.subjectId);
    return { session: opened, clientSessionId };
  }

  /**
   * The caller's own open session of that id on that attachment. Synchronous when it is in memory.
   *
   * @throws ProblemError `session_not_found`, also for another user's session.
   */
  require(
    route: SessionRoute,
    caller: SessionCaller,
    clientSessionId: string,
  ): OpenSession | Promise<OpenSession> {
    const session = this.#deps.cache.peek(clientSessionId);
    return session === undefined
      ? this.#read(route, caller, clientSessionId)
      : this.#requireOpen(session, route, caller);
  }

  /**
   * The session that a connect session becomes. Requests that need it at the same moment share one beginning on this node;
   * of two nodes, one stores its session and the other discards its own.
   *
   * @param begin begins it upstream
   * @throws ProblemError `session_not_found` once it has ended; `not_found`, `forbidden` like `open`; errors of `begin`
   */
  adopt(
    route: SessionRoute,
    caller: SessionCaller,
    clientSessionId: string,
    begin: () => Promise<BegunSession>,
  ): Promise<OpenSession> {
    const { cache, store } = this.#deps;
    return cache.get(clientSessionId, async () => {
      const hash = hashSecret(clientSessionId);
      const row = await this.#find(store.db, hash);
      if (row !== undefined) return loadedFrom(this.#deps, row, route);
      const findOther = ({ db }: { readonly db: Db }) => this.#find(db, hash);
      const beginning = { route, caller, foundBy: { hash }, findOther };
      return storeBegun(this.#deps, beginning, await begin());
    });
  }

  /** The session that a connect session has become. @throws ProblemError `session_not_found` once it has ended. */
  async findAdopted(
    route: SessionRoute,
    connectSessionId: string,
  ): Promise<OpenSession | undefined> {
    const { cache, store } = this.#deps;
    const row = await this.#find(store.db, hashSecret(connectSessionId));
    if (row === undefined) return undefined;
    return cache.get(connectSessionId, async () => loadedFrom(this.#deps, row, route));
  }

  /** Closes the session, or one behind an aggregate session: its client ended it, or the upstream responded 404 for it. */
  end({ id }: OpenSession): Promise<void> {
    return this.#writer.close(id);
  }

  async #read(
    route: SessionRoute,
    caller: SessionCaller,
    clientSessionId: string,
  ): Promise<OpenSession> {
    if (!isSecret(clientSessionId) && !isConnectSessionId(clientSessionId)) throw sessionNotFound();
    const load = () => this.#load(route, clientSessionId);
    return this.#requireOpen(await this.#deps.cache.get(clientSessionId, load), route, caller);
  }

  async #load(route: SessionRoute, clientSessionId: string): Promise<Loaded<OpenSession>> {
    const row = await this.#find(this.#deps.store.db, hashSecret(clientSessionId));
    if (row === undefined) throw sessionNotFound();
    return loadedFrom(this.#deps, row, route);
  }

  /** @throws ProblemError `session_not_found` once it has ended. */
  async #find(db: Db, hash: Buffer): Promise<SessionRow | undefined> {
    const row = await findByHash(db, hash, this.#deps.windows);
    if (row?.isOpen === false) throw sessionNotFound();
    return row;
  }

  #requireOpen(
    session: OpenSession,
    route: SessionRoute,
    caller: SessionCaller,
  ): OpenSession | Promise<OpenSession> {
    if (session.attachmentId !== route.attachmentId || session.subjectId !== caller.subjectId) {
      throw sessionNotFound();
    }
    return this.#deps.cache.isSilent(session) ? this.#refresh(session) : session;
  }

  async #refresh(session: OpenSession): Promise<OpenSession> {
    if (!(await this.#deps.cache.refresh(session))) throw sessionNotFound();
    return session;
  }
}
