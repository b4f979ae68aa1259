import type { Store } from './platform/database/store.ts';

const EVERY_MS = 60 * 60 * 1000;
const BATCH = 5_000;

export interface Housekeeping {
  close(): void;
}

/** Hourly: stored answers older than a day and presence of nodes that are gone leave, in bounded batches. */
export function startHousekeeping(store: Store, onError: (error: unknown) => void): Housekeeping {
  const timer = setInterval(() => void sweep(store).catch(onError), EVERY_MS);
  timer.unref();
  return { close: () => clearInterval(timer) };
}

/** Deletes what has outlived its use; each statement is one bounded, indexed delete. */
export async function sweep({ db }: Store): Promise<void> {
  await db.$executeRaw`
    DELETE FROM "IdempotencyKey" WHERE "id" IN (
      SELECT "id" FROM "IdempotencyKey" WHERE "createdAt" < now() - interval '24 hours' LIMIT ${BATCH})`;
  await db.$executeRaw`
    DELETE FROM "SessionPresence" WHERE ("sessionId", "nodeId") IN (
      SELECT "sessionId", "nodeId" FROM "SessionPresence" WHERE "leaseUntil" < now() - interval '1 minute' LIMIT ${BATCH})`;
}
