import type { Db } from '../../../platform/database/store.ts';
import type { Refresher } from './refresher.ts';

/** Hours without a refresh after which a grant is refreshed: some providers end idle ones. */
const IDLE_HOURS = 24;

/** Connections of one batch, shared by this many workers. */
const BATCH = 100;
const WORKERS = 4;

interface IdleGrant {
  readonly connectionId: string;
  readonly tokenVersion: number;
}

/**
 * Refreshes grants that were unused for a day. Any node may do it; the lease ensures that only one
 * does. Failures are retried in the next hour.
 *
 * @param signal ends it soon
 */
export async function keepGrantsAlive(
  db: Db,
  refresher: Pick<Refresher, 'refresh'>,
  signal: AbortSignal,
): Promise<void> {
  let after = new Date(0);
  while (!signal.aborted) {
    const batch = await findIdle(db, after);
    const last = batch.at(-1);
    if (last === undefined) return;
    after = last.refreshedAt;
    const queue = batch.values();
    const work = async () => {
      for (const grant of queue) {
        if (signal.aborted) return;
        await refresher.refresh(grant);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
  }
}

/** In the order of the index: a refreshed row leaves its head. */
function findIdle(db: Db, after: Date): Promise<(IdleGrant & { readonly refreshedAt: Date })[]> {
  return db.$queryRaw`
    SELECT "id" AS "connectionId", "tokenVersion", "refreshedAt" FROM "Connection"
    WHERE "refreshedAt" > ${after} AND "refreshedAt" < now() - ${IDLE_HOURS} * interval '1 hour'
    ORDER BY "refreshedAt" LIMIT ${BATCH}`;
}
