import { createKeyring, type EncryptionKey, type Keyring } from './keyring.ts';

/** A keyring whose keys change while the service runs. */
export interface LiveKeyring extends Keyring {
  /** In their order. */
  readonly keys: readonly EncryptionKey[];
  /** Milliseconds since another key began to seal; Infinity when none did. */
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
