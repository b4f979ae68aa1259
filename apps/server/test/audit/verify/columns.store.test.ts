import { beforeEach, expect, it } from 'vitest';
import { readSnapshot } from '../../../src/audit/exporting/snapshot.ts';
import { readSigningKey } from '../../../src/audit/signing-keys.ts';
import type { Report } from '../../../src/audit/verify/report.ts';
import { verifySnapshot } from '../../../src/audit/verify/verify-snapshot.ts';
import { AuditWriter } from '../../../src/audit/writing/audit-writer.ts';
import { createId, smallestIdAt } from '../../../src/platform/ids.ts';
import { createTestOrganization, vault } from '../../credentials/fixtures.ts';
import { useStore } from '../../support/store.ts';
import { callOf } from '../call.ts';

const store = useStore();

/** A run of two blocks: one with a call and a management event, and the one that ends it. */
beforeEach(async () => {
  await store.db.auditBlock.deleteMany();
  await store.db.auditEvent.deleteMany();
  const { organizationId, userId } = await createTestOrganization(store);
  const writer = new AuditWriter({ store, vault, node: 'node-1', onError: () => undefined });
  writer.add(organizationId, callOf());
  const via = { kind: 'personal_token', id: userId } as const;
  const actor = { kind: 'person', organizationId, userId, via } as const;
  await store.transaction(async ({ record }) =>
    record({ action: 'token.revoked', actor, targetId: userId, targetName: `ci:${userId}` }),
  );
  await writer.close();
});

async function verified(): Promise<Report> {
  const signer = await readSigningKey(store, vault);
  const request = { organizationId: null, writtenBy: '1.0.0' };
  return verifySnapshot(await readSnapshot({ db: store.db, signer }, request));
}

interface Column {
  readonly name: string;
  readonly type: string;
}

function columnsOf(table: string): Promise<Column[]> {
  return store.db.$queryRaw<Column[]>`
    SELECT "column_name"::text AS "name", "udt_name"::text AS "type"
    FROM information_schema.columns
    WHERE "table_name" = ${table} AND "table_schema" = current_schema()`;
}

/** Another value for a column. The ids are older than everything that is kept. */
function otherFor({ name, type }: Column): string {
  if (name === 'witnesses')
    return `'[{"run":"${OTHER_ID}","number":1,"hash":"${'0'.repeat(64)}"}]'`;
  if (name === 'managed') return `'[]'`;
  if (type === 'uuid') return `'${OTHER_ID}'`;
  if (type === '_uuid') return `ARRAY['${OTHER_ID}']::uuid[]`;
  if (type === 'int4') return '77';
  if (type === 'bool') return 'true';
  return type === 'timestamptz' ? `'2026-01-01T00:00:00Z'` : `'other'`;
}

const OTHER_ID = '01900000-0000-7000-8000-000000000000';

async function findingsAfter(table: string, column: Column) {
  const first = table === 'AuditBlock' ? '"number" = 1' : 'true';
  await store.db.$executeRawUnsafe(
    `UPDATE "${table}" SET "${column.name}" = ${otherFor(column)} WHERE ${first}`,
  );
  return (await verified()).findings;
}

it('events are verified as they are written', async () => {
  expect(await verified()).toMatchObject({ verdict: 'verified', events: 2, calls: 1 });
});

it('an event that another run has adopted is verified', async () => {
  await store.db.auditBlock.deleteMany();
  const run = createId().id;
  const time = Date.now() - 60_000;
  const { event, id } = await store.db.auditEvent.findFirstOrThrow();
  const older = smallestIdAt(time);
  await store.db.auditEvent.updateMany({
    data: { id: older, event: event.replace(id, older), run, blockRun: null, blockNumber: null },
  });
  const writer = new AuditWriter({ store, vault, node: 'node-2', onError: () => undefined });
  await writer.close();
  expect(await verified()).toMatchObject({ verdict: 'verified', events: 1 });
});

it('a change of any column of a management event is found', async () => {
  const columns = await columnsOf('AuditEvent');
  const row = await store.db.auditEvent.findFirstOrThrow();
  expect(columns.map(({ name }) => name).sort()).toEqual(Object.keys(row).sort());
  for (const column of columns) {
    expect(await findingsAfter('AuditEvent', column), column.name).not.toEqual([]);
    await store.db.auditEvent.deleteMany();
    await store.db.auditEvent.create({ data: row });
  }
  expect(await verified()).toMatchObject({ verdict: 'verified' });
});

it('a column by which a list would leave a management event out is named', async () => {
  const row = await store.db.auditEvent.findFirstOrThrow();
  const inText = (name: string) => !['event', 'blockRun', 'blockNumber'].includes(name);
  for (const column of (await columnsOf('AuditEvent')).filter(({ name }) => inText(name))) {
    expect(await findingsAfter('AuditEvent', column)).toMatchObject([
      { code: 'column', eventId: row.id, message: expect.stringContaining(`"${column.name}"`) },
    ]);
    await store.db.auditEvent.deleteMany();
    await store.db.auditEvent.create({ data: row });
  }
});

it('a change of any column of a block is found', async () => {
  const columns = await columnsOf('AuditBlock');
  const { run } = store;
  const row = await store.db.auditBlock.findFirstOrThrow({ where: { run, number: 1 } });
  expect(columns.map(({ name }) => name).sort()).toEqual(Object.keys(row).sort());
  for (const column of columns) {
    expect(await findingsAfter('AuditBlock', column), column.name).not.toEqual([]);
    await store.db.auditBlock.deleteMany({ where: { NOT: { run, number: 2 } } });
    await store.db.auditBlock.create({ data: row });
  }
  expect(await verified()).toMatchObject({ verdict: 'verified' });
});
