import type { Actor } from '../../identity/actor.ts';
import { invalidToken } from '../../identity/bearer.ts';
import type { Db } from '../../platform/database/store.ts';
import { findUserWithOrganization, type UserWithOrganization } from './repository.ts';

/** The caller's own row. @throws ProblemError `unauthenticated` when it was removed just now */
export async function requireMe(db: Db, { userId }: Actor): Promise<UserWithOrganization> {
  const user = await findUserWithOrganization(db, userId);
  if (user) return user;
  throw invalidToken();
}
