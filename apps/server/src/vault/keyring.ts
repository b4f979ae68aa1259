import { hkdfSync } from 'node:crypto';

/** One loaded encryption key: 32 bytes under the id that rows name it by. */
export interface EncryptionKey {
  readonly id: string;
  readonly key: Buffer;
}

/** What a subkey is for; a key's bytes themselves encrypt nothing. */
export type Purpose = 'seal' | 'cursor' | 'idempotency';

/** The loaded keys, each split into one subkey per purpose. */
export interface Keyring {
  /** The key new rows are sealed with. */
  readonly activeId: string;
  readonly ids: readonly string[];
  /** `undefined` for a key that is not loaded. A lookup: nothing is derived here. */
  subkey(keyId: string, purpose: Purpose): Buffer | undefined;
}

const PURPOSES: readonly Purpose[] = ['seal', 'cursor', 'idempotency'];
const KEY_BYTES = 32;

/** `id` as it may stand in `GATEHOUSE_ENCRYPTION_KEYS`; never longer than one length byte can say. */
const KEY_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Derives every subkey once (HKDF-SHA256, RFC 5869).
 *
 * @param keys the first is active.
 * @throws TypeError for no key, a repeated or malformed id, or a key that is not 32 bytes long.
 */
export function createKeyring(keys: readonly EncryptionKey[]): Keyring {
  const [active] = keys;
  if (active === undefined) throw new TypeError('At least one encryption key is needed.');
  const subkeys = new Map<string, ReadonlyMap<Purpose, Buffer>>();
  for (const { id, key } of keys) {
    if (!KEY_ID.test(id))
      throw new TypeError('An encryption key id is 1 to 64 of A-Z a-z 0-9 . _ -');
    if (key.length !== KEY_BYTES) throw new TypeError(`Encryption key ${id} is not 32 bytes long.`);
    if (subkeys.has(id)) throw new TypeError(`Encryption key ${id} is given twice.`);
    subkeys.set(id, new Map(PURPOSES.map((purpose) => [purpose, derive(key, purpose)])));
  }
  return {
    activeId: active.id,
    ids: [...subkeys.keys()],
    subkey: (keyId, purpose) => subkeys.get(keyId)?.get(purpose),
  };
}

function derive(key: Buffer, purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `gatehouse/${purpose}/v1`, KEY_BYTES));
}
