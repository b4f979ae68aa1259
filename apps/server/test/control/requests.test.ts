import { randomBytes } from 'node:crypto';
import { limits } from '@gatehouse/contract';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../src/bootstrap.ts';
import { type InputOf, type RequestName, runRequest } from '../../src/control/requests.ts';
import { createId } from '../../src/platform/ids.ts';
import { assertKeysLoaded } from '../../src/vault/key-check.ts';
import { createKeyring, type EncryptionKey } from '../../src/vault/keyring.ts';
import { createLiveKeyring } from '../../src/vault/live-keyring.ts';
import { writeNode } from '../../src/vault/node-keys.ts';
import { createTestOrganization, type TestOrganization } from '../credentials/fixtures.ts';
import { useStore } from '../support/store.ts';
import { writeSealedRows } from '../vault/sealed-rows.ts';

const first = { id: 'first', key: randomBytes(32) };
const second = { id: 'second', key: randomBytes(32) };

describe('requests of the command', () => {
  const store = useStore();
  let organization: TestOrganization;
  beforeAll(async () => {
    await bootstrap(store, 'x'.repeat(40));
    organization = await createTestOrganization(store);
  });
  beforeEach(async () => {
    await store.db.node.deleteMany();
    await store.db.keyCheck.deleteMany();
    await store.db.idempotencyKey.deleteMany();
  });

  /** With the keys of an environment, which the command cannot change. */
  const run = <Name extends RequestName>(
    name: Name,
    input: InputOf<Name>,
    keys: EncryptionKey[] = [first],
  ) =>
    runRequest(
      { store, publicUrl: 'https://us.example', keys: { keyring: createLiveKeyring(keys) } },
      name,
      input,
    );
  const startNode = (...keyIds: string[]) =>
    writeNode(store.db, { ...createId(), name: `node-${keyIds}`, version: '1', keyIds });

  it('make a token of a member, as one that the API makes', async () => {
    const wanted = { name: 'Recovery', scopes: ['mcp' as const], lifetime: 60_000 };
    const made = await run('token-create', { ...wanted, email: 'Owner@localhost' });
    expect(made.secret).toMatch(/^gh_pat_[\w-]{43}$/);
    const row = await store.db.token.findUniqueOrThrow({ where: { id: made.id } });
    expect(row).toMatchObject({ kind: 'personal', name: 'Recovery', scopes: ['mcp'] });
    expect(row.expiresAt?.toISOString()).toBe(made.expiresAt);
    const unknown = run('token-create', { ...wanted, email: 'nobody@localhost' });
    await expect(unknown).rejects.toMatchObject({ exitCode: 1 });
  });

  it('make no more tokens than the API does', async () => {
    const { organizationId, userId } = organization;
    await store.db.token.createMany({
      data: Array.from({ length: limits.tokens }, () => ({
        ...createId(),
        organizationId,
        userId,
        kind: 'personal' as const,
        name: 'One of many',
        hash: randomBytes(32),
        scopes: [],
      })),
    });
    const person = await store.db.user.findUniqueOrThrow({ where: { id: userId } });
    await store.db.user.update({ where: { id: userId }, data: { email: 'many@localhost' } });
    const wanted = { name: 'More', scopes: ['mcp' as const], lifetime: null };
    const refused = run('token-create', { ...wanted, email: 'many@localhost' });
    await expect(refused).rejects.toThrow(`at most ${limits.tokens} tokens`);
    await store.db.user.update({ where: { id: userId }, data: { email: person.email } });
  });

  it('do not activate a key that is missing on a node, or retired', async () => {
    await startNode('first');
    await startNode('first', 'second');
    const missing = run('keys-activate', { id: 'second' }, [first, second]);
    await expect(missing).rejects.toThrow('missing on node-first');
    await expect(run('keys-activate', { id: 'third' })).rejects.toThrow('third is not loaded');
    await store.db.node.deleteMany();
    await assertKeysLoaded(store.db, createKeyring([first, second]));
    await store.db.keyCheck.updateMany({
      where: { keyId: 'second' },
      data: { retiredAt: new Date() },
    });
    const retired = run('keys-activate', { id: 'second' }, [first, second]);
    await expect(retired).rejects.toThrow('was retired');
  });

  it('do not rewrap while a node seals with another key', async () => {
    await startNode('first', 'second');
    const refused = run('keys-rewrap', {}, [second, first]);
    await expect(refused).rejects.toThrow('Restart those that do not: node-first,second');
  });

  it('do not rewrap with a key that has other bytes on the nodes', async () => {
    await assertKeysLoaded(store.db, createKeyring([first, second]));
    const wrong = { id: 'second', key: randomBytes(32) };
    const refused = run('keys-rewrap', {}, [wrong, first]);
    await expect(refused).rejects.toThrow('Encryption keys differ');
  });

  it('retire a key only in the right order', async () => {
    const retire = (isUrgent = false, keys = [second, first]) =>
      run('keys-retire', { id: 'first', isUrgent }, keys);
    await writeSealedRows(store, organization, first);
    await expect(retire(true, [first, second])).rejects.toThrow('still seals here');
    await startNode('first', 'second');
    await expect(retire(true)).rejects.toThrow('still seals on node-first,second');
    await store.db.node.deleteMany();
    await expect(retire(true)).rejects.toThrow('gatehouse keys rewrap');
    await run('keys-rewrap', {}, [second, first]);
    await expect(retire()).rejects.toThrow(/1 requests of the last 24 hours/);
    expect(await retire(true)).toEqual({ waitSeconds: 0, isRemoved: false });
    const check = await store.db.keyCheck.findUnique({ where: { keyId: 'first' } });
    expect(check?.retiredAt).toBeInstanceOf(Date);
    await expect(run('keys-retire', { id: 'third', isUrgent: true })).rejects.toThrow('no key');
  });

  it('wait before they retire a key that sealed in this process a moment ago', async () => {
    const keyring = createLiveKeyring([first, second]);
    keyring.replace([second, first]);
    const deps = { store, publicUrl: 'https://us.example', keys: { keyring } };
    const { waitSeconds } = await runRequest(deps, 'keys-retire', { id: 'first', isUrgent: true });
    expect(waitSeconds).toBeGreaterThan(20);
  });
});
