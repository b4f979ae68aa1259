import type { ManagementEvent } from '@gatehouse/contract';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { createId } from '../../../src/platform/ids.ts';
import { TESTER } from '../../support/events.ts';
import { useStore } from '../../support/store.ts';

const store = useStore();
const organizationId = createId().id;
const userId = createId().id;

beforeAll(async () => {
  const { db } = store;
  await db.organization.create({
    data: { ...createId(), id: organizationId, name: 'Acme' },
  });
  const person = { email: 'ada@example.com', name: 'Ada', role: 'owner' } as const;
  await db.user.create({ data: { ...createId(), id: userId, organizationId, ...person } });
});

const tokenId = createId().id;
const actor = {
  kind: 'person',
  organizationId,
  userId,
  via: { kind: 'personal_token', id: tokenId },
  request: { id: 'request-1', address: '192.0.2.1' },
} as const;

async function written(event: ManagementEvent) {
  await store.transaction(async ({ record }) => record(event));
  const row = await store.db.auditEvent.findFirstOrThrow({ orderBy: { id: 'desc' } });
  return { row, shown: JSON.parse(row.event) };
}

it('an event is a row with its text, which names who, through what, from where, and what', async () => {
  const changes = [{ field: 'name', from: 'Old', to: 'Acme' }] as const;
  const { row, shown } = await written({
    ...{ action: 'organization.updated', actor, targetId: organizationId, changes },
  });
  expect(row).toMatchObject({ organizationId, action: 'organization.updated', actorId: userId });
  expect(row.concerns).toEqual([organizationId, userId, tokenId].sort(byPlace(row.concerns)));
  expect(shown).toEqual({
    id: row.id,
    kind: 'management',
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    action: 'organization.updated',
    actor: {
      kind: 'person',
      id: userId,
      name: 'Ada',
      via: { kind: 'personal_token', id: tokenId },
    },
    target: { kind: 'organization', id: organizationId, name: 'Acme' },
    outcome: 'succeeded',
    requestId: 'request-1',
    address: '192.0.2.1',
    details: { changes },
  });
  expect(row.event).not.toContain('ada@example.com');
});

function byPlace(ids: readonly string[]) {
  return (a: string, b: string) => ids.indexOf(a) - ids.indexOf(b);
}

it('the service and an operator have no id and no address', async () => {
  const { row, shown } = await written({
    ...{ action: 'member.access_revoked', actor: TESTER, targetId: userId },
  });
  expect(row.actorId).toBeNull();
  expect(shown).toMatchObject({
    actor: { kind: 'service', id: null, name: null, via: { kind: 'job', id: 'start' } },
    target: { kind: 'member', id: userId, name: 'Ada' },
    requestId: null,
    address: null,
  });
});

it('a removed target keeps the name that the event brings', async () => {
  const targetId = createId().id;
  const { shown } = await written({
    ...{ action: 'member.removed', actor, targetId, targetName: 'Grace' },
  });
  expect(shown.target).toEqual({ kind: 'member', id: targetId, name: 'Grace' });
  expect(shown.details).toEqual({});
});

it('a connection has the name of its integration', async () => {
  const { db } = store;
  const integration = await db.integration.create({
    data: {
      ...{ ...createId(), organizationId, name: 'Docs', url: 'https://mcp.example.com' },
      ...{ category: 'gateway_remote_mcp', authMode: 'user_token', updatedAt: new Date() },
    },
  });
  const targetId = `${integration.id}:${userId}`;
  const { row, shown } = await written({ action: 'connection.removed', actor, targetId });
  expect(shown.target).toEqual({ kind: 'connection', id: targetId, name: 'Docs' });
  expect(row.concerns).toEqual(expect.arrayContaining([integration.id, userId]));
});

it('changes have at most 4 KiB: the longest values are left out first', async () => {
  const changes = [
    { field: 'name', from: 'a', to: 'b' },
    { field: 'redirectUris', from: ['x'.repeat(3000)], to: ['y'.repeat(3000)] },
  ] as const;
  const { shown } = await written({
    ...{ action: 'application.updated', actor, targetId: createId().id, changes },
  });
  expect(shown.details.changes).toEqual([
    { field: 'name', from: 'a', to: 'b' },
    { field: 'redirectUris', from: null, to: null, truncated: true },
  ]);
});

it('a transaction that is rolled back writes no row', async () => {
  const before = await store.db.auditEvent.count();
  const work = store.transaction(async ({ record }) => {
    record({ action: 'member.access_revoked', actor, targetId: userId });
    throw new Error('no');
  });
  await expect(work).rejects.toThrow('no');
  expect(await store.db.auditEvent.count()).toBe(before);
});

it('a transaction that fails when it is committed writes no row', async () => {
  const { db } = store;
  await db.$executeRaw`
    CREATE FUNCTION "refuse"() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'no'; END $$`;
  await db.$executeRaw`
    CREATE CONSTRAINT TRIGGER "refuse" AFTER UPDATE ON "User" DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION "refuse"()`;
  onTestFinished(async () => {
    await db.$executeRaw`DROP FUNCTION "refuse" CASCADE`;
  });
  const before = await db.auditEvent.count();
  const work = store.transaction(async (tx) => {
    await tx.db.user.update({ where: { id: userId }, data: { name: 'Another' } });
    tx.record({ action: 'member.access_revoked', actor, targetId: userId });
  });
  await expect(work).rejects.toThrow('no');
  expect(await db.auditEvent.count()).toBe(before);
});
