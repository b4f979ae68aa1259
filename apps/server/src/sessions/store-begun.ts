import type { Loaded } from '../platform/changes/create-cache.ts';
import type { Store, Tx } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import type { Vault } from '../vault/vault.ts';
import type { OpenSession, SessionCaller, SessionRoute } from './open-session.ts';
import { lockApplication, type NewSession, type SessionRow } from './repository.ts';
import type { SessionCache } from './session-cache.ts';
import type { SessionLimit } from './session-limit.ts';
import { createSession } from './session-writes.ts';
import { openUpstreamId, sealUpstreamId } from './upstream-session-id.ts';
import type { SessionWindows } from './windows.ts';

/** A session that has begun upstream, before it is stored. */
export interface BegunSession {
  /** Undefined if the upstream issues no ids. */
  readonly upstreamSessionId: string | undefined;
  /** Ends it upstream, because it will not be used. Never rejects. */
  discard(): Promise<void>;
}

/** The dependencies of sessions that are stored with the upstream's id. */
export interface UpstreamSessionDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly windows: SessionWindows;
  readonly limit: SessionLimit;
  readonly cache: SessionCache;
}

/** A session that is to be stored once it has begun upstream. */
export interface BeginningSession {
  readonly route: SessionRoute;
  readonly caller: SessionCaller;
  /** Later requests find the session by its client's id, or by the aggregate session in front of it. */
  readonly foundBy: Pick<NewSession, 'hash' | 'aggregateSessionId' | 'isUnused'>;
  /** The session that is stored already. The application is locked meanwhile. */
  findOther(tx: Tx): Promise<SessionRow | undefined>;
}

/**
 * Stores a session that this gateway has begun upstream for its client. Of two nodes that have begun one at the same
 * moment, one stores its own, and the other discards its own and uses the stored one.
 *
 * @throws ProblemError `not_found`, `forbidden` like `createSession`; errors of `findOther`
 */
export async function storeBegun(
  { store, vault, cache, limit }: UpstreamSessionDeps,
  { route, caller, foundBy, findOther }: BeginningSession,
  begun: BegunSession,
): Promise<Loaded<OpenSession>> {
  const { upstreamSessionId } = begun;
  const created = createId();
  const sealed = sealUpstreamId(vault, route, caller, { id: created.id, upstreamSessionId });
  const session = { ...created, era: 'legacy', ...foundBy, ...sealed } as const;
  const stored = store.transaction(async (tx) => {
    await lockApplication(tx.db, route.applicationId);
    const other = await findOther(tx);
    if (other !== undefined) return other;
    // Streams of the aggregate session, on any node, hear what the upstream sends from now on.
    const { aggregateSessionId: id } = foundBy;
    if (id !== undefined) tx.announce({ kind: 'session', id });
    return createSession(tx.db, { route, caller, session });
  });
  const row = await stored.catch(async (error: unknown) => {
    await begun.discard();
    throw error;
  });
  if (row.id !== created.id) {
    await begun.discard();
    return cache.toLoaded(row, openUpstreamId(vault, row, route));
  }
  limit.noteOpened(caller.subjectId);
  return cache.toLoaded(row, upstreamSessionId);
}
