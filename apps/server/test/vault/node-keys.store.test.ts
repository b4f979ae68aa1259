import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createId } from '../../src/platform/ids.ts';
import { assertKeysLoaded, type KeyringError } from '../../src/vault/key-check.ts';
import { createKeyring, type EncryptionKey } from '../../src/vault/keyring.ts';
import { announceKeys, findRunningNodes, writeNode } from '../../src/vault/node-keys.ts';
import { testDatabaseKind } from '../support/database.ts';
import { useStore } from '../support/store.ts';

const first = { id: 'first', key: randomBytes(32) };
const second = { id: 'second', key: randomBytes(32) };

describe('the keys of the nodes', () => {
  const store = useStore();
  beforeEach(async () => {
    await store.db.node.deleteMany();
    await store.db.keyCheck.deleteMany();
  });

  const fail = (error: unknown): never => {
    throw error;
  };
  async function start(...keys: EncryptionKey[]) {
    const keyring = createKeyring(keys);
    const options = { store, keyring, version: '1.2.3', onError: fail, onConflict: fail };
    const node = await announceKeys(options);
    onTestFinished(() => node.close());
    return node;
  }
  const running = async () => (await findRunningNodes(store.db)).map(({ keyIds }) => keyIds);

  it('are known as long as a node runs', async () => {
    const node = await start(second, first);
    expect(await running()).toEqual([['second', 'first']]);
    await node.close();
    expect(await running()).toEqual([]);
  });

  it('are gone after the end of a node that was just reporting them', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const errors: unknown[] = [];
    let isHeld = false;
    let release = (): void => {};
    const db = new Proxy(store.db, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        if (key !== '$executeRaw' || !isHeld || typeof value !== 'function') return value;
        isHeld = false;
        // As when a new connection to the database has to be made first.
        return async (...args: unknown[]) => {
          await new Promise<void>((resolve) => {
            release = resolve;
          });
          return Reflect.apply(value, target, args);
        };
      },
    });
    const node = await announceKeys({
      ...{ store: { ...store, db }, keyring: createKeyring([first]), version: '1.2.3' },
      onError: (error) => errors.push(error),
      onConflict: fail,
    });
    isHeld = true;
    vi.advanceTimersByTime(15_000);
    await vi.waitUntil(() => !isHeld);
    const closed = node.close();
    await new Promise((resolve) => setTimeout(resolve, 200));
    release();
    await closed;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([await running(), errors]).toEqual([[], []]);
  });

  it('count no longer when a node has said nothing for a minute', async () => {
    await start(first);
    await store.db.node.updateMany({ data: { leaseUntil: new Date(Date.now() - 1) } });
    expect(await running()).toEqual([]);
  });

  it('are reported again before the lease ends, and a new conflict is reported once', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const conflicts: KeyringError[] = [];
    const keyring = createKeyring([first]);
    const node = await announceKeys({
      ...{ store, keyring, version: '1.2.3', onError: fail },
      onConflict: (error) => conflicts.push(error),
    });
    onTestFinished(() => node.close());
    await store.db.node.updateMany({ data: { leaseUntil: new Date(Date.now() - 1) } });
    vi.advanceTimersByTime(20_000);
    await vi.waitUntil(async () => (await running()).length === 1, { timeout: 20_000 });
    const other = { ...createId(), name: 'other', version: '1.2.3', keyIds: ['third'] };
    expect(node.areShared()).toBe(true);
    await writeNode(store.db, other);
    vi.advanceTimersByTime(20_000);
    await vi.waitUntil(() => conflicts.length > 0, { timeout: 20_000 });
    vi.advanceTimersByTime(60_000);
    await node.tell();
    expect(conflicts).toMatchObject([{ code: 'not_shared', keyIds: ['first', 'third'] }]);
    expect(node.areShared()).toBe(false);
    await store.db.node.delete({ where: { id: other.id } });
    vi.advanceTimersByTime(20_000);
    await vi.waitUntil(() => node.areShared(), { timeout: 20_000 });
  });

  it.runIf(testDatabaseKind === 'pglite')(
    'of one embedded database are those of the process that has it',
    async () => {
      await start(first);
      await start(second);
      expect(await running()).toEqual([['second']]);
    },
  );

  describe.runIf(testDatabaseKind === 'postgresql')('on several nodes', () => {
    it.each([
      ['a new key is added everywhere', [first], [first, second]],
      ['it begins to seal', [first, second], [second, first]],
      ['the old one goes', [second, first], [second]],
    ])('may differ while %s', async (_, before, after) => {
      await start(...before);
      await start(...after);
      expect(await running()).toHaveLength(2);
    });

    it('keep a node from starting that would seal what another cannot open', async () => {
      await start(first);
      await expect(start(second, first)).rejects.toMatchObject({
        code: 'not_shared',
        keyIds: ['second'],
      });
      expect(await running()).toEqual([['first']]);
    });

    it('keep a node from starting that could not open what another seals', async () => {
      await start(second, first);
      await expect(start(first)).rejects.toMatchObject({ code: 'not_shared', keyIds: ['second'] });
    });
  });

  it('must not include a retired one that would seal', async () => {
    await assertKeysLoaded(store.db, createKeyring([first]));
    await store.db.keyCheck.updateMany({ data: { retiredAt: new Date() } });
    const refused = assertKeysLoaded(store.db, createKeyring([first]));
    await expect(refused).rejects.toMatchObject({ code: 'key_retired', keyIds: ['first'] });
    await assertKeysLoaded(store.db, createKeyring([second, first]));
  });
});
