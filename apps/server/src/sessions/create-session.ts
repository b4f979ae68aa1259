import type { Db } from '../platform/database/store.ts';
import { routeGone, tokenBlocked } from './problems.ts';
import { findBlock, insertSession, type NewSession, type SessionRow } from './repository.ts';
import type { SessionCaller, SessionRoute } from './sessions.ts';

/**
 * Writes a new session.
 *
 * @throws ProblemError `forbidden` while the token is blocked on the attachment; `not_found` when the
 *   attachment, its application, its integration or the user is gone.
 */
export async function createSession(
  db: Db,
  route: SessionRoute,
  caller: SessionCaller,
  session: NewSession,
): Promise<SessionRow> {
  if (await insertSession(db, route, caller, session)) {
    return { ...route, ...caller, ...session, silentFor: 0 };
  }
  const blockedFor = await findBlock(db, route.attachmentId, caller.tokenId);
  throw blockedFor === undefined ? routeGone() : tokenBlocked(blockedFor);
}
