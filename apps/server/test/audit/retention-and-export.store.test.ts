import { beforeAll, beforeEach, expect, it } from 'vitest';
import { exportAudit } from '../../src/audit/exporting/export-audit.ts';
import { sweepAudit } from '../../src/audit/retention.ts';
import { readSigningKey } from '../../src/audit/signing-keys.ts';
import type { Report } from '../../src/audit/verify/report.ts';
import { verifyExport } from '../../src/audit/verify/verify-export.ts';
import { createTestOrganization, vault } from '../credentials/fixtures.ts';
import { useStore } from '../support/store.ts';
import { writePast } from './history.ts';

const DAY = 24 * 60 * 60 * 1_000;

const store = useStore();
let organizationId: string;
let userId: string;

beforeAll(async () => ({ organizationId, userId } = await createTestOrganization(store)));

beforeEach(async () => {
  await store.db.auditBlock.deleteMany();
  await store.db.auditEvent.deleteMany();
  await store.db.auditAnchor.deleteMany();
  await store.db.auditRetention.deleteMany();
});

/** @param meanwhile happens after a line of this kind */
async function verify(kind = 'end', meanwhile = async () => {}): Promise<Report> {
  const signer = await readSigningKey(store, vault);
  const request = { organizationId: null, writtenBy: '1.0.0' };
  let isDone = false;
  async function* read() {
    for await (const line of exportAudit({ db: store.db, signer }, request)) {
      yield line;
      if (isDone || !line.startsWith(`{"type":"${kind}"`)) continue;
      isDone = true;
      await meanwhile();
    }
  }
  return verifyExport(read(), { key: signer.key.publicKey });
}

const past = (days: readonly number[]) => writePast(store, vault, { organizationId, userId, days });
const sweep = () => sweepAudit({ store, vault, auditDays: { calls: 90, changes: 365 } });
const verified = { verdict: 'verified', findings: [] };

const from = (first: number) => Array.from({ length: 22 }, (_, index) => first - index);

/** 22 blocks are dropped and 22 lose their calls: more than an export reads at once. */
const DAYS = [...from(400), ...from(120), 89, 50, 2, 1];

it('an export is verified before and after retention, and has the same in it', async () => {
  const run = await past(DAYS);
  const before = await verify();
  await sweep();
  const after = await verify();
  expect({ ...after, export: null }).toEqual({ ...before, export: null });
  expect(after).toMatchObject({ ...verified, blocks: 26, calls: 3, events: 28 });
  expect(after.runs).toMatchObject([{ run, first: 23, last: 48, end: 'ended' }]);
  const { calls } = after.droppedUntil;
  expect(calls?.slice(0, 10)).toBe(new Date(Date.now() - 99 * DAY).toISOString().slice(0, 10));
});

it.each(['export', 'block', 'event'])(
  'an export is verified that retention overtakes after its first line of the kind %s',
  async (kind) => {
    await past(DAYS);
    expect(await verify(kind, sweep)).toMatchObject(verified);
    expect(await store.db.auditBlock.count()).toBe(26);
  },
);

it('a run that retention drops as a whole is in no export', async () => {
  await past([400, 399, 390]);
  const run = await past([300, 200, 100]);
  const { findings, runs } = await verify('export', sweep);
  expect(findings).toEqual([]);
  expect(runs).toMatchObject([{ run, first: 1 }]);
});

it('an event that is older than its block is not missing when it is dropped first', async () => {
  // The node had ended before a block could take the event in.
  const [organization, days] = [{ organizationId, userId }, [364, 363]];
  await writePast(store, vault, { ...organization, days, eventsOlderBy: 3 });
  await sweep();
  expect(await store.db.auditEvent.count()).toBe(0);
  expect(await verify()).toMatchObject(verified);
});
