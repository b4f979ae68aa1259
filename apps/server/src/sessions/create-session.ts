import type { Db } from '../platform/database/store.ts';
import { routeGone, tokenBlocked } from './problems.ts';
import { findBlock, type SessionRow } from './repository.ts';
import { insertSession, type OpeningSession, openedRow } from './session-writes.ts';

/**
 * Writes a new session.
 *
 * @throws ProblemError `forbidden` while the token is blocked on the attachment; `not_found` when the
 *   attachment, its application, its integration or the user is gone.
 */
export async function createSession(db: Db, opening: OpeningSession): Promise<SessionRow> {
  if (await insertSession(db, opening)) return openedRow(opening);
  const { route, caller } = opening;
  const blockedFor = await findBlock(db, route.attachmentId, caller.tokenId);
  throw blockedFor === undefined ? routeGone() : tokenBlocked(blockedFor);
}
