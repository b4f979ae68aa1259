import { beforeAll, beforeEach, expect, it } from 'vitest';
import { anchorHashOf } from '../../src/audit/block.ts';
import { isSignatureOf, readPublicKey } from '../../src/audit/keys.ts';
import { sweepAudit } from '../../src/audit/retention.ts';
import { listKeys, readSigningKey } from '../../src/audit/signing-keys.ts';
import { AuditWriter } from '../../src/audit/writing/audit-writer.ts';
import { createId, smallestIdAt } from '../../src/platform/ids.ts';
import { createTestOrganization, vault } from '../credentials/fixtures.ts';
import { useStore } from '../support/store.ts';
import { callOf } from './call.ts';
import { setBack } from './history.ts';

const store = useStore();
const run = createId().id;
const sweep = () => sweepAudit({ store, vault, auditDays: { calls: 90, changes: 365 } });
const DAY = 24 * 60 * 60 * 1000;
let organizationId: string;
let userId: string;

beforeAll(async () => ({ organizationId, userId } = await createTestOrganization(store)));

/** Five blocks, each with a call and a management event. */
beforeEach(async () => {
  await store.db.auditBlock.deleteMany();
  await store.db.auditEvent.deleteMany();
  await store.db.auditAnchor.deleteMany();
  await store.db.auditRetention.deleteMany();
  const options = { store: { ...store, run }, vault, node: 'node-1', onError: () => undefined };
  const writer = new AuditWriter(options);
  const via = { kind: 'personal_token', id: userId } as const;
  const actor = { kind: 'person', organizationId, userId, via } as const;
  for (let block = 0; block < 5; block += 1) {
    writer.add(organizationId, callOf());
    await store.transaction(async ({ record }) =>
      record({ action: 'member.access_revoked', actor, targetId: userId }),
    );
    await writer.flush();
  }
  // Without a last block.
  await writer.close();
  await store.db.auditBlock.deleteMany({ where: { ends: true } });
});

/** As if the first blocks, and their management events, had been written that many days ago. */
async function age(blocks: number, days: number): Promise<void> {
  const ages = Array.from({ length: 5 }, (_, index) => (index < blocks ? days : 0));
  await setBack(store.db, await readSigningKey(store, vault), run, { days: ages });
}

async function left() {
  const blocks = await store.db.auditBlock.findMany({ orderBy: { number: 'asc' } });
  return {
    blocks: blocks.map(({ number }) => number),
    withCalls: blocks.filter(({ body }) => body !== null).map(({ number }) => number),
    events: await store.db.auditEvent.count(),
    anchor: (await store.db.auditAnchor.findUnique({ where: { run } }))?.number,
  };
}

const everything = { blocks: [1, 2, 3, 4, 5], withCalls: [1, 2, 3, 4, 5], events: 5 };

it('keeps everything for 90 days', async () => {
  await age(5, 89);
  await sweep();
  expect(await left()).toEqual({ ...everything, anchor: undefined });
});

it('takes the calls out of blocks after 90 days, and keeps blocks that events need', async () => {
  await age(3, 91);
  await sweep();
  expect(await left()).toEqual({ ...everything, withCalls: [4, 5], anchor: undefined });
});

it('deletes events and their blocks after 365 days, and signs where the run goes on', async () => {
  await age(2, 366);
  const second = await store.db.auditBlock.findUniqueOrThrow({
    where: { run_number: { run, number: 2 } },
  });
  await sweep();
  expect(await left()).toEqual({ blocks: [3, 4, 5], withCalls: [3, 4, 5], events: 3, anchor: 2 });
  const {
    signedBy: keyId,
    signature,
    ...dropped
  } = await store.db.auditAnchor.findUniqueOrThrow({
    where: { run },
  });
  expect(dropped.hash).toBe(second.hash);
  const [key] = await listKeys(store.db);
  const hash = anchorHashOf({ ...dropped, keyId });
  expect(isSignatureOf(hash, signature, readPublicKey(key?.publicKey ?? ''))).toBe(true);
});

it('deletes blocks from the beginning of a run only', async () => {
  const days = [366, 0, 366, 366, 0];
  await setBack(store.db, await readSigningKey(store, vault), run, { days });
  await sweep();
  expect(await left()).toMatchObject({ blocks: [2, 3, 4, 5], anchor: 1 });
});

it('keeps a block that was only made to look old', async () => {
  await age(1, 366);
  for (const number of [2, 3]) {
    const id = smallestIdAt(Date.now() - 366 * DAY + number);
    await store.db.auditBlock.updateMany({ where: { run, number }, data: { id } });
  }
  await sweep();
  expect((await left()).blocks).toEqual([1, 2, 3, 4, 5]);
});

it('two nodes that sweep at once leave what one leaves', async () => {
  await age(4, 366);
  await Promise.all([sweep(), sweep()]);
  expect(await left()).toEqual({ blocks: [5], withCalls: [5], events: 1, anchor: 4 });
});
