import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { schemaFile } from '../../src/platform/database/package-files.ts';
import type { Db } from '../../src/platform/database/store.ts';
import { createKeyring } from '../../src/vault/keyring.ts';
import { rewrap } from '../../src/vault/rewrap.ts';
import { connectionSealContext } from '../../src/vault/seal-contexts.ts';
import { countRecognized, countSealed } from '../../src/vault/sealed-counts.ts';
import { SEALED_TABLES } from '../../src/vault/sealed-tables.ts';
import { createVault } from '../../src/vault/vault.ts';
import { createTestOrganization, type TestOrganization } from '../credentials/fixtures.ts';
import { testDatabaseKind } from '../support/database.ts';
import { useStore } from '../support/store.ts';
import { writeSealedRows } from './sealed-rows.ts';

const first = { id: 'first', key: randomBytes(32) };
const second = { id: 'second', key: randomBytes(32) };
const keyring = createKeyring([second, first]);

const names = SEALED_TABLES.map(({ name }) => name);
const never = new AbortController().signal;

it('covers every table of the schema that names an encryption key', () => {
  const schema = readFileSync(schemaFile(), 'utf8');
  const models = [...schema.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)];
  expect(models.length).toBeGreaterThan(20);
  const naming = models.filter(([, , body = '']) => /^ {2}(?:keyId|sealed)\s/m.test(body));
  const sealed = naming.map(([, name]) => name).filter((name) => name !== 'KeyCheck');
  expect(sealed.sort()).toEqual([...names].sort());
});

describe('rewrapping', () => {
  const store = useStore();
  let organization: TestOrganization;
  beforeAll(async () => {
    organization = await createTestOrganization(store);
  });
  beforeEach(async () => {
    await store.db.session.deleteMany();
    await store.db.oauthToken.deleteMany();
    await store.db.forwardedAnswer.deleteMany();
    await store.db.idempotencyKey.deleteMany();
    await store.db.upstreamRevocation.deleteMany();
    await store.db.auditKey.deleteMany();
    await store.db.integration.deleteMany();
  });

  const connect = async (token = 'token') => {
    const target = await organization.addIntegration({ authMode: 'user_token' });
    return organization.connect(target, { token }, createVault(createKeyring([first])));
  };

  it('seals one row of every table again, with what it is bound to', async () => {
    await writeSealedRows(store, organization, first);
    const one = Object.fromEntries(names.map((name) => [name, 1]));
    expect(await countSealed(store.db)).toEqual(new Map([['first', one]]));
    const done = await rewrap(store.db, keyring, never);
    expect(done).toEqual({ rewrapped: names.length, unreadable: [], isDone: true });
    expect(await countSealed(store.db)).toEqual(new Map([['second', one]]));
    const again = await rewrap(store.db, keyring, never);
    expect(again).toEqual({ rewrapped: 0, unreadable: [], isDone: true });
  });

  it('leaves a value readable with the sealing key alone, and nothing else changed', async () => {
    const before = await connect('secret');
    await rewrap(store.db, keyring, never);
    const after = await store.db.connection.findUniqueOrThrow({ where: { id: before.id } });
    const { sealed: _, keyId, ...rest } = after;
    const { sealed: __, keyId: ___, ...restBefore } = before;
    expect([rest, keyId]).toEqual([restBefore, 'second']);
    const vault = createVault(createKeyring([second]));
    expect(vault.open(after, connectionSealContext(after))).toContain('secret');
  });

  it('does not write over what was stored meanwhile', async () => {
    const row = await connect('old');
    const sealed = createVault(createKeyring([first])).seal('new', connectionSealContext(row));
    const done = await rewrap(
      meanwhile(store.db, 'SELECT r.*', () =>
        store.db.connection.update({ where: { id: row.id }, data: sealed }),
      ),
      keyring,
      never,
    );
    expect(done).toMatchObject({ rewrapped: 0, isDone: false });
    const after = await store.db.connection.findUniqueOrThrow({ where: { id: row.id } });
    expect(Buffer.from(after.sealed)).toEqual(sealed.sealed);
    expect(await rewrap(store.db, keyring, never)).toMatchObject({ rewrapped: 1, isDone: true });
  });

  it('leaves rows that do not open as they are, names them, and does the others', async () => {
    const broken = await connect();
    await store.db.connection.update({
      where: { id: broken.id },
      data: { sealed: Buffer.concat([Buffer.of(2), randomBytes(60)]) },
    });
    await Promise.all(Array.from({ length: 5 }, () => connect()));
    const done = await rewrap(store.db, keyring, never);
    expect(done).toEqual({
      rewrapped: 5,
      unreadable: [{ table: 'Connection', id: broken.id, keyId: 'first' }],
      isDone: true,
    });
  });

  it('leaves rows alone if their key is not loaded', async () => {
    await connect();
    const done = await rewrap(store.db, createKeyring([second]), never);
    expect(done).toMatchObject({ rewrapped: 0, unreadable: [] });
  });

  it('ends when aborted, and continues the next time', async () => {
    await Promise.all(Array.from({ length: 150 }, () => connect()));
    const ending = new AbortController();
    const stopping = meanwhile(store.db, 'SELECT r.*', async () => ending.abort());
    const begun = await rewrap(stopping, keyring, ending.signal);
    expect(begun).toMatchObject({ rewrapped: 100, isDone: false });
    expect(await rewrap(store.db, keyring, never)).toMatchObject({ rewrapped: 50, isDone: true });
  });

  it.runIf(testDatabaseKind === 'postgresql')(
    'does not wait for a row that is locked',
    async () => {
      const locked = await connect();
      await connect();
      await store.transaction(async ({ db }) => {
        await db.$queryRaw`SELECT 1 FROM "Connection" WHERE "id" = ${locked.id}::uuid FOR UPDATE`;
        const begun = performance.now();
        const done = await rewrap(store.db, keyring, never);
        expect(done).toMatchObject({ rewrapped: 1, isDone: false });
        expect(performance.now() - begun).toBeLessThan(4_000);
      });
      expect(await rewrap(store.db, keyring, never)).toMatchObject({ rewrapped: 1, isDone: true });
    },
  );

  it('counts the stored requests that a key alone recognizes', async () => {
    await writeSealedRows(store, organization, first);
    await rewrap(store.db, keyring, never);
    const { count, last } = await countRecognized(store.db, 'first');
    expect([count, last]).toEqual([1, expect.any(Date)]);
    expect(await countRecognized(store.db, 'firs')).toEqual({ count: 0, last: null });
    await store.db.idempotencyKey.updateMany({
      data: { createdAt: new Date(Date.now() - 25 * 60 * 60_000) },
    });
    expect(await countRecognized(store.db, 'first')).toMatchObject({ count: 0 });
  });
});

/** A client that does something right after each query which begins so. */
function meanwhile(db: Db, beginning: string, work: () => Promise<unknown>): Db {
  return new Proxy(db, {
    get(target, name) {
      if (name !== '$queryRaw') return Reflect.get(target, name, target);
      return async (texts: TemplateStringsArray, ...values: never[]) => {
        const rows = await target.$queryRaw(texts, ...values);
        if (texts[0]?.trim().startsWith(beginning) && (rows as unknown[]).length > 0) await work();
        return rows;
      };
    },
  });
}
