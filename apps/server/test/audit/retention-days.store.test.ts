import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { exportAudit } from '../../src/audit/exporting/export-audit.ts';
import { readSnapshot } from '../../src/audit/exporting/snapshot.ts';
import { sweepAudit } from '../../src/audit/retention.ts';
import type { AuditDays } from '../../src/audit/retention-mark.ts';
import { readSigningKey } from '../../src/audit/signing-keys.ts';
import type { Report } from '../../src/audit/verify/report.ts';
import { verifyExport } from '../../src/audit/verify/verify-export.ts';
import { verifySnapshot } from '../../src/audit/verify/verify-snapshot.ts';
import { smallestIdAt } from '../../src/platform/ids.ts';
import { createTestOrganization, vault } from '../credentials/fixtures.ts';
import { useStore } from '../support/store.ts';
import { writePast } from './history.ts';

const DAY = 24 * 60 * 60 * 1_000;

const USUAL: AuditDays = { calls: 90, changes: 365 };
const FEWER: AuditDays = { calls: 30, changes: 50 };
const MORE: AuditDays = { calls: 200, changes: 1_000 };

/** The age of each block. The last one ends the run, and has neither calls nor changes. */
const AGES = [85, 80, 60, 45, 40, 35, 20, 2, 1];

const store = useStore();
let run: string;
let organizationId: string;
let userId: string;

beforeAll(async () => ({ organizationId, userId } = await createTestOrganization(store)));

beforeEach(async () => {
  const { auditBlock, auditEvent, auditAnchor, auditRetention } = store.db;
  await auditBlock.deleteMany();
  await auditEvent.deleteMany();
  await auditAnchor.deleteMany();
  await auditRetention.deleteMany();
  run = await writePast(store, vault, { organizationId, userId, days: AGES });
});

afterEach(() => vi.useRealTimers());

/** What housekeeping does in the next hour. */
async function sweep(auditDays: AuditDays): Promise<void> {
  const announcedAt = new Date(Date.now() - 60 * 60 * 1_000);
  await store.db.auditRetention.updateMany({ data: { announcedAt } });
  await sweepAudit({ store, vault, auditDays });
}

/** In the database, and in a file of it. */
async function verify(): Promise<readonly [Report, Report]> {
  const signer = await readSigningKey(store, vault);
  const [deps, request] = [
    { db: store.db, signer },
    { organizationId: null, writtenBy: '1.0.0' },
  ];
  const options = { key: signer.key.publicKey };
  return [
    await verifySnapshot(await readSnapshot(deps, request), options),
    await verifyExport(exportAudit(deps, request), options),
  ];
}

const verified = { verdict: 'verified', findings: [] };

async function left() {
  const blocks = await store.db.auditBlock.findMany({ orderBy: { number: 'asc' } });
  return {
    blocks: blocks.map(({ number }) => number),
    withCalls: blocks.filter(({ body }) => body !== null).map(({ number }) => number),
    events: await store.db.auditEvent.count(),
  };
}

const everything = {
  blocks: [1, 2, 3, 4, 5, 6, 7, 8, 9],
  withCalls: [1, 2, 3, 4, 5, 6, 7, 8],
  events: 8,
};
const afterFewer = { blocks: [4, 5, 6, 7, 8, 9], withCalls: [7, 8], events: 5 };

it('fewer days delete an hour after they are announced, and what is left is verified all the time', async () => {
  await sweep(USUAL);
  await sweep(FEWER);
  expect(await left()).toEqual(everything);
  expect(await verify()).toMatchObject([verified, verified]);
  await sweepAudit({ store, vault, auditDays: FEWER });
  expect(await left()).toEqual(everything);
  await sweep(FEWER);
  expect(await left()).toEqual(afterFewer);
  for (const report of await verify()) {
    expect(report).toMatchObject({ ...verified, blocks: 6, calls: 2, events: 7 });
    expect(report.droppedUntil.calls?.slice(0, 10)).toBe(
      new Date(Date.now() - 35 * DAY).toISOString().slice(0, 10),
    );
  }
});

it('what fewer days have deleted is not missing under more days, which delete nothing else', async () => {
  await sweep(FEWER);
  await sweep(FEWER);
  for (const days of [USUAL, MORE, MORE]) {
    await sweep(days);
    expect(await left()).toEqual(afterFewer);
    expect(await verify()).toMatchObject([verified, verified]);
  }
});

it('more days keep what fewer would have deleted', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 60 * DAY });
  await sweep(MORE);
  vi.useRealTimers();
  const older = { organizationId, userId, days: [140, 120, 100] };
  const old = await writePast(store, vault, older);
  await sweep(MORE);
  await sweep(MORE);
  expect(await store.db.auditBlock.count({ where: { run: old, body: { not: null } } })).toBe(2);
  for (const report of await verify()) expect(report).toMatchObject({ ...verified, calls: 10 });
  await takeCalls(old, 2);
  await expectMissing(old);
});

async function takeCalls(of: string, number: number): Promise<void> {
  await store.db.auditBlock.update({
    where: { run_number: { run: of, number } },
    data: { body: null },
  });
}

async function expectMissing(of: string): Promise<void> {
  for (const { verdict, findings } of await verify()) {
    expect(verdict).not.toBe('verified');
    expect(findings.map((finding) => finding.run)).toContain(of);
  }
}

const KEPT: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['a block', () => store.db.auditBlock.deleteMany({ where: { run, number: 7 } })],
  ['the first block', () => store.db.auditBlock.deleteMany({ where: { run, number: 4 } })],
  ['the calls of a block', () => takeCalls(run, 7)],
  ['a change', () => store.db.auditEvent.deleteMany({ where: { blockRun: run, blockNumber: 5 } })],
];

it.each(KEPT)(
  '%s that an intruder deletes is found after the days were lowered',
  async (_, remove) => {
    await sweep(FEWER);
    await sweep(FEWER);
    await remove();
    await expectMissing(run);
  },
);

it.each(KEPT)(
  '%s that an intruder deletes is found after the days were raised',
  async (_, remove) => {
    for (const days of [FEWER, FEWER, MORE, MORE]) await sweep(days);
    await remove();
    await expectMissing(run);
  },
);

it('the fewest days of all nodes count', async () => {
  for (const days of [FEWER, USUAL, USUAL]) await sweep(days);
  expect(await left()).toEqual(everything);
  await sweep(FEWER);
  await sweep(USUAL);
  expect(await left()).toEqual(afterFewer);
  expect((await verify()).map(({ verdict }) => verdict)).toEqual(['verified', 'verified']);
});

it('of nodes that sweep within an hour one does', async () => {
  await sweep(FEWER);
  await store.db.auditRetention.updateMany({
    data: { announcedAt: new Date(Date.now() - 60 * 60 * 1_000) },
  });
  const both = Array.from({ length: 2 }, () => sweepAudit({ store, vault, auditDays: FEWER }));
  await Promise.all(both);
  expect(await left()).toEqual(afterFewer);
});

it('a mark that nobody has signed deletes nothing, and hides nothing that is missing', async () => {
  await sweep(USUAL);
  const now = smallestIdAt(Date.now());
  await store.db.auditRetention.updateMany({ data: { calls: now, changes: now } });
  await sweep(USUAL);
  expect(await left()).toEqual(everything);
  await takeCalls(run, 3);
  await expectMissing(run);
});
