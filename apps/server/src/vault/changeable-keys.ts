import type { Store } from '../platform/database/store.ts';
import { assertKeysLoaded } from './key-check.ts';
import { writeKeyFile } from './key-file.ts';
import type { EncryptionKey } from './keyring.ts';
import type { LiveKeyring } from './live-keyring.ts';

/** The keys of this process, and how they are changed. */
export interface ChangeableKeys {
  readonly keyring: LiveKeyring;
  /**
   * Replaces the keys, in the key file and in this process; changes come one after another. Undefined where
   * `GATEHOUSE_ENCRYPTION_KEYS` has the keys, which its operator alone can change.
   *
   * @throws KeyringError
   */
  readonly change?: (make: (keys: readonly EncryptionKey[]) => EncryptionKey[]) => Promise<void>;
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
    change(make) {
      const changed = last.then(async () => {
        const keys = make(keyring.keys);
        await writeKeyFile(dataDir, keys);
        keyring.replace(keys);
        await assertKeysLoaded(store.db, keyring);
        await tell();
      });
      last = changed.catch(() => undefined);
      return changed;
    },
  };
}
