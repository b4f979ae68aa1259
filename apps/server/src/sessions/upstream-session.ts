import type { Loaded } from '../platform/changes/create-cache.ts';
import type { Store, Tx } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { sessionSealContext } from '../vault/seal-contexts.ts';
import type { Vault } from '../vault/vault.ts';
import type { OpenSession, SessionCaller, SessionRoute } from './open-session.ts';
import { lockApplication, type NewSession, type SessionRow } from './repository.ts';
import type { SessionCache } from './session-cache.ts';
import type { SessionLimit } from './session-limit.ts';
import { createSession } from './session-writes.ts';
import type { SessionWindows } from './windows.ts';

/** The dependencies of sessions that are stored with the upstream's id. */
export interface UpstreamSessionDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly windows: SessionWindows;
  readonly limit: SessionLimit;
  readonly cache: SessionCache;
}

/** Later requests find a session by its client's id, or by the aggregate session in front of it. */
type FoundBy = Pick<NewSession, 'hash' | 'aggregateSessionId' | 'isUnused'>;

/** A session that Gatehouse begins upstream for its client. */
export interface BeginningSession {
  readonly route: SessionRoute;
  readonly caller: SessionCaller;
  readonly foundBy: FoundBy;
  /** The session that is stored already. The application is locked meanwhile. */
  findOther(tx: Tx): Promise<SessionRow | undefined>;
}

/** A session that has begun upstream, before it is stored. */
export interface BegunSession {
  /** Undefined if the upstream issues no ids. */
  readonly upstreamSessionId: string | undefined;
  /** Ends it upstream, because it will not be used. Never rejects. */
  discard(): Promise<void>;
}

/** A session may be stored without an id from its upstream. */
const NO_ID = '';

/** The row of a new session. The upstream's id in it opens only for the destination that it was sealed for. */
export function newSession(
  vault: Vault,
  { organizationId, destination }: SessionRoute,
  { subjectId: userId }: SessionCaller,
  upstreamSessionId: string | undefined,
  foundBy: FoundBy,
): NewSession {
  const { id, createdAt } = createId();
  const context = sessionSealContext({ organizationId, destination, id, userId });
  const { keyId, sealed } = vault.seal(upstreamSessionId ?? NO_ID, context);
  return { id, createdAt, era: 'legacy', ...foundBy, keyId, sealed };
}

/**
 * Undefined where the upstream issues no ids.
 *
 * @throws ProblemError `session_not_found` once the integration has moved: the session does not exist.
 */
export function openUpstreamId(
  vault: Vault,
  row: SessionRow,
  { destination }: SessionRoute,
): string | undefined {
  const { keyId, sealed } = row;
  if (keyId === null || sealed === null) throw sessionNotFound();
  try {
    const context = sessionSealContext({ ...row, userId: row.subjectId, destination });
    return vault.open({ keyId, sealed }, context) || undefined;
  } catch {
    throw sessionNotFound();
  }
}

/** The session of a row. @throws ProblemError like {@link openUpstreamId} */
export function loadedFrom(
  { cache, vault }: UpstreamSessionDeps,
  row: SessionRow,
  route: SessionRoute,
): Loaded<OpenSession> {
  return cache.toLoaded(row, openUpstreamId(vault, row, route));
}

/**
 * Stores a session that has begun upstream. Of two nodes that have begun one at the same moment, one stores its own, and
 * the other discards its own and uses the stored one.
 *
 * @throws ProblemError `not_found`, `forbidden` like `createSession`; errors of `findOther`
 */
export async function storeBegun(
  deps: UpstreamSessionDeps,
  { route, caller, foundBy, findOther }: BeginningSession,
  begun: BegunSession,
): Promise<Loaded<OpenSession>> {
  const { store, vault, cache, limit } = deps;
  const { upstreamSessionId } = begun;
  const session = newSession(vault, route, caller, upstreamSessionId, foundBy);
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
  if (row.id !== session.id) {
    await begun.discard();
    return loadedFrom(deps, row, route);
  }
  limit.noteOpened(caller.subjectId);
  return cache.toLoaded(row, upstreamSessionId);
}

export function sessionNotFound(): ProblemError {
  return new ProblemError('session_not_found', 'There is no such open session; initialize again.');
}
