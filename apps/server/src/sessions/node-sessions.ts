import { randomUUID } from 'node:crypto';
import type { Cache } from '../platform/changes/cache.ts';
import { createCache } from '../platform/changes/create-cache.ts';
import type { Db, Store, Tx } from '../platform/database/store.ts';
import type { Vault } from '../vault/vault.ts';
import { Activity } from './activity.ts';
import { countSessions, type OwnSessions } from './counters.ts';
import type { KnownSession } from './known-session.ts';
import { LegacySessions } from './legacy-sessions.ts';
import { SessionMemory } from './memory.ts';
import { ModernSessions } from './modern-sessions.ts';
import { Refusals } from './refusals.ts';
import { closeSession, findUnended } from './repository.ts';
import { revokeSession } from './revocation.ts';
import { listSessions } from './session-page.ts';
import type {
  GatewaySessions,
  ListedSession,
  OpenSession,
  SessionCaller,
  SessionCounter,
  SessionCounts,
  SessionLister,
  SessionPageRequest,
  SessionRevoker,
  SessionRoute,
} from './sessions.ts';
import type { SessionWindows } from './windows.ts';

/** Open sessions of either era, and tokens known not to be refused, held in memory at most. */
const MAX_HELD = 50_000;

export interface SessionsOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly windows: SessionWindows;
  /** A background write failed; it will be tried again. */
  readonly onError: (error: unknown) => void;
}

/** The sessions of this node: what the gateway uses, and what the management API does with them. */
export interface Sessions extends GatewaySessions, SessionCounter, SessionLister, SessionRevoker {
  /** Writes activity and presence that are due; a timer does it every second. */
  flush(): Promise<void>;
  /** Writes what is left and takes this node's presence away. */
  close(): Promise<void>;
}

export function createSessions(options: SessionsOptions): Sessions {
  return new NodeSessions(options);
}

class NodeSessions implements Sessions {
  readonly #options: SessionsOptions;
  readonly #nodeId = randomUUID();
  readonly #caches: readonly Pick<Cache<unknown>, 'close'>[];
  readonly #activity: Activity;
  readonly #legacy: LegacySessions;
  readonly #modern: ModernSessions;
  readonly #refusals: Refusals;

  constructor(options: SessionsOptions) {
    const { store, vault, windows, onError } = options;
    const { db, changes } = store;
    this.#options = options;
    this.#activity = new Activity({
      db,
      nodeId: this.#nodeId,
      activeWindow: windows.active,
      onError,
    });
    const memory = new SessionMemory(db, windows, this.#activity);
    const cache = createCache<KnownSession>({ changes, maxEntries: MAX_HELD });
    const modernCache = createCache<KnownSession>({ changes, maxEntries: MAX_HELD });
    const unrefused = createCache<true>({ changes, maxEntries: MAX_HELD });
    this.#caches = [cache, modernCache, unrefused];
    this.#legacy = new LegacySessions({ db, vault, windows, memory, cache });
    this.#modern = new ModernSessions({ store, windows, memory, cache: modernCache });
    this.#refusals = new Refusals({ db, cache: unrefused });
  }

  openLegacy(route: SessionRoute, caller: SessionCaller, upstreamSessionId: string) {
    return this.#legacy.open(route, caller, upstreamSessionId);
  }

  findLegacy(route: SessionRoute, caller: SessionCaller, clientSessionId: string) {
    return this.#legacy.find(route, caller, clientSessionId);
  }

  peekModern(route: SessionRoute, caller: SessionCaller): OpenSession | undefined {
    return this.#modern.peek(route, caller);
  }

  checkModern(route: SessionRoute, caller: SessionCaller): undefined | Promise<void> {
    return this.#refusals.check(route, caller);
  }

  touchModern(route: SessionRoute, caller: SessionCaller): OpenSession | Promise<OpenSession> {
    return this.#modern.peek(route, caller) ?? this.#modern.open(route, caller);
  }

  begin(session: OpenSession): OpenSession {
    return this.#activity.begin(session as KnownSession);
  }

  done(session: OpenSession): void {
    this.#activity.done(session as KnownSession);
  }

  touch(session: OpenSession): void {
    (session as KnownSession).isTouched = true;
  }

  async end({ id }: OpenSession): Promise<void> {
    await this.#options.store.transaction(async (tx) => {
      if (await closeSession(tx.db, id)) tx.announce({ kind: 'session', id });
    });
  }

  async findEnded(sessions: readonly OpenSession[]): Promise<ReadonlySet<OpenSession>> {
    const ids = new Set(sessions.map(({ id }) => id));
    const unended = new Set(await findUnended(this.#options.store.db, [...ids]));
    return new Set(sessions.filter(({ id }) => !unended.has(id)));
  }

  count(db: Db, applicationIds: readonly string[]): Promise<ReadonlyMap<string, SessionCounts>> {
    const own = this.#own(new Set(applicationIds));
    return countSessions(db, applicationIds, this.#options.windows, own);
  }

  list(db: Db, page: SessionPageRequest): Promise<readonly ListedSession[]> {
    const own = this.#own(new Set([page.applicationId]));
    return listSessions(db, page, this.#options.windows, own);
  }

  revoke(tx: Tx, session: Parameters<SessionRevoker['revoke']>[1]): Promise<boolean> {
    return revokeSession(tx, session, this.#options.windows);
  }

  flush(): Promise<void> {
    return this.#activity.tick();
  }

  async close(): Promise<void> {
    for (const cache of this.#caches) cache.close();
    await this.#activity.close();
  }

  #own(applicationIds: ReadonlySet<string>): OwnSessions {
    const now = performance.now();
    const live: string[] = [];
    const active: string[] = [];
    for (const session of this.#activity.tracked()) {
      if (!applicationIds.has(session.applicationId)) continue;
      if (session.inFlight > 0) live.push(session.id);
      if (session.isTouched || now - session.activeAt < this.#options.windows.active) {
        active.push(session.id);
      }
    }
    return { nodeId: this.#nodeId, live, active };
  }
}
