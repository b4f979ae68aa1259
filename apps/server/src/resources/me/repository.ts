import type { Organization, User } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database/store.ts';

export type UserWithOrganization = User & { readonly organization: Organization };

export function findUserWithOrganization(
  db: Db,
  userId: string,
): Promise<UserWithOrganization | null> {
  return db.user.findUnique({ where: { id: userId }, include: { organization: true } });
}
