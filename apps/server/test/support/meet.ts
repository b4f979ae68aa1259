import type { TestServer } from './server.ts';

/**
 * Starts calls while a transaction holds a row, and lets go once all of them wait for it, so that
 * they truly meet. An embedded store runs one transaction at a time: there they wait anyway.
 */
export async function meetAt<T>(
  { store }: TestServer,
  hold: (db: TestServer['store']['db']) => Promise<unknown>,
  calls: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const started: Promise<T>[] = [];
  await store.transaction(async ({ db }) => {
    await hold(db);
    started.push(...calls.map((call) => call()));
    if (store.kind === 'postgresql') await untilWaiting(store.db, calls.length);
  });
  return Promise.all(started);
}

/**
 * Asks outside the holding transaction, in which pg_stat_activity would be read once only. Gives up
 * before any transaction runs into its time limit: on a slow machine the calls then meet by chance.
 */
async function untilWaiting(db: TestServer['store']['db'], wanted: number): Promise<void> {
  const deadline = Date.now() + 2_000;
  while (Date.now() < deadline) {
    const [row] = await db.$queryRaw<{ waiting: number }[]>`
      SELECT count(*)::int AS "waiting" FROM pg_stat_activity
      WHERE "datname" = current_database() AND "wait_event_type" = 'Lock'`;
    if (row?.waiting === wanted) return;
  }
}
