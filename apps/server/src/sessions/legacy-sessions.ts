import { createHash, randomBytes } from 'node:crypto';
import type { Cache, Loaded } from '../platform/changes/cache.ts';
import type { Db } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import type { SealContext, Vault } from '../vault/vault.ts';
import { dependenciesOf } from './dependencies.ts';
import type { KnownSession } from './known-session.ts';
import type { SessionMemory } from './memory.ts';
import { sessionNotFound } from './problems.ts';
import { whyNotOpened } from './refusals.ts';
import { findSessionByHash, insertSession, type SessionRow } from './repository.ts';
import type { OpenSession, SessionCaller, SessionRoute } from './sessions.ts';
import type { SessionWindows } from './windows.ts';

export interface LegacySessionsDeps {
  readonly db: Db;
  readonly vault: Vault;
  readonly windows: SessionWindows;
  readonly memory: SessionMemory;
  /** By the id the client holds. */
  readonly cache: Cache<KnownSession>;
}

const CLIENT_SESSION_ID = /^[A-Za-z0-9_-]{43}$/;

/** Sessions that an upstream minted an `Mcp-Session-Id` for; the client holds one of ours instead. */
export class LegacySessions {
  readonly #deps: LegacySessionsDeps;

  constructor(deps: LegacySessionsDeps) {
    this.#deps = deps;
  }

  async open(route: SessionRoute, caller: SessionCaller, upstreamSessionId: string) {
    const clientSessionId = randomBytes(32).toString('base64url');
    // The row is written inside the load, so that a revocation right after it is not missed.
    const session = await this.#deps.cache.get(clientSessionId, () =>
      this.#insert(route, caller, clientSessionId, upstreamSessionId),
    );
    return { session, clientSessionId };
  }

  find(
    route: SessionRoute,
    caller: SessionCaller,
    clientSessionId: string,
  ): OpenSession | Promise<OpenSession> {
    const held = this.#deps.cache.peek(clientSessionId);
    return held === undefined
      ? this.#read(route, caller, clientSessionId)
      : this.#admit(held, route, caller);
  }

  async #insert(
    route: SessionRoute,
    caller: SessionCaller,
    clientSessionId: string,
    upstreamSessionId: string,
  ): Promise<Loaded<KnownSession>> {
    const { db, vault, memory } = this.#deps;
    const { id, createdAt } = createId();
    const { keyId, sealed } = vault.seal(upstreamSessionId, placeOf(route, id));
    const hash = hashOf(clientSessionId);
    const values = { id, createdAt, era: 'legacy', hash, sealed, keyId } as const;
    if (!(await insertSession(db, route, caller, values))) {
      throw await whyNotOpened(db, route, caller);
    }
    const row = { ...route, ...caller, ...values, silentFor: 0 };
    return { value: memory.know(row, upstreamSessionId), dependsOn: dependenciesOf(row) };
  }

  async #read(
    route: SessionRoute,
    caller: SessionCaller,
    clientSessionId: string,
  ): Promise<OpenSession> {
    if (!CLIENT_SESSION_ID.test(clientSessionId)) throw sessionNotFound();
    const load = () => this.#load(route, clientSessionId);
    return this.#admit(await this.#deps.cache.get(clientSessionId, load), route, caller);
  }

  async #load(route: SessionRoute, clientSessionId: string): Promise<Loaded<KnownSession>> {
    const { db, windows, memory } = this.#deps;
    const row = await findSessionByHash(db, hashOf(clientSessionId), windows);
    if (row === undefined) throw sessionNotFound();
    return { value: memory.know(row, this.#unseal(row, route)), dependsOn: dependenciesOf(row) };
  }

  /** The id of a session with another upstream does not open: to the client that session is gone. */
  #unseal(row: SessionRow, { destination }: SessionRoute): string {
    const { keyId, sealed, organizationId, id } = row;
    if (keyId === null || sealed === null) throw sessionNotFound();
    try {
      const place = placeOf({ organizationId, destination }, id);
      return this.#deps.vault.open({ keyId, sealed }, place);
    } catch {
      throw sessionNotFound();
    }
  }

  #admit(
    known: KnownSession,
    route: SessionRoute,
    caller: SessionCaller,
  ): OpenSession | Promise<OpenSession> {
    const session = this.#deps.memory.held(known);
    if (session.attachmentId !== route.attachmentId || session.userId !== caller.userId) {
      throw sessionNotFound();
    }
    return this.#deps.memory.isSilent(session) ? this.#revive(session) : session;
  }

  async #revive(session: KnownSession): Promise<OpenSession> {
    if (!(await this.#deps.memory.isRevived(session))) throw sessionNotFound();
    return session;
  }
}

function placeOf(
  { organizationId, destination }: Pick<SessionRoute, 'organizationId' | 'destination'>,
  rowId: string,
): SealContext {
  return { organizationId, table: 'Session', rowId, column: 'sealed', destination };
}

function hashOf(clientSessionId: string): Buffer<ArrayBuffer> {
  return Buffer.from(createHash('sha256').update(clientSessionId).digest());
}
