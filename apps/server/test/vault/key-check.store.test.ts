import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sweep } from '../../src/housekeeping.ts';
import { createId } from '../../src/platform/ids.ts';
import { revokeSession } from '../../src/sessions/end-sessions.ts';
import { revokeSessionsOfAttachments } from '../../src/sessions/revocation.ts';
import { defaultWindows } from '../../src/sessions/windows.ts';
import { assertKeysLoaded } from '../../src/vault/key-check.ts';
import { createKeyring } from '../../src/vault/keyring.ts';
import { createVault } from '../../src/vault/vault.ts';
import { createTestOrganization, type TestOrganization } from '../credentials/fixtures.ts';
import { at, createWorld, openNode } from '../sessions/fixture.ts';
import { TESTER } from '../support/events.ts';
import { useStore } from '../support/store.ts';

const first = { id: 'first', key: randomBytes(32) };
const second = { id: 'second', key: randomBytes(32) };

describe('assertKeysLoaded', () => {
  const store = useStore();
  let organization: TestOrganization;
  beforeAll(async () => {
    organization = await createTestOrganization(store);
  });
  beforeEach(async () => {
    await store.db.keyCheck.deleteMany();
    await store.db.integration.deleteMany();
    await store.db.application.deleteMany();
    await store.db.idempotencyKey.deleteMany();
  });

  it('accepts an empty database and remembers the keys', async () => {
    await assertKeysLoaded(store.db, createKeyring([first, second]));
    const checks = await store.db.keyCheck.findMany({ orderBy: { keyId: 'asc' } });
    expect(checks.map(({ keyId }) => keyId)).toEqual(['first', 'second']);
    await assertKeysLoaded(store.db, createKeyring([second]));
  });

  it('refuses a key of a known id with other bytes', async () => {
    await assertKeysLoaded(store.db, createKeyring([first]));
    await expect(
      assertKeysLoaded(store.db, createKeyring([second, { id: 'first', key: randomBytes(32) }])),
    ).rejects.toMatchObject({ code: 'key_differs', keyIds: ['first'] });
    await assertKeysLoaded(store.db, createKeyring([second, first]));
  });

  it.each(['integrationSecret', 'connection', 'session', 'idempotencyKey'] as const)(
    'refuses to go on when a row of %s names a key that is not loaded',
    async (table) => {
      const keyring = createKeyring([second, first]);
      await writeRow(table);
      await assertKeysLoaded(store.db, keyring);
      const failed = assertKeysLoaded(store.db, createKeyring([second]));
      await expect(failed).rejects.toMatchObject({ code: 'key_not_loaded', keyIds: ['first'] });
      await expect(failed).rejects.toThrow('first');
    },
  );

  it('names every key that is missing, with one short read per key', async () => {
    const target = await organization.addIntegration({ authMode: 'server_token' });
    const other = await organization.addIntegration({ authMode: 'user_token' });
    await organization.setServerToken(target, 'token', createVault(createKeyring([second])));
    await organization.connect(other, { token: 'token' }, createVault(createKeyring([first])));
    const rows = Array.from({ length: 50 }, () => ({
      ...idempotencyRow(),
      keyId: 'first',
    }));
    await store.db.idempotencyKey.createMany({ data: rows });
    store.statements();
    await expect(
      assertKeysLoaded(store.db, createKeyring([{ id: 'third', key: randomBytes(32) }])),
    ).rejects.toMatchObject({ keyIds: ['first', 'second'] });
    // Eight tables with sealed columns beside that of the audit's keys, and two of them again for the second key.
    expect(store.statements()).toHaveLength(11);
  });

  it('lets a key go once every session that it sealed has ended, in whichever way', async () => {
    const world = await createWorld(store);
    const [route, caller] = [at(world.routes, 0), at(world.callers, 0)];
    const node = openNode(store, {}, createVault(createKeyring([first])));
    const open = async () => (await node.legacy.open(route, caller, 'upstream')).session;
    const [closed, revoked, expired, detached] = [
      await open(),
      await open(),
      await open(),
      await open(),
    ];
    const check = () => assertKeysLoaded(store.db, createKeyring([second]));
    const left = { code: 'key_not_loaded', keyIds: ['first'] };
    await node.legacy.end(closed);
    await expect(check()).rejects.toMatchObject(left);
    await store.transaction((tx) =>
      revokeSession(tx, { ...route, id: revoked.id }, node.admin, TESTER),
    );
    await expect(check()).rejects.toMatchObject(left);
    await silence(expired.id);
    await sweep(store.db, defaultWindows);
    await expect(check()).rejects.toMatchObject(left);
    const { applicationId, attachmentId } = route;
    await store.transaction((tx) => revokeSessionsOfAttachments(tx, applicationId, [attachmentId]));
    await check();
    const rows = await store.db.session.findMany({ where: { applicationId } });
    expect(rows.map(({ id, state }) => [id, state]).sort()).toEqual(
      [
        [closed.id, 'closed'],
        [revoked.id, 'revoked'],
        [expired.id, 'expired'],
        [detached.id, 'revoked'],
      ].sort(),
    );
    for (const { sealed, keyId } of rows)
      expect({ sealed, keyId }).toEqual({ sealed: null, keyId: null });
    await node.close();
  });

  const silence = (id: string) =>
    store.db.session.update({
      where: { id },
      data: { lastActivityAt: new Date(Date.now() - 26 * 60 * 60_000) },
    });

  async function writeRow(
    table: 'integrationSecret' | 'connection' | 'session' | 'idempotencyKey',
  ) {
    const sealer = createVault(createKeyring([first]));
    const target = await organization.addIntegration({ authMode: 'user_token' });
    if (table === 'integrationSecret') await organization.setServerToken(target, 'token', sealer);
    if (table === 'connection') await organization.connect(target, { token: 'token' }, sealer);
    if (table === 'idempotencyKey') {
      await store.db.idempotencyKey.create({ data: { ...idempotencyRow(), keyId: 'first' } });
    }
    if (table === 'session') await writeSession(target.integrationId);
  }

  async function writeSession(integrationId: string) {
    const { organizationId, userId } = organization;
    const { id: applicationId, createdAt } = createId();
    const times = { createdAt, updatedAt: createdAt };
    await store.db.application.create({
      data: {
        id: applicationId,
        organizationId,
        ownerUserId: userId,
        name: 'Test',
        clientType: 'public',
        ...times,
      },
    });
    await store.db.session.create({
      data: {
        ...createId(),
        organizationId,
        applicationId,
        integrationId,
        userId,
        attachmentId: createId().id,
        tokenId: createId().id,
        era: 'legacy',
        sealed: randomBytes(40),
        keyId: 'first',
        lastActivityAt: createdAt,
      },
    });
  }

  function idempotencyRow() {
    const { id, createdAt } = createId();
    return {
      id,
      createdAt,
      key: id,
      userId: organization.userId,
      operation: 'POST /x',
      bodyHash: randomBytes(32),
    };
  }
});
