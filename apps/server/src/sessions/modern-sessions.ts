import type { Cache, Loaded } from '../platform/changes/cache.ts';
import type { Db, Store } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import { dependenciesOf } from './dependencies.ts';
import type { KnownSession } from './known-session.ts';
import type { SessionMemory } from './memory.ts';
import { whyNotOpened } from './refusals.ts';
import {
  findModernSession,
  insertSession,
  lockApplication,
  type SessionRow,
} from './repository.ts';
import type { OpenSession, SessionCaller, SessionRoute } from './sessions.ts';
import type { SessionWindows } from './windows.ts';

export interface ModernSessionsDeps {
  readonly store: Store;
  readonly windows: SessionWindows;
  readonly memory: SessionMemory;
  /** By token and attachment. */
  readonly cache: Cache<KnownSession>;
}

/** Sessions of clients without a protocol session: the activity of one token on one attachment. */
export class ModernSessions {
  readonly #deps: ModernSessionsDeps;

  constructor(deps: ModernSessionsDeps) {
    this.#deps = deps;
  }

  peek(route: SessionRoute, caller: SessionCaller): OpenSession | undefined {
    const { cache, memory } = this.#deps;
    const cached = cache.peek(keyOf(route, caller));
    if (cached === undefined) return undefined;
    const session = memory.held(cached);
    return memory.isSilent(session) ? undefined : session;
  }

  async open(route: SessionRoute, caller: SessionCaller): Promise<OpenSession> {
    const { cache, memory } = this.#deps;
    const key = keyOf(route, caller);
    const load = () => this.#load(route, caller);
    const session = memory.held(await cache.get(key, load));
    if (!memory.isSilent(session) || (await memory.isRevived(session))) return session;
    await this.#insert(route, caller, session.id);
    return cache.get(key, load);
  }

  async #load(route: SessionRoute, caller: SessionCaller): Promise<Loaded<KnownSession>> {
    const row =
      (await this.#find(this.#deps.store.db, route, caller)) ?? (await this.#insert(route, caller));
    return {
      value: this.#deps.memory.know(row, undefined),
      dependsOn: [...dependenciesOf(row), { kind: 'token', id: row.tokenId }],
    };
  }

  #find(db: Db, { attachmentId }: SessionRoute, { tokenId }: SessionCaller) {
    return findModernSession(db, attachmentId, tokenId, this.#deps.windows);
  }

  /**
   * Two nodes that see a token for the first time at once make one session between them.
   *
   * @param expired the session it follows: caches drop that one.
   */
  #insert(route: SessionRoute, caller: SessionCaller, expired?: string): Promise<SessionRow> {
    return this.#deps.store.transaction(async ({ db, announce }) => {
      if (expired !== undefined) announce({ kind: 'session', id: expired });
      await lockApplication(db, route.applicationId);
      const found = await this.#find(db, route, caller);
      if (found !== undefined) return found;
      const { id, createdAt } = createId();
      const values = {
        id,
        createdAt,
        era: 'modern',
        hash: null,
        sealed: null,
        keyId: null,
      } as const;
      if (!(await insertSession(db, route, caller, values))) {
        throw await whyNotOpened(db, route, caller);
      }
      return { ...route, ...caller, ...values, silentFor: 0 };
    });
  }
}

function keyOf({ attachmentId }: SessionRoute, { tokenId }: SessionCaller): string {
  return tokenId + attachmentId;
}
