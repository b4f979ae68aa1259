import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { blockHashOf, type RunHead } from '../../../src/audit/block.ts';
import { decodeCalls } from '../../../src/audit/decode-calls.ts';
import { hashOfText } from '../../../src/audit/hash.ts';
import { isSignatureOf, readPublicKey } from '../../../src/audit/keys.ts';
import { listKeys, readFirstKey, replaceSigningKey } from '../../../src/audit/signing-keys.ts';
import { blockOf, inflateBody } from '../../../src/audit/stored-block.ts';
import { AuditWriter } from '../../../src/audit/writing/audit-writer.ts';
import type { Store } from '../../../src/platform/database/store.ts';
import { createId } from '../../../src/platform/ids.ts';
import { createTestOrganization, vault } from '../../credentials/fixtures.ts';
import { useStore } from '../../support/store.ts';
import { callOf } from '../call.ts';

const store = useStore();
let organizationId: string;
let userId: string;

beforeAll(async () => ({ organizationId, userId } = await createTestOrganization(store)));

beforeEach(async () => {
  await store.db.auditBlock.deleteMany();
  await store.db.auditEvent.deleteMany();
});

/** A writer that only `flush` and `close` make write. */
function writerOf(given: Partial<Store> = {}): AuditWriter {
  const run = createId().id;
  const options = { store: { ...store, run, ...given }, vault, node: 'node-1' };
  const writer = new AuditWriter({ ...options, onError: () => undefined });
  onTestFinished(() => writer.close().catch(() => undefined));
  return writer;
}

async function recordEvent(): Promise<string> {
  const via = { kind: 'personal_token', id: userId } as const;
  const actor = { kind: 'person', organizationId, userId, via } as const;
  await store.transaction(async ({ record }) =>
    record({ action: 'member.access_revoked', actor, targetId: userId }),
  );
  return (await store.db.auditEvent.findFirstOrThrow({ orderBy: { id: 'desc' } })).id;
}

async function blocks() {
  const rows = await store.db.auditBlock.findMany({ orderBy: [{ id: 'asc' }] });
  return rows.map(blockOf);
}

describe('a block', () => {
  it('holds the calls that waited, as they were', async () => {
    const writer = writerOf();
    writer.add(organizationId, callOf());
    writer.add(organizationId, callOf({ name: 'delete' }));
    await writer.flush();
    const [block] = await blocks();
    expect(block?.content).toMatchObject({ organizationId, calls: 2, managed: [] });
    const body = await inflateBody(block?.body ?? '');
    expect(hashOfText(body)).toBe(block?.content.body);
    const events = block === undefined ? [] : decodeCalls(block.content, body);
    expect(events.map(({ details }) => details.name)).toEqual(['search', 'delete']);
  });

  it('holds the digests of management events, and their rows name it', async () => {
    const writer = writerOf();
    const id = await recordEvent();
    await writer.flush();
    const row = await store.db.auditEvent.findUniqueOrThrow({ where: { id } });
    const [block] = await blocks();
    expect(block?.content.managed).toEqual([{ id, digest: hashOfText(row.event), run: null }]);
    expect(row).toMatchObject({ blockRun: block?.head.run, blockNumber: block?.head.number });
  });

  it('is signed, and continues the one before it', async () => {
    const writer = writerOf();
    for (let round = 0; round < 3; round += 1) {
      writer.add(organizationId, callOf());
      await writer.flush();
    }
    const [key] = await listKeys(store.db);
    const written = await blocks();
    expect(written.map(({ head }) => head.number)).toEqual([1, 2, 3]);
    expect(written.map(({ head }) => head.previous)).toEqual([
      null,
      ...written.slice(0, -1).map(({ hash }) => hash),
    ]);
    for (const { head, hash, signature } of written) {
      expect(blockHashOf(head)).toBe(hash);
      expect(isSignatureOf(hash, signature, readPublicKey(key?.publicKey ?? ''))).toBe(true);
    }
  });

  it('holds at most 500 calls, and those of one organization', async () => {
    const writer = writerOf();
    const other = createId().id;
    for (let call = 0; call < 1_001; call += 1) writer.add(organizationId, callOf());
    writer.add(other, callOf());
    await writer.flush();
    const found = (await blocks()).map(({ content }) => [content.organizationId, content.calls]);
    const own = (count: number) => [organizationId, count];
    expect(found.sort()).toEqual([own(500), own(500), own(1), [other, 1]].sort());
  });
});

describe('a run', () => {
  it('is shared by calls that begin at the same moment, and wait for it', async () => {
    const writer = writerOf();
    const begun = Array.from({ length: 20 }, () => writer.begin(organizationId, [callOf()]));
    await Promise.all(begun.map(({ stored }) => stored));
    expect((await blocks()).map(({ content }) => content.calls)).toEqual([20]);
    const ids = begun.flatMap((one) => one.begun.map(({ id }) => id));
    expect(new Set(ids).size).toBe(20);
  });

  it('begins with the heads of those before it, and its last block says that it ended', async () => {
    const first = writerOf();
    await first.flush();
    await first.close();
    const second = writerOf();
    await second.flush();
    const [begun, ended, next] = await blocks();
    expect([begun, ended, next].map((block) => block?.head.ends)).toEqual([false, true, false]);
    const head: RunHead = { run: ended?.head.run ?? '', number: 2, hash: ended?.hash ?? '' };
    expect(next?.head.witnesses).toEqual([head]);
  });

  it('adopts what another run has committed and left, and says so', async () => {
    const id = await recordEvent();
    const old = await store.db.auditEvent.findUniqueOrThrow({ where: { id } });
    const earlier = { ...old, id: `0190${old.id.slice(4)}` };
    await store.db.auditEvent.create({ data: earlier });
    const writer = writerOf();
    await writer.flush();
    const managed = (await blocks()).flatMap(({ content }) => content.managed);
    expect(managed).toEqual([
      { id: earlier.id, digest: hashOfText(earlier.event), run: store.run },
    ]);
  });

  it('signs with a new key soon, which the one before has signed', async () => {
    await writerOf().flush();
    const before = await listKeys(store.db);
    await store.transaction((tx) => replaceSigningKey(tx, vault));
    await writerOf().flush();
    const keys = await listKeys(store.db);
    expect(keys.at(-1)).toMatchObject({ signedBy: before.at(-1)?.id });
    expect(await readFirstKey(store, vault)).toEqual(before[0]);
    expect((await blocks()).at(-1)?.head.keyId).toBe(keys.at(-1)?.id);
  });
});

describe('after a failure', () => {
  /** A store with a transaction that fails once. */
  function failingOnce(when: 'before' | 'after'): Partial<Store> {
    let hasFailed = false;
    return {
      async transaction(work) {
        if (hasFailed) return store.transaction(work);
        const result = when === 'after' ? await store.transaction(work) : undefined;
        hasFailed = true;
        if (when === 'before') {
          return store.transaction(async (tx) => {
            await work(tx);
            throw new Error('lost');
          });
        }
        void result;
        throw new Error('lost');
      },
    };
  }

  it.each(['before', 'after'] as const)(
    'a write that fails %s its commit leaves each event in one block',
    async (when) => {
      await writerOf().flush();
      const writer = writerOf(failingOnce(when));
      writer.add(organizationId, callOf());
      const id = await recordEvent();
      await expect(writer.flush()).rejects.toThrow('lost');
      writer.add(organizationId, callOf());
      await writer.flush();
      const written = (await blocks()).slice(1);
      expect(written.reduce((sum, { content }) => sum + content.calls, 0)).toBe(2);
      expect(written.flatMap(({ content }) => content.managed).map((event) => event.id)).toEqual([
        id,
      ]);
      expect(written.map(({ head }) => head.number)).toEqual(written.map((_, index) => index + 1));
      expect(written[1]?.head.previous ?? written[0]?.hash).toBe(written[0]?.hash);
    },
  );

  it('the messages of a call begin all, or not at all', async () => {
    const writer = writerOf();
    for (let call = 0; call < 19_999; call += 1) writer.add(organizationId, callOf());
    expect(() => writer.begin(organizationId, [callOf(), callOf()])).toThrow(
      expect.objectContaining({ code: 'overloaded' }),
    );
    expect(writer.waiting).toBe(19_999);
    await writer.flush();
  });

  it('20,000 calls wait; the number of those beyond is recorded', async () => {
    const writer = writerOf();
    for (let call = 0; call < 20_003; call += 1) writer.add(organizationId, callOf());
    expect(writer.waiting).toBe(20_000);
    await writer.flush();
    const lost = await store.db.auditEvent.findFirstOrThrow({ where: { organizationId } });
    expect(JSON.parse(lost.event)).toMatchObject({
      action: 'audit.calls_lost',
      details: { count: 3 },
    });
    const written = await blocks();
    expect(written.reduce((sum, { content }) => sum + content.calls, 0)).toBe(20_000);
  });
});
