import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { bootstrap } from '../../src/bootstrap.ts';
import { type InputOf, type RequestName, runRequest } from '../../src/control/requests.ts';
import type { Store } from '../../src/platform/database/store.ts';
import { loadOrCreateKeyFile } from '../../src/vault/key-file.ts';
import type { EncryptionKey } from '../../src/vault/keyring.ts';
import {
  type ChangeableKeys,
  createLiveKeyring,
  keysOfFile,
} from '../../src/vault/live-keyring.ts';
import { createTestOrganization } from '../credentials/fixtures.ts';
import { afterFile } from '../support/after-file.ts';
import { startTestServer } from '../support/server.ts';
import { useStore } from '../support/store.ts';
import { writeSealedRows } from '../vault/sealed-rows.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-keys-'));
afterFile(() => rmSync(dataDir, { recursive: true }));

/** Takes what was recorded about the installation. Each organization has the same. */
async function takeRecorded(store: Store) {
  const where = { action: { startsWith: 'installation.' } };
  const rows = await store.db.auditEvent.findMany({ where, orderBy: { id: 'asc' } });
  await store.db.auditEvent.deleteMany();
  expect(rows.map(({ event }) => event).join()).not.toMatch(/[A-Za-z0-9+/]{43}=/);
  const [first, ...others] = (await store.db.organization.findMany()).map(({ id }) =>
    rows.filter((row) => row.organizationId === id).map(({ event }) => toldBy(event, id)),
  );
  expect(others.length).toBeGreaterThan(0);
  for (const other of others) expect(other).toEqual(first);
  return first;
}

function toldBy(text: string, organizationId: string) {
  const { action, actor, target, details } = JSON.parse(text);
  expect(target).toMatchObject({ kind: 'installation', id: organizationId });
  return [action, actor.kind, actor.via.id, details];
}

/** A database with two organizations. */
function useInstallation() {
  const store = useStore();
  const run = <Name extends RequestName>(keys: ChangeableKeys, name: Name, input: InputOf<Name>) =>
    runRequest({ store, publicUrl: 'https://us.example', keys }, name, input);
  beforeAll(async () => {
    await bootstrap(store, 'x'.repeat(40));
    await createTestOrganization(store);
  });
  return { store, run, takeRecorded: () => takeRecorded(store) };
}

describe('a key of the key file', () => {
  const { store, run, takeRecorded } = useInstallation();

  it('has an event when it is added, seals, has sealed rows again, and is given up', async () => {
    const [first] = await loadOrCreateKeyFile(dataDir);
    const keyring = createLiveKeyring([first as EncryptionKey]);
    const keys = keysOfFile(dataDir, store, keyring, async () => {});
    const [firstId = ''] = keyring.ids;

    const { id } = await run(keys, 'keys-add', {});
    const added = [['installation.key_added', 'operator', 'keys add', { keyId: id }]];
    expect(await takeRecorded()).toEqual(added);

    await writeSealedRows(store, await createTestOrganization(store), first as EncryptionKey);
    await store.db.auditEvent.deleteMany();
    await run(keys, 'keys-activate', { id });
    await run(keys, 'keys-activate', { id });
    const activated = [['installation.key_activated', 'operator', 'keys activate', { keyId: id }]];
    expect(await takeRecorded()).toEqual(activated);

    const { rewrapped: rows } = await run(keys, 'keys-rewrap', {});
    expect(rows).toBeGreaterThan(5);
    await run(keys, 'keys-rewrap', {});
    const resealed = [['installation.resealed', 'operator', 'keys rewrap', { keyId: id, rows }]];
    expect(await takeRecorded()).toEqual(resealed);

    vi.spyOn(keyring, 'sealingFor').mockReturnValue(Number.POSITIVE_INFINITY);
    await run(keys, 'keys-retire', { id: firstId, isUrgent: true });
    const retired = [['installation.key_retired', 'operator', 'keys retire', { keyId: firstId }]];
    expect(await takeRecorded()).toEqual(retired);
  });
});

describe('a key of the environment', () => {
  const { store, run, takeRecorded } = useInstallation();
  const [first, second] = ['first', 'second'].map((id) => ({ id, key: randomBytes(32) })) as [
    EncryptionKey,
    EncryptionKey,
  ];

  it('has an event when a node first starts with it in front', async () => {
    const shared = { ...store, close: async () => {} };
    for (const encryptionKeys of [[first, second], [first], [second, first], [second, first]]) {
      await (await startTestServer({ encryptionKeys }, async () => shared)).close();
    }
    expect(await takeRecorded()).toEqual(
      ['first', 'second'].map((keyId) => {
        return ['installation.key_activated', 'service', 'start', { keyId }];
      }),
    );
  });

  it('has no event when it is made, because nothing is stored', async () => {
    await run({ keyring: createLiveKeyring([second]) }, 'keys-add', {});
    expect(await takeRecorded()).toEqual([]);
  });
});
