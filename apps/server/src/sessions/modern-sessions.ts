import { type Cache, createCache, type Loaded } from '../platform/changes/create-cache.ts';
import type { Db, Store } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import { findBlock, tokenBlocked } from './blocked-tokens.ts';
import type { OpenSession, SessionCaller, SessionRoute } from './open-session.ts';
import { findModernSession, lockApplication, type SessionRow } from './repository.ts';
import type { SessionCache } from './session-cache.ts';
import { createSession } from './session-writes.ts';
import type { SessionWindows } from './windows.ts';

export interface ModernSessionsDeps {
  readonly store: Store;
  readonly windows: SessionWindows;
  /** By token and attachment. */
  readonly cache: SessionCache;
}

/** The most pairs of token and attachment remembered as not blocked. */
const MAX_UNBLOCKED = 50_000;

/**
 * Sessions of clients without a protocol session: the activity of one token on one attachment. There is no handshake to
 * refuse, so after one was revoked the calls of its token are refused for as long as it could have lasted without activity.
 */
export class ModernSessions {
  readonly #deps: ModernSessionsDeps;
  readonly #unblocked: Cache<true>;

  constructor(deps: ModernSessionsDeps) {
    this.#deps = deps;
    const { changes } = deps.store;
    this.#unblocked = createCache({ changes, maxEntries: MAX_UNBLOCKED });
  }

  /** The open session of that token on that attachment, if it is in memory. */
  peek(route: SessionRoute, caller: SessionCaller): OpenSession | undefined {
    const { cache } = this.#deps;
    const session = cache.peek(keyOf(route, caller));
    return session === undefined || cache.isSilent(session) ? undefined : session;
  }

  /** The open session, or a new one. @throws ProblemError `not_found`, `forbidden` like `createSession`. */
  findOrOpen(route: SessionRoute, caller: SessionCaller): OpenSession | Promise<OpenSession> {
    return this.peek(route, caller) ?? this.#findOrOpen(route, caller);
  }

  /**
   * Refuses a call without a protocol session while its token is blocked on that attachment; needed
   * only when `peek` returns nothing. Synchronous when memory has it, one indexed read otherwise.
   *
   * @throws ProblemError `forbidden` with Retry-After.
   */
  checkNotBlocked(route: SessionRoute, caller: SessionCaller): undefined | Promise<void> {
    const isUnblocked = this.#unblocked.peek(keyOf(route, caller));
    return isUnblocked ? undefined : this.#readBlock(route, caller);
  }

  close(): void {
    this.#unblocked.close();
  }

  async #readBlock(route: SessionRoute, caller: SessionCaller): Promise<void> {
    const { attachmentId } = route;
    const { bearerId } = caller;
    await this.#unblocked.get(keyOf(route, caller), async () => {
      const blockedFor = await findBlock(this.#deps.store.db, attachmentId, bearerId);
      if (blockedFor !== undefined) throw tokenBlocked(blockedFor);
      return { value: true, dependsOn: [{ kind: 'token', id: bearerId }] };
    });
  }

  async #findOrOpen(route: SessionRoute, caller: SessionCaller): Promise<OpenSession> {
    const { cache } = this.#deps;
    const key = keyOf(route, caller);
    const load = () => this.#load(route, caller);
    const session = await cache.get(key, load);
    if (!cache.isSilent(session) || (await cache.refresh(session))) return session;
    await this.#create(route, caller, session.id);
    return cache.get(key, load);
  }

  async #load(route: SessionRoute, caller: SessionCaller): Promise<Loaded<OpenSession>> {
    const row =
      (await this.#find(this.#deps.store.db, route, caller)) ?? (await this.#create(route, caller));
    const { value, dependsOn } = this.#deps.cache.toLoaded(row, undefined);
    return { value, dependsOn: [...dependsOn, { kind: 'token', id: row.bearerId }] };
  }

  #find(db: Db, { attachmentId }: SessionRoute, { bearerId }: SessionCaller) {
    return findModernSession(db, attachmentId, bearerId, this.#deps.windows);
  }

  /**
   * Nodes that get the first call of a token at the same moment create one session between them.
   *
   * @param expiredId the expired session that the new one replaces: every node drops it.
   */
  #create(route: SessionRoute, caller: SessionCaller, expiredId?: string): Promise<SessionRow> {
    return this.#deps.store.transaction(async ({ db, announce }) => {
      if (expiredId !== undefined) announce({ kind: 'session', id: expiredId });
      await lockApplication(db, route.applicationId);
      const found = await this.#find(db, route, caller);
      if (found !== undefined) return found;
      const session = { era: 'modern', hash: null, sealed: null, keyId: null } as const;
      return createSession(db, { route, caller, session: { ...createId(), ...session } });
    });
  }
}

function keyOf({ attachmentId }: SessionRoute, { bearerId }: SessionCaller): string {
  return bearerId + attachmentId;
}
