import type { Db } from '../platform/database/store.ts';
import { hashSecret } from '../platform/secrets.ts';
import { type BegunSession, BegunSessions, type BegunSessionsDeps } from './begun-sessions.ts';
import type { OpenSession, SessionCaller, SessionRoute } from './open-session.ts';
import { findSessionInAnyState, type SessionRow } from './repository.ts';
import { sessionNotFound } from './upstream-session-id.ts';

/**
 * Connect sessions of people who have connected meanwhile: each becomes the legacy session of its id,
 * once.
 */
export class AdoptedSessions {
  readonly #deps: BegunSessionsDeps;
  readonly #begun: BegunSessions;

  /** @param deps with a cache by the client's session id */
  constructor(deps: BegunSessionsDeps) {
    this.#deps = deps;
    this.#begun = new BegunSessions(deps);
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
      const hash = hashSecret(clientSessionId);
      const row = await this.#find(this.#deps.store.db, hash);
      if (row !== undefined) return this.#begun.toLoaded(row, route);
      const begun = await begin();
      return this.#begun.store(route, caller, begun, { hash }, ({ db }) => this.#find(db, hash));
    });
  }

  /** The session of that id, if it was adopted. @throws ProblemError `session_not_found` once it has ended. */
  async find(route: SessionRoute, clientSessionId: string): Promise<OpenSession | undefined> {
    const row = await this.#find(this.#deps.store.db, hashSecret(clientSessionId));
    if (row === undefined) return undefined;
    return this.#deps.cache.get(clientSessionId, async () => this.#begun.toLoaded(row, route));
  }

  async #find(db: Db, hash: Buffer): Promise<SessionRow | undefined> {
    const row = await findSessionInAnyState(db, hash, this.#deps.windows);
    if (row?.isOpen === false) throw sessionNotFound();
    return row;
  }
}
