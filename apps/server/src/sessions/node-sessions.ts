import { randomUUID } from 'node:crypto';
import type { Db, Store, Tx } from '../platform/database/store.ts';
import type { Vault } from '../vault/vault.ts';
import { Activity } from './activity.ts';
import { BlockedTokens } from './blocked-tokens.ts';
import type { CachedSession } from './cached-session.ts';
import { countSessions } from './counters.ts';
import { LegacySessions } from './legacy-sessions.ts';
import { ModernSessions } from './modern-sessions.ts';
import { findNotEnded } from './repository.ts';
import { revokeAndCount, revokeSession } from './revocation.ts';
import { SessionCache } from './session-cache.ts';
import { SessionLimit } from './session-limit.ts';
import { listSessions } from './session-page.ts';
import { SessionWriter } from './session-writer.ts';
import type {
  ListedSession,
  OpenSession,
  RevokedSessions,
  SessionCaller,
  SessionCounts,
  SessionPageRequest,
  SessionRevoker,
  SessionRoute,
  Sessions,
  SessionsOf,
} from './sessions.ts';
import type { SessionWindows } from './windows.ts';

export interface SessionsOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly windows: SessionWindows;
  /** Called when a background write fails that will be tried again, and when writes are lost. */
  readonly onError: (error: unknown) => void;
}

export function createSessions(options: SessionsOptions): Sessions {
  return new NodeSessions(options);
}

class NodeSessions implements Sessions {
  readonly #store: Store;
  readonly #windows: SessionWindows;
  readonly #activity: Activity;
  readonly #writer: SessionWriter;
  readonly #caches: readonly { close(): void }[];
  readonly #legacy: LegacySessions;
  readonly #modern: ModernSessions;
  readonly #blockedTokens: BlockedTokens;

  constructor({ store, vault, windows, onError }: SessionsOptions) {
    const { db, changes } = store;
    this.#store = store;
    this.#windows = windows;
    const activity = new Activity({
      db,
      nodeId: randomUUID(),
      activeWindow: windows.active,
      onError,
    });
    const legacyCache = new SessionCache({ db, changes, windows, activity });
    const modernCache = new SessionCache({ db, changes, windows, activity });
    const writer = new SessionWriter(store);
    this.#activity = activity;
    this.#writer = writer;
    this.#legacy = new LegacySessions({
      db,
      writer,
      vault,
      windows,
      limit: new SessionLimit(store, onError),
      cache: legacyCache,
    });
    this.#modern = new ModernSessions({ store, windows, cache: modernCache });
    this.#blockedTokens = new BlockedTokens(db, changes);
    this.#caches = [legacyCache, modernCache, this.#blockedTokens];
  }

  openLegacy(route: SessionRoute, caller: SessionCaller, upstreamSessionId: string) {
    return this.#legacy.open(route, caller, upstreamSessionId);
  }

  requireLegacy(route: SessionRoute, caller: SessionCaller, clientSessionId: string) {
    return this.#legacy.require(route, caller, clientSessionId);
  }

  peekModern(route: SessionRoute, caller: SessionCaller): OpenSession | undefined {
    return this.#modern.peek(route, caller);
  }

  findOrOpenModern(route: SessionRoute, caller: SessionCaller): OpenSession | Promise<OpenSession> {
    return this.#modern.peek(route, caller) ?? this.#modern.findOrOpen(route, caller);
  }

  checkNotBlocked(route: SessionRoute, caller: SessionCaller): undefined | Promise<void> {
    return this.#blockedTokens.check(route, caller);
  }

  enter(session: OpenSession): OpenSession {
    return this.#activity.enter(session as CachedSession);
  }

  leave(session: OpenSession): void {
    this.#activity.leave(session as CachedSession);
  }

  touch(session: OpenSession): void {
    (session as CachedSession).isTouched = true;
  }

  end({ id }: OpenSession): Promise<void> {
    return this.#writer.close(id);
  }

  async findEnded(sessions: readonly OpenSession[]): Promise<ReadonlySet<OpenSession>> {
    const ids = new Set(sessions.map(({ id }) => id));
    const notEnded = new Set(await findNotEnded(this.#store.db, [...ids]));
    return new Set(sessions.filter(({ id }) => !notEnded.has(id)));
  }

  count(db: Db, applicationIds: readonly string[]): Promise<ReadonlyMap<string, SessionCounts>> {
    const local = this.#activity.localSessions(new Set(applicationIds));
    return countSessions(db, applicationIds, this.#windows, local);
  }

  list(db: Db, page: SessionPageRequest): Promise<readonly ListedSession[]> {
    const local = this.#activity.localSessions(new Set([page.applicationId]));
    return listSessions(db, page, this.#windows, local);
  }

  revoke(tx: Tx, session: Parameters<SessionRevoker['revoke']>[1]): Promise<boolean> {
    return revokeSession(tx, session, this.#windows);
  }

  revokeAll(tx: Tx, of: SessionsOf): Promise<RevokedSessions> {
    const local = this.#activity.localSessionsOf(of);
    return revokeAndCount(tx, of, { windows: this.#windows, local });
  }

  countLive(): number {
    return this.#activity.countLive();
  }

  flush(): Promise<void> {
    return this.#activity.flush();
  }

  async close(): Promise<void> {
    for (const cache of this.#caches) cache.close();
    await this.#activity.close();
  }
}
