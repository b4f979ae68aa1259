import type { Grant } from '../../generated/prisma/client.ts';
import { oneRangeOf } from '../../platform/database/index-range.ts';
import type { Db } from '../../platform/database/store.ts';

export type GrantWithApplication = Grant & { readonly application: { readonly name: string } };

/** The unexpired grants of a member, newest first. Housekeeping deletes the others within the hour. */
export function listGrants(
  db: Db,
  userId: string,
  page: { before: string | undefined; take: number },
): Promise<GrantWithApplication[]> {
  return db.grant.findMany({
    where: {
      userId: oneRangeOf(userId),
      expiresAt: { gt: new Date() },
      ...(page.before ? { id: { lt: page.before } } : {}),
    },
    orderBy: [{ userId: 'asc' }, { id: 'desc' }],
    take: page.take,
    include: { application: { select: { name: true } } },
  });
}
