import { startFaultProxy } from '@gatehouse/harness';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PrismaClient } from '../../../src/generated/prisma/client.ts';
import { LocalChanges } from '../../../src/platform/changes/local-changes.ts';
import { toDatabaseUnavailable } from '../../../src/platform/database/database-failure.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { openPool } from '../../../src/platform/database/postgresql.ts';
import type { Store, Tx } from '../../../src/platform/database/store.ts';
import { runTransaction } from '../../../src/platform/database/transaction.ts';
import { createId } from '../../../src/platform/ids.ts';
import { administer, createPostgresqlDatabase, testDatabaseKind } from '../../support/database.ts';

async function createDatabase() {
  const database = await createPostgresqlDatabase();
  onTestFinished(() => database.drop());
  return database.config;
}

async function open(...database: Parameters<typeof openDatabase>): Promise<Store> {
  const store = await openDatabase(...database);
  onTestFinished(() => store.close());
  return store;
}

async function behindProxy(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const proxy = await startFaultProxy({
    target: { host: url.hostname, port: Number(url.port || 5432) },
  });
  onTestFinished(() => proxy.close());
  url.host = `${proxy.host}:${proxy.port}`;
  return { proxy, url: url.href };
}

describe.runIf(testDatabaseKind === 'postgresql')('on PostgreSQL', () => {
  test('time stamps are right when the server is set to another time zone', async () => {
    const config = await createDatabase();
    const { pathname } = new URL(config.databaseUrl);
    await administer(`ALTER DATABASE ${pathname.slice(1)} SET timezone TO 'America/New_York'`);
    const store = await open(config);
    const data = { ...createId(), createdAt: new Date('2026-07-01T12:34:56.789Z'), name: 'Acme' };
    await store.db.organization.create({ data });
    expect(await store.db.organization.findMany()).toEqual([data]);
    const rows = await store.db.$queryRaw<{ same: boolean }[]>`
      SELECT "createdAt" = '2026-07-01T12:34:56.789Z'::timestamptz AS same FROM "Organization"`;
    expect(rows).toEqual([{ same: true }]);
  });

  test('values are read as they were written, whatever the database sets', async () => {
    const config = await createDatabase();
    const name = new URL(config.databaseUrl).pathname.slice(1);
    for (const setting of [
      'datestyle TO German',
      'intervalstyle TO sql_standard',
      'bytea_output TO escape',
      'extra_float_digits TO -15',
      'standard_conforming_strings TO off',
    ]) {
      await administer(`ALTER DATABASE ${name} SET ${setting}`);
    }
    const store = await open(config);
    const data = { ...createId(), createdAt: new Date('2026-07-01T12:34:56.789Z'), name: 'A\\b' };
    await store.db.organization.create({ data });
    expect(await store.db.organization.findMany()).toEqual([data]);
    const [row] = await store.db.$queryRaw<Record<string, unknown>[]>`
      SELECT '2026-07-02'::date AS day, '2026-07-02T03:04:05Z'::timestamptz AS moment,
        '\\x00ff'::bytea AS bytes, 0.1::float8 AS number`;
    expect(row).toEqual({
      day: new Date('2026-07-02'),
      moment: new Date('2026-07-02T03:04:05Z'),
      bytes: new Uint8Array([0, 255]),
      number: 0.1,
    });
  });

  test('two transactions that lock each other out both succeed', async () => {
    const store = await open(await createDatabase());
    const rows = [
      { ...createId(), name: '0' },
      { ...createId(), name: '0' },
    ] as const;
    await store.db.organization.createMany({ data: [...rows] });
    let waiting = 0;
    let bothHoldOne = (): void => {};
    const meet = new Promise<void>((resolve) => (bothHoldOne = resolve));
    const lockInOrder = (first: string, second: string) =>
      store.transaction(async ({ db }) => {
        await db.$executeRaw`UPDATE "Organization" SET "name" = ("name"::int + 1)::text WHERE "id" = ${first}::uuid`;
        waiting += 1;
        if (waiting === 2) bothHoldOne();
        await meet;
        await db.$executeRaw`UPDATE "Organization" SET "name" = ("name"::int + 1)::text WHERE "id" = ${second}::uuid`;
      });
    await Promise.all([lockInOrder(rows[0].id, rows[1].id), lockInOrder(rows[1].id, rows[0].id)]);
    expect(waiting).toBe(3);
    const names = await store.db.organization.findMany({ select: { name: true } });
    expect(names).toEqual([{ name: '2' }, { name: '2' }]);
  });

  test('a connection that stopped answering inside a transaction is not used again', async () => {
    const { databaseUrl } = await createDatabase();
    const { proxy, url } = await behindProxy(databaseUrl);
    const pool = openPool(url, 1, 300);
    onTestFinished(() => pool.end());
    const client = new PrismaClient({ adapter: new PrismaPg(pool) });
    const run = (work: (tx: Tx) => Promise<unknown>) =>
      runTransaction(
        { client, announcer: new LocalChanges(), run: createId().id, onEvent() {} },
        work,
      );

    const failure = run(async ({ db }) => {
      await db.organization.count();
      proxy.setFault({ kind: 'black-hole' });
      await db.organization.count();
    });
    await expect(failure).rejects.toMatchObject({ code: 'database_unavailable' });
    proxy.setFault({ kind: 'pass' });
    expect(await run(({ db }) => db.organization.count())).toBe(0);
  });

  test('writes that wait for a locked row leave reads their connections, and are 503 when they wait too long', async () => {
    const config = await createDatabase();
    const store = await open(config, { transactionLimits: { maxWait: 5_000, timeout: 2_000 } });
    const row = { ...createId(), name: 'Acme' };
    await store.db.organization.create({ data: row });
    const holder = new pg.Client({ connectionString: config.databaseUrl });
    holder.on('error', () => {});
    onTestFinished(() => holder.end());
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM "Organization" FOR UPDATE');
    const writes = Array.from({ length: 30 }, () =>
      store.transaction(({ db }) =>
        db.organization.update({ where: { id: row.id }, data: { name: 'Other' } }),
      ),
    );
    const outcomes = Promise.allSettled(writes);
    let areOver = false;
    void outcomes.then(() => (areOver = true));
    await expect
      .poll(async () => {
        const [row] = await store.db.$queryRaw<{ count: number }[]>`
          SELECT count(*)::int AS count FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return row?.count;
      })
      .toBe(6);
    expect(await store.db.organization.count()).toBe(1);
    expect(areOver).toBe(false);
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ reason: { code: 'database_unavailable' } });
    }
    expect(await store.transaction(({ db }) => db.organization.count())).toBe(1);
  });

  test('statements and transactions are 503 while the server cannot be reached, and work again after', async () => {
    const config = await createDatabase();
    const { proxy, url } = await behindProxy(config.databaseUrl);
    const store = await open({ ...config, databaseUrl: url });
    expect(await store.db.organization.count()).toBe(0);

    proxy.setFault({ kind: 'reset' });
    const failure = await store.db.organization.count().catch((error: unknown) => error);
    expect(toDatabaseUnavailable(failure)?.code).toBe('database_unavailable');
    await expect(store.transaction(({ db }) => db.organization.count())).rejects.toMatchObject({
      code: 'database_unavailable',
    });

    proxy.setFault({ kind: 'pass' });
    expect(await store.db.organization.count()).toBe(0);
    expect(await store.transaction(({ db }) => db.organization.count())).toBe(0);
  });
});
