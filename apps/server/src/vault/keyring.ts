import { hkdfSync } from 'node:crypto';

/** One encryption key: 32 bytes, and the id that rows store to refer to it. */
export interface EncryptionKey {
  readonly id: string;
  readonly key: Buffer;
}

/** What a subkey is for. A key itself is only used to derive subkeys. */
export type Purpose = (typeof PURPOSES)[number];

/** The loaded keys, with one subkey per purpose. */
export interface Keyring {
  /** The key that seals new values. */
  readonly activeId: string;
  readonly ids: readonly string[];
  /** `undefined` for a key that is not loaded. Only looks the subkey up; derives nothing. */
  subkey(keyId: string, purpose: Purpose): Buffer | undefined;
}

const PURPOSES = [
  'seal',
  'cursor',
  'idempotency',
  'form',
  'connect-session',
  'question',
  'console',
] as const;
const KEY_BYTES = 32;

/** An id in `GATEHOUSE_ENCRYPTION_KEYS`. Its length must fit into one byte. */
const KEY_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Derives every subkey once (HKDF-SHA256, RFC 5869).
 *
 * @param keys the first is the active one.
 * @throws TypeError without any key, for a repeated or malformed id, or a key that is not 32 bytes long.
 */
export function createKeyring(keys: readonly EncryptionKey[]): Keyring {
  const [active] = keys;
  if (active === undefined) throw new TypeError('At least one encryption key is required.');
  const subkeys = new Map<string, ReadonlyMap<Purpose, Buffer>>();
  for (const { id, key } of keys) {
    if (!KEY_ID.test(id))
      throw new TypeError('An encryption key id must be 1 to 64 characters from A-Z a-z 0-9 . _ -');
    if (key.length !== KEY_BYTES) throw new TypeError(`Encryption key ${id} is not 32 bytes long.`);
    if (subkeys.has(id)) throw new TypeError(`The encryption key id ${id} occurs twice.`);
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
