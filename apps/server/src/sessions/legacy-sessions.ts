import type { Loaded } from '../platform/changes/create-cache.ts';
import type { Db } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import { hashSecret, isSecret, newSecret } from '../platform/secrets.ts';
import type { Vault } from '../vault/vault.ts';
import { isConnectSessionId } from './connect-session-ids.ts';
import type { OpenSession, SessionCaller, SessionRoute } from './open-session.ts';
import { findSessionByHash } from './repository.ts';
import type { SessionCache } from './session-cache.ts';
import type { SessionLimit } from './session-limit.ts';
import type { SessionWriter } from './session-writer.ts';
import { openUpstreamId, sealUpstreamId, sessionNotFound } from './upstream-session-id.ts';
import type { SessionWindows } from './windows.ts';

export interface LegacySessionsDeps {
  readonly db: Db;
  readonly writer: SessionWriter;
  readonly limit: SessionLimit;
  readonly vault: Vault;
  readonly windows: SessionWindows;
  /** By the client's session id. */
  readonly cache: SessionCache;
}

/** Sessions with an `Mcp-Session-Id` from the upstream; the client gets one of ours instead. */
export class LegacySessions {
  readonly #deps: LegacySessionsDeps;

  constructor(deps: LegacySessionsDeps) {
    this.#deps = deps;
  }

  /** Whether a session of that id is in memory. */
  has(clientSessionId: string): boolean {
    return this.#deps.cache.peek(clientSessionId) !== undefined;
  }

  async open(route: SessionRoute, caller: SessionCaller, upstreamSessionId: string) {
    const clientSessionId = newSecret();
    // The row is written inside the load, so that a revocation right after it is not missed.
    const session = await this.#deps.cache.get(clientSessionId, () =>
      this.#create(route, caller, clientSessionId, upstreamSessionId),
    );
    this.#deps.limit.noteOpened(caller.subjectId);
    return { session, clientSessionId };
  }

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

  async #create(
    route: SessionRoute,
    caller: SessionCaller,
    clientSessionId: string,
    upstreamSessionId: string,
  ): Promise<Loaded<OpenSession>> {
    const { writer, vault, cache } = this.#deps;
    const created = createId();
    const sealed = sealUpstreamId(vault, route, caller, { id: created.id, upstreamSessionId });
    const hash = hashSecret(clientSessionId);
    const session = { ...created, era: 'legacy', hash, ...sealed } as const;
    const row = await writer.open({ route, caller, session });
    return cache.toLoaded(row, upstreamSessionId);
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
    const { db, windows, cache, vault } = this.#deps;
    const row = await findSessionByHash(db, hashSecret(clientSessionId), windows);
    if (row === undefined) throw sessionNotFound();
    return cache.toLoaded(row, openUpstreamId(vault, row, route));
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
