import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { bootstrap } from '../../src/bootstrap.ts';
import { createTokenUsage } from '../../src/identity/token-use.ts';
import { openTestStore, type TestStore } from '../support/store.ts';

let store: TestStore;
let tokenId: string;

beforeEach(async () => {
  store = await openTestStore();
  onTestFinished(() => store.close());
  await bootstrap(store, 'x'.repeat(32));
  tokenId = (await store.db.token.findFirstOrThrow()).id;
});

const lastUsedAt = async () => (await store.db.token.findFirstOrThrow()).lastUsedAt;

test('a use that could not be written is written with the next', async () => {
  const usage = createTokenUsage(store, () => undefined);
  onTestFinished(() => usage.close());
  usage.note(tokenId);
  await store.db.$executeRaw`ALTER TABLE "Token" RENAME TO "Away"`;
  await expect(usage.flush()).rejects.toThrow();
  await store.db.$executeRaw`ALTER TABLE "Away" RENAME TO "Token"`;
  expect(await lastUsedAt()).toBeNull();
  await usage.flush();
  expect(await lastUsedAt()).toBeInstanceOf(Date);
});

test('uses that cannot be written are kept up to a limit', async () => {
  const usage = createTokenUsage(store, () => undefined);
  await store.db.$executeRaw`ALTER TABLE "Token" RENAME TO "Away"`;
  for (let batch = 0; batch < 3; batch += 1) {
    for (let n = 0; n < 5_000; n += 1) usage.note(idOf(batch * 5_000 + n));
    await expect(usage.flush()).rejects.toThrow();
  }
  await store.db.$executeRaw`ALTER TABLE "Away" RENAME TO "Token"`;
  await store.db.$executeRaw`
    INSERT INTO "Token" ("id", "createdAt", "organizationId", "userId", "kind", "name", "hash", "scopes")
    SELECT lpad(to_hex(n), 32, '0')::uuid, "createdAt", "organizationId", "userId", "kind", "name",
      int4send(n), "scopes" FROM "Token", generate_series(0, 14999) n`;
  await usage.close();
  expect(await store.db.token.count({ where: { lastUsedAt: { not: null } } })).toBe(10_000);
});

function idOf(n: number): string {
  const hex = n.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
