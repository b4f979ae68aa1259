import type { Response } from 'express';
import type { Actor } from '../identity/actor.ts';
import { lockActor } from '../identity/tokens.ts';
import type { Db } from '../platform/database/store.ts';
import { actorOf, routeOfRequest } from './context.ts';
import { requireAccess } from './route-access.ts';

/**
 * Authorizes the caller of a request a second time, from the database: a body may come slowly, and
 * what the caller was allowed at its first byte may be over. In a transaction the caller stays
 * authorized until it ends.
 *
 * @throws ProblemError `unauthenticated`, `forbidden`, `insufficient_scope`
 */
export async function authorizeAgain(db: Db, res: Response): Promise<Actor> {
  const actor = await lockActor(db, actorOf(res));
  requireAccess(actor, routeOfRequest(res));
  return actor;
}
