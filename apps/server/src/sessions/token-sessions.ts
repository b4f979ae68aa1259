import type { ClientHello } from '../mcp/client-hello.ts';
import { type Cache, createCache, type Loaded } from '../platform/changes/create-cache.ts';
import type { Store } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import { hashSecret } from '../platform/secrets.ts';
import type {
  AggregatePlace,
  AggregateSession,
  HeldAggregateSession,
} from './aggregate-session.ts';
import { isAggregateSessionOpen } from './aggregate-session-repository.ts';
import type { AggregateSessionUses } from './aggregate-session-uses.ts';
import { toLoaded } from './loaded-aggregate-session.ts';
import { openForToken } from './open-for-token.ts';
import type { SessionCaller } from './open-session.ts';
import type { SessionLimit } from './session-limit.ts';

/** The most open ones in memory. */
const MAX_SESSIONS = 50_000;

export interface TokenSessionsDeps {
  readonly store: Store;
  /** Milliseconds of silence after which a session expires. */
  readonly ttl: number;
  readonly uses: AggregateSessionUses;
  readonly limit: SessionLimit;
}

/** Aggregate sessions of clients that begin no session: the clients of one token share one in each application. */
export class TokenSessions {
  readonly #deps: TokenSessionsDeps;
  /** By application and token. */
  readonly #cache: Cache<HeldAggregateSession>;

  constructor(deps: TokenSessionsDeps) {
    this.#deps = deps;
    this.#cache = createCache({ changes: deps.store.changes, maxEntries: MAX_SESSIONS });
  }

  /** Synchronous when it is in memory. @throws ProblemError `not_found` when the application is gone or archived */
  findOrOpen(
    place: AggregatePlace,
    caller: SessionCaller,
    hello: ClientHello,
  ): AggregateSession | Promise<AggregateSession> {
    const held = this.#cache.peek(keyOf(place, caller));
    if (held === undefined || this.#isSilent(held)) return this.#open(place, caller, hello);
    return this.#use(held);
  }

  close(): void {
    this.#cache.close();
  }

  async #open(
    place: AggregatePlace,
    caller: SessionCaller,
    hello: ClientHello,
  ): Promise<AggregateSession> {
    const load = () => this.#load(place, caller, hello);
    const get = () => this.#cache.get(keyOf(place, caller), load);
    const held = await get();
    const { store, ttl } = this.#deps;
    const { id } = held.session;
    // Other nodes may have written that they used it.
    const isOpen = !this.#isSilent(held) || (await isAggregateSessionOpen(store.db, id, ttl));
    if (isOpen) return this.#use(held);
    await store.transaction(async ({ announce }) => announce({ kind: 'session', id }));
    return this.#use(await get());
  }

  async #load(
    place: AggregatePlace,
    caller: SessionCaller,
    hello: ClientHello,
  ): Promise<Loaded<HeldAggregateSession>> {
    const { store, ttl, limit } = this.#deps;
    const hash = hashSecret(keyOf(place, caller));
    const opening = { ...createId(), hash, place, caller, hello };
    const { session, silentFor } = await openForToken(store, ttl, opening);
    if (session.id === opening.id) limit.noteOpened(caller.subjectId);
    return toLoaded(session, silentFor);
  }

  #isSilent({ usedAt }: HeldAggregateSession): boolean {
    return performance.now() - usedAt > this.#deps.ttl;
  }

  #use(held: HeldAggregateSession): AggregateSession {
    this.#deps.uses.note(held);
    return held.session;
  }
}

/** Its hash is that of no client's session id: a header contains no line feed. */
function keyOf({ applicationId }: AggregatePlace, { bearerId }: SessionCaller): string {
  return `${applicationId}\n${bearerId}`;
}
