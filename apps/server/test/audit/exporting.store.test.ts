import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { exportAudit } from '../../src/audit/exporting/export-audit.ts';
import type { ExportRequest } from '../../src/audit/exporting/export-request.ts';
import { readSnapshot } from '../../src/audit/exporting/snapshot.ts';
import { listKeys, readSigningKey } from '../../src/audit/signing-keys.ts';
import type { Report } from '../../src/audit/verify/report.ts';
import { verifyExport } from '../../src/audit/verify/verify-export.ts';
import { verifySnapshot } from '../../src/audit/verify/verify-snapshot.ts';
import { AuditWriter } from '../../src/audit/writing/audit-writer.ts';
import { createId } from '../../src/platform/ids.ts';
import { createTestOrganization, vault } from '../credentials/fixtures.ts';
import { useStore } from '../support/store.ts';
import { callOf } from './call.ts';

const store = useStore();
let organizationId: string;
let userId: string;
let other: string;
let run: string;

beforeAll(async () => {
  ({ organizationId, userId } = await createTestOrganization(store));
  other = createId().id;
});

/** A run of six blocks, of two organizations, that ends in good order; and one that does not. */
beforeEach(async () => {
  await store.db.auditBlock.deleteMany();
  await store.db.auditEvent.deleteMany();
  const open = (node: string, subscribeToEvents = store.subscribeToEvents) => {
    run = createId().id;
    const options = { store: { ...store, run, subscribeToEvents }, vault, node };
    return new AuditWriter({ ...options, onError: () => undefined });
  };
  const crashed = open('node-2', () => () => undefined);
  crashed.add(organizationId, callOf({ name: 'first' }));
  await crashed.flush();
  const writer = open('node-1');
  for (let round = 0; round < 3; round += 1) {
    writer.add(organizationId, callOf({ name: `tool-${round}` }));
    await record();
    await writer.flush();
    writer.add(other, callOf({ name: 'of another' }));
    await writer.flush();
  }
  await writer.close();
});

async function record(): Promise<void> {
  const via = { kind: 'personal_token', id: userId } as const;
  const actor = { kind: 'person', organizationId, userId, via } as const;
  await store.transaction(async ({ record: write }) =>
    write({ action: 'member.access_revoked', actor, targetId: userId }),
  );
  // The store of the test has one run, and each writer here another.
  await store.db.auditEvent.updateMany({ where: { blockNumber: null }, data: { run } });
}

async function exported(request: Partial<ExportRequest> = {}): Promise<string[]> {
  const signer = await readSigningKey(store, vault);
  const whole = { organizationId, writtenBy: '1.0.0', ...request };
  const lines: string[] = [];
  for await (const line of exportAudit({ db: store.db, signer }, whole)) lines.push(line);
  return lines;
}

async function verified(lines: readonly string[]) {
  async function* read() {
    yield* lines;
  }
  return verifyExport(read(), { key: await firstKey() });
}

async function firstKey(): Promise<string> {
  const [first] = await listKeys(store.db);
  return first?.publicKey ?? '';
}

async function verifiedInPlace(): Promise<Report> {
  const signer = await readSigningKey(store, vault);
  const request = { organizationId: null, writtenBy: '1.0.0' };
  const snapshot = await readSnapshot({ db: store.db, signer }, request);
  return verifySnapshot(snapshot, { key: await firstKey() });
}

describe('an export', () => {
  it('is verified with the public key alone, and names the run that ended by a crash', async () => {
    const report = await verified(await exported());
    expect(report).toMatchObject({ verdict: 'verified', findings: [], calls: 4 });
    expect(report.runs.map(({ node, end }) => [node, end]).sort()).toEqual([
      ['node-1', 'ended'],
      ['node-2', 'crashed'],
    ]);
  });

  it('is verified with calls that began in other blocks than they ended in', async () => {
    const writer = new AuditWriter({
      ...{ store: { ...store, run: createId().id }, vault, node: 'node-1' },
      onError: () => undefined,
    });
    const [begun] = writer.begin(organizationId, [callOf()]).begun;
    await writer.flush();
    writer.add(organizationId, callOf(), begun);
    await writer.close();
    const lines = await exported();
    expect(await verified(lines)).toMatchObject({ verdict: 'verified', calls: 6 });
    expect(lines.filter((line) => line.includes(`"ended":["${begun?.id}"]`))).toHaveLength(1);
    const freed = lines.map((line) => line.replace(`"begun":"${begun?.id}"`, `"begun":"${run}"`));
    expect((await verified(freed)).findings.map(({ code }) => code)).toContain('calls_changed');
  });

  it('has the events of its organization, readable, and of another one only heads', async () => {
    const lines = await exported();
    const text = lines.join('\n');
    expect(text).toContain('tool-2');
    expect(text).not.toContain('of another');
    expect(text).not.toContain(other);
  });

  it('of a span has the blocks made in it, and is verified', async () => {
    const blocks = await store.db.auditBlock.findMany({
      where: { run },
      orderBy: { number: 'asc' },
    });
    const from = blocks[2]?.at.toISOString();
    const to = blocks[4]?.at.toISOString();
    const lines = await exported({ from, to });
    expect(await verified(lines)).toMatchObject({ verdict: 'verified', findings: [] });
    const text = lines.join('\n');
    expect(text).toContain('tool-1');
    expect(text).not.toMatch(/tool-0|tool-2/);
  });

  it('of everything has each organization', async () => {
    const lines = await exported({ organizationId: null });
    const report = await verified(lines);
    expect(report).toMatchObject({ verdict: 'verified', calls: 7 });
    const { export: _at, ...inPlace } = await verifiedInPlace();
    expect(report).toMatchObject(inPlace);
  });

  it('has events that a block takes in while it is read, also when the clock was set back', async () => {
    const writer = new AuditWriter({
      ...{ store: { ...store, run: createId().id }, vault, node: 'node-1' },
      onError: () => undefined,
    });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 200 });
    // Ids go on from here.
    createId();
    vi.useRealTimers();
    await record();
    const signer = await readSigningKey(store, vault);
    const lines: string[] = [];
    const request = { organizationId, writtenBy: '1.0.0' };
    for await (const line of exportAudit({ db: store.db, signer }, request)) {
      if (lines.length === 0) await writer.flush();
      lines.push(line);
    }
    await writer.close();
    expect(lines.filter((line) => line.includes('member.access_revoked'))).toHaveLength(4);
    expect(await verified(lines)).toMatchObject({ verdict: 'verified' });
  });

  it('has events that no block has yet', async () => {
    await record();
    const lines = await exported();
    expect(lines.filter((line) => line.includes('member.access_revoked'))).toHaveLength(4);
    expect(await verified(lines)).toMatchObject({ verdict: 'verified' });
  });
});

/** What was found first: others follow from it, and an export has lines to be misread. */
function firstOf({ findings: [finding] }: Report) {
  const { code, run, number, eventId } = finding ?? {};
  return code === 'line' ? { code } : { code, run, number, eventId };
}

/** The body of another block of the same run. */
async function otherBody(): Promise<string | null> {
  const block = await store.db.auditBlock.findFirstOrThrow({ where: { run, number: 1 } });
  return block.body;
}

/** A copy of an event of an earlier time: one of the last minute may still wait for its block. */
async function addEvent(other: { readonly blockNumber?: number }): Promise<void> {
  const event = await store.db.auditEvent.findFirstOrThrow({ orderBy: { id: 'asc' } });
  const id = `0190${event.id.slice(4)}`;
  const text = event.event
    .replace(event.id, id)
    .replace(/"at":"[^"]+"/, '"at":"2026-01-01T00:00:00.000Z"');
  await store.db.auditEvent.create({ data: { ...event, id, event: text, ...other } });
}

describe('a change of the database is found, in place and in an export', () => {
  it.each([
    [
      'a management event is deleted',
      () => store.db.auditEvent.deleteMany({ where: { blockNumber: 3 } }),
    ],
    [
      'a management event is changed',
      () => store.db.$executeRaw`UPDATE "AuditEvent" SET "event" = replace("event", 'User', 'Eve')`,
    ],
    [
      'calls are deleted',
      () => store.db.auditBlock.updateMany({ where: { number: 3 }, data: { body: null } }),
    ],
    [
      'calls are those of another block',
      async () =>
        store.db.auditBlock.updateMany({
          where: { run, number: 3 },
          data: { body: await otherBody() },
        }),
    ],
    [
      'calls are damaged',
      () => store.db.auditBlock.updateMany({ where: { run, number: 3 }, data: { body: 'AAAA' } }),
    ],
    [
      'a block names other management events than an array of them',
      () => store.db.auditBlock.updateMany({ where: { run, number: 6 }, data: { managed: '[1]' } }),
    ],
    [
      'a management event is no JSON',
      () => store.db.auditEvent.updateMany({ where: { blockNumber: 3 }, data: { event: '{' } }),
    ],
    ['a key is no key', () => store.db.$executeRaw`UPDATE "AuditKey" SET "publicKey" = 'AAAA'`],
    ['a block is deleted', () => store.db.auditBlock.deleteMany({ where: { run, number: 3 } })],
    [
      'the last blocks of a run are deleted',
      () => store.db.auditBlock.deleteMany({ where: { run: { not: run } } }),
    ],
    [
      'a block belongs to another organization',
      () =>
        store.db.auditBlock.updateMany({
          where: { run, number: 3 },
          data: { organizationId: other },
        }),
    ],
    ['an event is added', () => addEvent({})],
    ['an event is added that names a block that is not there', () => addEvent({ blockNumber: 99 })],
  ])('when %s', async (_what, change) => {
    await change();
    const exportedReport = await verified(await exported({ organizationId: null }));
    expect(exportedReport.verdict).toBe('failed');
    const inPlace = await verifiedInPlace();
    expect(inPlace.verdict).toBe('failed');
    expect(firstOf(inPlace)).toEqual(firstOf(exportedReport));
  });
});
