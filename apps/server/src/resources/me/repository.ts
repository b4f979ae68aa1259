import type { Db } from '../../platform/database/store.ts';

export function findUserWithOrganization(db: Db, userId: string) {
  return db.user.findUnique({ where: { id: userId }, include: { organization: true } });
}
