import type { Organization, User } from '../../generated/prisma/client.ts';
import { invalidToken } from '../../identity/bearer.ts';
import type { PersonCaller } from '../../identity/caller.ts';
import type { Db } from '../../platform/database/store.ts';

export type UserWithOrganization = User & { readonly organization: Organization };

/** The caller's own row. @throws ProblemError `unauthenticated` when it was removed just now */
export async function requireMe(db: Db, { userId }: PersonCaller): Promise<UserWithOrganization> {
  const user = await db.user.findUnique({
    where: { id: userId },
    include: { organization: true },
  });
  if (user) return user;
  throw invalidToken();
}
