import { beforeEach, expect, it } from 'vitest';
import {
  type DailyVerificationOptions,
  readVerification,
  verifyDaily,
} from '../../src/audit/daily-verification.ts';
import { AuditWriter } from '../../src/audit/writing/audit-writer.ts';
import { createId } from '../../src/platform/ids.ts';
import { createTestOrganization, vault } from '../credentials/fixtures.ts';
import { useStore } from '../support/store.ts';
import { callOf } from './call.ts';

const store = useStore();
const { signal } = new AbortController();
let verdicts: string[];
let options: DailyVerificationOptions;

beforeEach(async () => {
  await store.db.auditBlock.deleteMany();
  await store.db.auditVerification.deleteMany();
  verdicts = [];
  const onVerified = ({ verdict }: { readonly verdict: string }) => void verdicts.push(verdict);
  options = { store, vault, version: '1.0.0', onVerified };
  const { organizationId } = await createTestOrganization(store);
  const run = createId().id;
  const writing = { store: { ...store, run }, vault, node: 'node-1', onError: () => undefined };
  const writer = new AuditWriter(writing);
  for (let call = 0; call < 3; call += 1) {
    writer.add(organizationId, callOf());
    await writer.flush();
  }
  await writer.close();
});

it('says what is whole, once a day on one of the nodes', async () => {
  expect(await readVerification(store.db)).toBeNull();
  await Promise.all([verifyDaily(options, signal), verifyDaily(options, signal)]);
  expect(verdicts).toEqual(['verified']);
  const result = await readVerification(store.db);
  expect(result).toMatchObject({ verdict: 'verified', findings: [], calls: 3, crashes: 0 });
  await verifyDaily(options, signal);
  expect(await readVerification(store.db)).toEqual(result);

  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000);
  await store.db.auditVerification.updateMany({ data: { startedAt: yesterday } });
  await verifyDaily(options, signal);
  expect(verdicts).toEqual(['verified', 'verified']);
});

it('says which block is missing, and in which run', async () => {
  const second = await store.db.auditBlock.findFirstOrThrow({ where: { number: 2 } });
  await store.db.auditBlock.deleteMany({ where: { number: 2 } });
  await verifyDaily(options, signal);
  expect(await readVerification(store.db)).toMatchObject({
    verdict: 'failed',
    findings: [{ code: 'block_missing', run: second.run, number: 2 }],
  });
});

it('is left to another node when the process ends', async () => {
  const closing = new AbortController();
  closing.abort();
  await verifyDaily(options, closing.signal);
  expect(await readVerification(store.db)).toBeNull();
  await verifyDaily(options, signal);
  expect(verdicts).toEqual(['verified']);
});
