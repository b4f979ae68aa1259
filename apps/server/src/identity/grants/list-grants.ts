import type { Grant } from '../../generated/prisma/client.ts';
import { oneRangeOf } from '../../platform/database/index-range.ts';
import type { Db } from '../../platform/database/store.ts';

export interface GrantWithNames extends Grant {
  readonly application: { readonly name: string };
  /** The name that a dynamic client gave itself. */
  readonly clientName: string | undefined;
}

/** The unexpired grants of a member, newest first. Housekeeping deletes the others within the hour. */
export async function listGrants(
  db: Db,
  userId: string,
  page: { before: string | undefined; take: number },
): Promise<GrantWithNames[]> {
  const grants = await db.grant.findMany({
    where: {
      userId: oneRangeOf(userId),
      expiresAt: { gt: new Date() },
      ...(page.before ? { id: { lt: page.before } } : {}),
    },
    orderBy: [{ userId: 'asc' }, { id: 'desc' }],
    take: page.take,
    include: { application: { select: { name: true } } },
  });
  const clientIds = grants.map(({ clientId }) => clientId);
  const clients = await db.dynamicClient.findMany({ where: { id: { in: clientIds } } });
  const names = new Map(clients.map(({ id, name }) => [id, name]));
  return grants.map((grant) => ({ ...grant, clientName: names.get(grant.clientId) }));
}
