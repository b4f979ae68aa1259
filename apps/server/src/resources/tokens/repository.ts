import type { Token } from '../../generated/prisma/client.ts';
import { oneRangeOf } from '../../platform/database/index-range.ts';
import type { Db } from '../../platform/database/store.ts';

export function listTokens(
  db: Db,
  userId: string,
  page: { before: string | undefined; take: number },
): Promise<Token[]> {
  return db.token.findMany({
    where: {
      userId: oneRangeOf(userId),
      kind: 'personal',
      ...(page.before ? { id: { lt: page.before } } : {}),
    },
    orderBy: [{ userId: 'asc' }, { id: 'desc' }],
    take: page.take,
  });
}

/** Deletes one token of the organization, only the given user's if one is named. */
export async function deleteToken(
  db: Db,
  where: { organizationId: string; id: string; userId?: string },
): Promise<boolean> {
  const { count } = await db.token.deleteMany({ where });
  return count === 1;
}

/** Spends an invitation; false when it was spent before. */
export async function useInvitation(db: Db, id: string): Promise<boolean> {
  const { count } = await db.token.updateMany({
    where: { id, kind: 'invitation', usedAt: null },
    data: { usedAt: new Date() },
  });
  return count === 1;
}
