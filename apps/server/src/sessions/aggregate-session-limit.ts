import type { Store } from '../platform/database/store.ts';
import { endAggregateSessions } from './aggregate-session-repository.ts';
import { CLOSED_AT_ONCE, MAX_OPEN } from './session-limit.ts';

/** Ends the aggregate sessions of a user beyond the limit that were unused for longest. */
export async function endExcess(store: Store, userId: string): Promise<void> {
  await store.transaction(async (tx) => {
    const excess = await tx.db.aggregateSession.findMany({
      where: { userId, endedAt: null },
      orderBy: [{ lastUsedAt: 'desc' }, { id: 'desc' }],
      select: { id: true },
      skip: MAX_OPEN,
      take: CLOSED_AT_ONCE,
    });
    const ids = excess.map(({ id }) => id);
    await endAggregateSessions(tx, ids);
  });
}
