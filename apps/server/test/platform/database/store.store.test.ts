import { describe, expect, test } from 'vitest';
import type { Change, ChangeSet } from '../../../src/platform/changes/changes.ts';
import { sqlState, violatedConstraint } from '../../../src/platform/database/database-failure.ts';
import { createId } from '../../../src/platform/ids.ts';
import { useStore } from '../../support/store.ts';

const store = useStore();

function newOrganization(name = 'Acme') {
  return { ...createId(), name };
}

describe('a transaction', () => {
  test('keeps what it wrote when its work resolves', async () => {
    const data = newOrganization();
    await store.transaction(({ db }) => db.organization.create({ data }));
    expect(await store.db.organization.findUnique({ where: { id: data.id } })).toEqual(data);
  });

  test('leaves nothing behind when its work rejects', async () => {
    const data = newOrganization();
    const work = store.transaction(async ({ db }) => {
      await db.organization.create({ data });
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await store.db.organization.findUnique({ where: { id: data.id } })).toBeNull();
  });

  test('has called the listeners of this node once when it resolves', async () => {
    const heard: ChangeSet[] = [];
    const stop = store.changes.subscribe({ react: (changes) => heard.push(changes) });
    const changes: Change[] = [
      { kind: 'application', id: createId().id },
      { kind: 'token', id: createId().id },
    ];
    await store.transaction(async ({ db, announce }) => {
      await db.organization.create({ data: newOrganization() });
      announce(...changes);
      expect(heard).toEqual([]);
    });
    stop();
    expect(heard).toEqual([changes]);
  });

  test('announces nothing that was rolled back', async () => {
    const heard: ChangeSet[] = [];
    const stop = store.changes.subscribe({ react: (changes) => heard.push(changes) });
    const work = store.transaction(async ({ announce }) => {
      announce({ kind: 'application', id: createId().id });
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    const marker: Change = { kind: 'session', id: createId().id };
    await store.transaction(async ({ announce }) => announce(marker));
    stop();
    expect(heard).toEqual([[marker]]);
  });

  test('announces more changes than one notification holds', async () => {
    const heard: Change[] = [];
    const stop = store.changes.subscribe({
      react: (changes) => {
        if (changes !== 'everything') heard.push(...changes);
      },
    });
    const changes = Array.from({ length: 500 }, () => ({
      kind: 'connection' as const,
      id: `${createId().id}:${createId().id}`,
    }));
    await store.transaction(async ({ announce }) => announce(...changes));
    stop();
    expect(heard).toEqual(changes);
  });

  test('runs beside fifty others without losing one', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `Parallel ${index}`);
    await Promise.all(
      names.map((name) =>
        store.transaction(async ({ db }) => {
          await db.$queryRaw`SELECT pg_sleep(0.01)::text`;
          await db.organization.create({ data: newOrganization(name) });
        }),
      ),
    );
    expect(await store.db.organization.count({ where: { name: { startsWith: 'Parallel' } } })).toBe(
      50,
    );
  });
});

describe('a failed statement', () => {
  test('names the unique constraint that refused it, whichever way it was sent', async () => {
    const organization = await store.db.organization.create({ data: newOrganization() });
    const user = () => ({
      ...createId(),
      organizationId: organization.id,
      email: 'ada@example.com',
      name: 'Ada',
      role: 'member' as const,
    });
    await store.db.user.create({ data: user() });
    const refused = await store.db.user.create({ data: user() }).catch((error: unknown) => error);
    expect(violatedConstraint(refused)).toBe('User_organizationId_email_key');

    const { id, createdAt } = createId();
    const raw = await store.db.$executeRaw`
      INSERT INTO "User" ("id", "organizationId", "email", "name", "role", "createdAt")
      VALUES (${id}::uuid, ${organization.id}::uuid, 'ada@example.com', 'Ada', 'member', ${createdAt})`.catch(
      (error: unknown) => error,
    );
    expect(violatedConstraint(raw)).toBe('User_organizationId_email_key');
  });

  test('tells its SQLSTATE', async () => {
    const error = await store.db.$queryRaw`SELECT 1 / 0`.catch((failure: unknown) => failure);
    expect(sqlState(error)).toBe('22012');
    expect(violatedConstraint(error)).toBeUndefined();
  });
});

test('time stamps come back as the instants they were, with milliseconds', async () => {
  const data = { ...newOrganization(), createdAt: new Date('2026-07-01T12:34:56.789Z') };
  await store.db.organization.create({ data });
  const found = await store.db.organization.findUniqueOrThrow({ where: { id: data.id } });
  expect(found.createdAt.toISOString()).toBe('2026-07-01T12:34:56.789Z');
  const rows = await store.db.$queryRaw<{ same: boolean }[]>`
    SELECT "createdAt" = '2026-07-01T12:34:56.789Z'::timestamptz AS same
    FROM "Organization" WHERE "id" = ${data.id}::uuid`;
  expect(rows).toEqual([{ same: true }]);
});

test('the name filter finds by trigrams where the extension is there', async () => {
  const indexes = await store.db.$queryRaw`
    SELECT indexname::text FROM pg_indexes WHERE indexname = 'Integration_organizationId_name_trgm_idx'`;
  expect(indexes).toHaveLength(1);
});
