import { setTimeout as delay } from 'node:timers/promises';
import { type FaultProxy, startFaultProxy } from '@gatehouse/harness';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Change, ChangeSet } from '../../../src/platform/changes/changes.ts';
import { PostgresqlChanges } from '../../../src/platform/changes/postgresql-changes.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import type { Store } from '../../../src/platform/database/store.ts';
import { createId } from '../../../src/platform/ids.ts';
import {
  administer,
  createPostgresqlDatabase,
  type TestDatabase,
  testDatabaseKind,
} from '../../support/database.ts';

const LEASE = 750;

function newChange(): Change {
  return { kind: 'application', id: createId().id };
}

describe.runIf(testDatabaseKind === 'postgresql')('the changes of PostgreSQL', () => {
  let database: TestDatabase & { readonly config: { readonly databaseUrl: string } };
  let writer: Store;
  let proxy: FaultProxy;
  let reader: PostgresqlChanges;
  let heard: ChangeSet[];

  beforeAll(async () => {
    database = await createPostgresqlDatabase();
    writer = await openDatabase(database.config);
  });
  afterAll(async () => {
    await writer.close();
    await database.drop();
  });

  beforeEach(async () => {
    const url = new URL(database.config.databaseUrl);
    proxy = await startFaultProxy({
      target: { host: url.hostname, port: Number(url.port || 5432) },
    });
    url.host = `${proxy.host}:${proxy.port}`;
    reader = new PostgresqlChanges({
      connectionString: url.href,
      application_name: 'reader',
    });
    heard = [];
    await reader.start();
    reader.subscribe({ react: (changes) => heard.push(changes) });
    onTestFinished(async () => {
      await reader.close();
      await proxy.close();
    });
  });

  const write = (...changes: Change[]) =>
    writer.transaction(async ({ announce }) => announce(...changes));

  const untilHeard = (changes: ChangeSet) => expect.poll(() => heard).toContainEqual(changes);

  test('are heard by another node within a second, in the order of the commits', async () => {
    const changes = Array.from({ length: 20 }, newChange);
    for (const change of changes) await write(change);
    const answered = performance.now();
    await untilHeard([changes.at(-1) ?? newChange()]);
    expect(performance.now() - answered).toBeLessThan(1_000);
    expect(heard.flat()).toEqual(changes);
    expect(reader.isFresh()).toBe(true);
  });

  test('stay fresh without a reconnection while the server answers', async () => {
    await delay(2 * LEASE);
    await expect.poll(() => reader.isFresh()).toBe(true);
    expect(heard).toEqual([]);
  });

  test('of the writing node itself are heard there once', async () => {
    const own: ChangeSet[] = [];
    onTestFinished(writer.changes.subscribe({ react: (changes) => own.push(changes) }));
    const first = newChange();
    const second = newChange();
    await write(first);
    await untilHeard([first]);
    await write(second);
    await untilHeard([second]);
    expect(own).toEqual([[first], [second]]);
  });

  test('may all have been missed when the listening connection was terminated', async () => {
    await administer(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'reader'",
    );
    await expect.poll(() => reader.isFresh(), { interval: 1 }).toBe(false);
    await write(newChange());
    await untilHeard('everything');
    await expect.poll(() => reader.isFresh()).toBe(true);
    const later = newChange();
    await write(later);
    await untilHeard([later]);
  });

  test('are not fresh for longer than the lease when the connection swallows everything', async () => {
    proxy.setFault({ kind: 'black-hole' });
    const swallowed = newChange();
    await write(swallowed);
    const answered = performance.now();
    for (let asked = answered; reader.isFresh(); asked = performance.now()) {
      expect(asked - answered).toBeLessThan(LEASE);
      await delay(1);
    }
    expect(heard).not.toContainEqual([swallowed]);

    proxy.setFault({ kind: 'pass' });
    await untilHeard('everything');
    await expect.poll(() => reader.isFresh()).toBe(true);
  });

  test('are not fresh when the process wakes up after a stall longer than the lease', async () => {
    expect(reader.isFresh()).toBe(true);
    const wakeUp = performance.now() + LEASE + 50;
    while (performance.now() < wakeUp) {
      // Stalls the event loop: no timer runs, no answer is read.
    }
    expect(reader.isFresh()).toBe(false);
    await expect.poll(() => reader.isFresh()).toBe(true);
  });

  test('are not fresh after the end, which also ends a reconnection in progress', async () => {
    proxy.dropConnections();
    await expect.poll(() => reader.isFresh(), { interval: 1 }).toBe(false);
    proxy.setFault({ kind: 'latency', milliseconds: 50 });
    const { accepted } = proxy.counts;
    await expect.poll(() => proxy.counts.accepted, { interval: 1 }).toBeGreaterThan(accepted);
    await reader.close();
    expect(reader.isFresh()).toBe(false);
    await expect.poll(() => proxy.counts.open).toBe(0);
  });

  test('on the channel that cannot be read count as everything', async () => {
    await writer.db.$executeRaw`SELECT pg_notify('gatehouse_changes', 'not ours')`;
    await untilHeard('everything');
  });
});
