import type { Token } from '../../generated/prisma/client.ts';
import { oneRangeOf } from '../../platform/database/index-range.ts';
import type { Db } from '../../platform/database/store.ts';
import type { RevocableTokens } from './rules.ts';

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

/** False when there is no such token among the revocable ones. */
/** @returns its name; undefined if there is no such token */
export async function deleteToken(
  db: Db,
  revocable: RevocableTokens,
  id: string,
): Promise<string | undefined> {
  const where = { ...revocable, id };
  const token = await db.token.findFirst({ where, select: { name: true } });
  const { count } = await db.token.deleteMany({ where });
  return count === 1 ? token?.name : undefined;
}

/** Marks an invitation as used; false when it was used before. */
export async function useInvitation(db: Db, id: string): Promise<boolean> {
  const { count } = await db.token.updateMany({
    where: { id, kind: 'invitation', usedAt: null },
    data: { usedAt: new Date() },
  });
  return count === 1;
}
