import type { Store, Tx } from '../platform/database/store.ts';
import { assertKeysLoaded } from './key-check.ts';
import { writeKeyFile } from './key-file.ts';
import { createKeyring, type EncryptionKey, type Keyring } from './keyring.ts';

/** A keyring that can change while the service runs. */
export interface LiveKeyring extends Keyring {
  /** In their order. */
  readonly keys: readonly EncryptionKey[];
  /** Milliseconds since the sealing key changed; Infinity if it did not. */
  sealingFor(): number;
  /** @throws TypeError as `createKeyring` does; then nothing has changed */
  replace(keys: readonly EncryptionKey[]): void;
}

/** @throws TypeError as `createKeyring` does */
export function createLiveKeyring(first: readonly EncryptionKey[]): LiveKeyring {
  let keys = first;
  let ring = createKeyring(first);
  let changedAt = -Infinity;
  return {
    get activeId() {
      return ring.activeId;
    },
    get ids() {
      return ring.ids;
    },
    get keys() {
      return keys;
    },
    subkey: (keyId, purpose) => ring.subkey(keyId, purpose),
    sealingFor: () => performance.now() - changedAt,
    replace(next) {
      const replacing = createKeyring(next);
      if (replacing.activeId !== ring.activeId) changedAt = performance.now();
      [ring, keys] = [replacing, next];
    },
  };
}

/** The keys of this process, and how they are changed. */
export interface ChangeableKeys {
  readonly keyring: LiveKeyring;
  /**
   * Replaces the keys, in the key file and in this process; changes come one after another. Undefined
   * where `GATEHOUSE_ENCRYPTION_KEYS` has the keys, because only the operator can change it.
   *
   * @param note writes down what happened, right after the file was written
   * @throws KeyringError
   */
  readonly change?: (
    make: (keys: readonly EncryptionKey[]) => EncryptionKey[],
    note?: (tx: Tx) => Promise<void>,
  ) => Promise<void>;
}

/** Keys from `<dataDir>/encryption-key`. @param tell is called after each change */
export function keysOfFile(
  dataDir: string,
  store: Store,
  keyring: LiveKeyring,
  tell: () => Promise<void>,
): ChangeableKeys {
  let last: Promise<unknown> = Promise.resolve();
  return {
    keyring,
    change(make, note) {
      const changed = last.then(async () => {
        const keys = make(keyring.keys);
        await writeKeyFile(dataDir, keys);
        keyring.replace(keys);
        await store.transaction(async (tx) => {
          await assertKeysLoaded(tx.db, keyring);
          await note?.(tx);
        });
        await tell();
      });
      last = changed.catch(() => undefined);
      return changed;
    },
  };
}
