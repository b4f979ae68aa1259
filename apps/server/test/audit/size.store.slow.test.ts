import { expect, it } from 'vitest';
import { AuditWriter } from '../../src/audit/writing/audit-writer.ts';
import { createId } from '../../src/platform/ids.ts';
import { createTestOrganization, vault } from '../credentials/fixtures.ts';
import { useStore } from '../support/store.ts';
import { callOf } from './call.ts';

const store = useStore();
const BLOCKS = 200;

/** Bytes of the audit's tables with their indexes. */
async function sizeOf(table: 'AuditBlock' | 'AuditEvent'): Promise<number> {
  const [row] = await store.db.$queryRaw<{ readonly bytes: bigint }[]>`
    SELECT pg_total_relation_size(${`"${table}"`}::regclass) AS "bytes"`;
  return Number(row?.bytes);
}

function openWriter(): AuditWriter {
  return new AuditWriter({ store, vault, node: 'node-1', onError: () => undefined });
}

/** @returns the bytes of one call, of 200 people and 40 tools, by turns */
async function bytesOfCall(callsInBlock: number): Promise<number> {
  const { organizationId } = await createTestOrganization(store);
  const people = Array.from({ length: 200 }, () => createId().id);
  const before = await sizeOf('AuditBlock');
  const writer = openWriter();
  for (let call = 0; call < BLOCKS * callsInBlock; call += 1) {
    const userId = people[call % people.length] ?? '';
    const details = {
      userId,
      name: `tool_${call % 40}`,
      sessionId: createId().id,
      ms: call % 2000,
    };
    const made = callOf({ ...details, bytesOut: (call * 37) % 20_000 });
    const actor = { ...made.actor, id: userId, via: { kind: 'personal_token', id: userId } };
    writer.add(organizationId, { ...made, actor, at: Date.now(), requestId: createId().id });
    if (call % callsInBlock === callsInBlock - 1) await writer.flush();
  }
  await writer.close();
  await store.db.auditBlock.deleteMany({ where: { ends: true } });
  return ((await sizeOf('AuditBlock')) - before) / (BLOCKS * callsInBlock);
}

// docs/run/sizing.md says these numbers.
it.each([
  [1, 1_500],
  [10, 300],
  [30, 200],
  [100, 150],
])('with %i calls in a block the audit takes at most %i bytes for each', async (calls, most) => {
  expect(await bytesOfCall(calls)).toBeLessThan(most);
  await store.db.auditBlock.deleteMany();
});

it('a change takes at most 4 KB in the audit', async () => {
  const { organizationId, userId } = await createTestOrganization(store);
  const before = (await sizeOf('AuditBlock')) + (await sizeOf('AuditEvent'));
  const writer = openWriter();
  const request = { id: createId().id, address: '192.0.2.1' };
  const via = { kind: 'personal_token', id: userId } as const;
  const actor = { kind: 'person', organizationId, userId, via, request } as const;
  const changes = [{ field: 'name', from: 'Issue tracker', to: 'Issues' }] as const;
  for (let change = 0; change < BLOCKS; change += 1) {
    await store.transaction(async ({ record }) =>
      record({ action: 'application.updated', actor, targetId: createId().id, changes }),
    );
    await writer.flush();
  }
  await writer.close();
  const after = (await sizeOf('AuditBlock')) + (await sizeOf('AuditEvent'));
  expect((after - before) / BLOCKS).toBeLessThan(4_000);
});
