import type { ManagementEvent } from '@gatehouse/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PrismaClient } from '../../../src/generated/prisma/client.ts';
import { LocalChanges } from '../../../src/platform/changes/local-changes.ts';
import { pgliteAdapter } from '../../../src/platform/database/pglite-adapter.ts';
import type { Tx } from '../../../src/platform/database/store.ts';
import { runTransaction } from '../../../src/platform/database/transaction.ts';
import type { RecordedEvent } from '../../../src/platform/events/write-events.ts';
import { createId } from '../../../src/platform/ids.ts';
import { openPreparedPglite } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof openPreparedPglite>>;
let client: PrismaClient;
beforeAll(async () => {
  database = await openPreparedPglite();
  client = new PrismaClient({ adapter: pgliteAdapter(database) });
});
afterAll(() => database.close());

const recorded: ManagementEvent[] = [];
beforeEach(() => void recorded.splice(0));

function run<T>(
  work: (tx: Tx) => Promise<T>,
  { maxWait = 10_000, timeout = 5_000 } = {},
): Promise<T> {
  const parts = {
    client,
    announcer: new LocalChanges(),
    run: createId().id,
    onEvent: ({ event }: RecordedEvent) => void recorded.push(event),
  };

  return runTransaction({ ...parts, limits: { maxWait, timeout } }, work);
}

const removed: ManagementEvent = {
  action: 'member.removed',
  actor: { kind: 'service', organizationId: createId().id, via: { kind: 'job', name: 'start' } },
  targetId: createId().id,
};

const unavailable = expect.objectContaining({
  code: 'database_unavailable',
  headers: { 'Retry-After': '1' },
});

test('a transaction that cannot begin in time is 503 with Retry-After', async () => {
  let release = (): void => {};
  const holding = run(() => new Promise<void>((resolve) => (release = resolve)));
  await expect(run(async () => {}, { maxWait: 50 })).rejects.toEqual(unavailable);
  release();
  await holding;
});

test('the outer client used inside a transaction is 503 after the timeout, and all is well again', async () => {
  const work = run(() => client.organization.count(), { timeout: 200 });
  await expect(work).rejects.toEqual(unavailable);
  expect(await run(({ db }) => db.organization.count())).toBe(0);
});

test('work refused with a serialization failure runs again, three times at most', async () => {
  let runs = 0;
  const conflict = async ({ db }: Tx): Promise<void> => {
    runs += 1;
    await db.$executeRaw`DO $$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END $$`;
  };
  await expect(run(conflict)).rejects.toEqual(unavailable);
  expect(runs).toBe(4);
});

test('work that succeeds after a deadlock leaves its effect and its event once', async () => {
  const data = { ...createId(), name: 'Once' };
  let runs = 0;
  await run(async ({ db, record }) => {
    runs += 1;
    record(removed);
    await db.organization.create({ data });
    if (runs === 1) {
      await db.$executeRaw`DO $$ BEGIN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END $$`;
    }
  });
  expect(runs).toBe(2);
  expect(await client.organization.count({ where: { id: data.id } })).toBe(1);
  expect(recorded).toEqual([removed]);
});

test('an event is out after the commit, and never when the work fails', async () => {
  await run(async ({ record }) => {
    record(removed);
    expect(recorded).toEqual([]);
  });
  expect(recorded).toEqual([removed]);
  const failing = run(async ({ record }) => {
    record(removed);
    throw new Error('refused');
  });
  await expect(failing).rejects.toThrow('refused');
  expect(recorded).toHaveLength(1);
});
