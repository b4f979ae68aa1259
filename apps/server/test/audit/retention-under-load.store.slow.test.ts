import { setTimeout as delay } from 'node:timers/promises';
import { startScriptedUpstream } from '@gatehouse/testing';
import { expect, it, onTestFinished } from 'vitest';
import { exportAudit } from '../../src/audit/exporting/export-audit.ts';
import { sweepAudit } from '../../src/audit/retention.ts';
import { reachOf } from '../../src/audit/retention-mark.ts';
import { readSigningKey } from '../../src/audit/signing-keys.ts';
import { verifyExport } from '../../src/audit/verify/verify-export.ts';
import { createId } from '../../src/platform/ids.ts';
import { key, vault } from '../credentials/fixtures.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { openTestStore, type TestStore } from '../support/store.ts';
import { use } from '../support/use.ts';
import { writePast } from './history.ts';

/** A server that finds an old run in its database. */
const server = use(() => startTestServer({ encryptionKeys: [key] }, openOldStore));

/** Old blocks of each kind: those that leave, and those that lose their calls. */
const BLOCKS = 300;
const CALLS = 50;
const CLIENTS = 2;

const auditDays = { calls: 90, changes: 365 };

/** Milliseconds that a request may take longer, beside how slow the machine is: a batch of rows takes 20. */
const MARGIN = { half: 20, most: 200, all: 1_500 };

/** How many times longer, on a machine that is busy: the sweep and PostgreSQL then share what is left of it with requests. */
const SHARED = 4;

it('retention under load drops what is old, nobody waits for it, and the audit is verified', async () => {
  const { store } = server;
  expect(await countOld(store)).toEqual({
    blocks: BLOCKS,
    withCalls: 2 * BLOCKS,
    events: BLOCKS,
  });
  const requests = await createRequests();

  await measure(requests, delay(500));
  const before = await measure(requests, delay(2_000));
  const during = await measure(requests, sweepAudit({ store, vault, auditDays }));
  expect(during.length).toBeGreaterThan(10);
  expect(shareOf(during, 0.5)).toBeLessThan(SHARED * shareOf(before, 0.5) + MARGIN.half);
  expect(shareOf(during, 0.9)).toBeLessThan(SHARED * shareOf(before, 0.9) + MARGIN.most);
  expect(Math.max(...during)).toBeLessThan(SHARED * Math.max(...before) + MARGIN.all);

  expect(await countOld(store)).toEqual({ blocks: 0, withCalls: 0, events: 0 });
  expect(await store.db.auditBlock.count({ where: { node: 'past' } })).toBeGreaterThan(BLOCKS);
  const signer = await readSigningKey(store, vault);
  const lines = exportAudit({ db: store.db, signer }, { organizationId: null, writtenBy: '1.0.0' });
  const report = await verifyExport(lines, { key: signer.key.publicKey });
  expect(report).toMatchObject({ verdict: 'verified', findings: [] });
  expect(report.droppedUntil.calls).not.toBeNull();
});

/** What retention has to drop. */
async function countOld({ db }: TestStore) {
  const { calls, changes: events } = reachOf(auditDays);
  return {
    blocks: await db.auditBlock.count({ where: { id: { lt: events } } }),
    withCalls: await db.auditBlock.count({ where: { id: { lt: calls }, body: { not: null } } }),
    events: await db.auditEvent.count({ where: { id: { lt: events } } }),
  };
}

async function openOldStore(): Promise<TestStore> {
  const store = await openTestStore();
  const old = (age: number) => Array.from({ length: BLOCKS }, (_, n) => age - n / BLOCKS);
  const ids = { organizationId: createId().id, userId: createId().id };
  await writePast(store, vault, { ...ids, days: [...old(400), ...old(200), 1], calls: CALLS });
  return store;
}

type Request = () => Promise<unknown>;

/** A call of the gateway, and a write. */
async function createRequests(): Promise<readonly Request[]> {
  const upstream = await startScriptedUpstream();
  onTestFinished(() => upstream.close());
  upstream.otherwise(({ respondResult }) => respondResult({}));
  const integration = { name: 'Docs', url: upstream.url, authMode: 'none' };
  const integrationId = await create('/integrations', 'integration', integration);
  const oauth = { type: 'public', redirectUris: ['http://localhost/cb'] };
  const applicationId = await create('/applications', 'application', { name: 'Assistant', oauth });
  await server.call('POST', `/applications/${applicationId}/integrations/${integrationId}`);
  let number = 0;
  return [
    () => callGateway(server, `/mcp/${applicationId}/${integrationId}`),
    async () => {
      const renamed = { body: { name: `Docs ${number++}` } };
      const { status } = await server.call('PATCH', `/integrations/${integrationId}`, renamed);
      expect(status).toBe(200);
    },
  ];
}

async function create(path: string, kind: string, fields: object): Promise<string> {
  const { body } = await server.call('POST', path, { body: fields });
  return body[kind].id;
}

async function callGateway({ origin, owner }: TestServer, path: string): Promise<void> {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${owner}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  await response.text();
  expect(response.status).toBe(200);
}

/** The milliseconds of each request until something is done. */
async function measure(requests: readonly Request[], work: Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  let isDone = false;
  const repeat = async (request: Request): Promise<void> => {
    while (!isDone) {
      const begun = performance.now();
      await request();
      took.push(performance.now() - begun);
    }
  };
  const clients = Array.from({ length: CLIENTS }, () => requests.map(repeat)).flat();
  await work;
  isDone = true;
  await Promise.all(clients);
  return took;
}

/** Within which this share of the requests was answered. */
function shareOf(took: readonly number[], share: number): number {
  const sorted = took.toSorted((a, b) => a - b);
  return sorted[Math.floor(took.length * share)] ?? Number.NaN;
}
