import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Keyring } from './keyring.ts';

/** Where a sealed value stands. It opens only there: all of it is associated data. */
export interface Place {
  readonly organizationId: string;
  readonly table: string;
  readonly rowId: string;
  readonly column: string;
  /** What the secret was entered for, see `destinations.ts` in the contract; empty where there is no such thing. */
  readonly destination: string;
}

/** A sealed value as a row stores it. */
export interface Sealed {
  readonly keyId: string;
  readonly sealed: Uint8Array;
}

/** Seals secrets at rest: AES-256-GCM with a random 96-bit nonce (NIST SP 800-38D §8.2.2). */
export interface Vault {
  seal(text: string, place: Place): { keyId: string; sealed: Buffer<ArrayBuffer> };
  /** @throws VaultError */
  open(value: Sealed, place: Place): string;
}

/** A sealed value that does not open. The message names neither the place nor the value. */
export class VaultError extends Error {
  override readonly name = 'VaultError';
  readonly code: 'unknown_key' | 'unknown_format' | 'not_authentic';

  constructor(code: VaultError['code']) {
    super(`A sealed value does not open: ${code.replace('_', ' ')}.`);
    this.code = code;
  }
}

const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** Layout: format (1 byte), nonce (12), tag (16), ciphertext. */
export function createVault(keyring: Keyring): Vault {
  return {
    seal(text, place) {
      const keyId = keyring.activeId;
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealKey(keyring, keyId), nonce);
      cipher.setAAD(associatedData(place));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([Buffer.of(FORMAT), nonce, cipher.getAuthTag(), ciphertext]);
      return { keyId, sealed };
    },
    open({ keyId, sealed }, place) {
      const key = sealKey(keyring, keyId);
      if (sealed[0] !== FORMAT || sealed.length < HEAD_BYTES)
        throw new VaultError('unknown_format');
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(associatedData(place));
      decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES));
      try {
        const text = decipher.update(sealed.subarray(HEAD_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        throw new VaultError('not_authentic');
      }
    },
  };
}

function sealKey(keyring: Keyring, keyId: string): Buffer {
  const key = keyring.subkey(keyId, 'seal');
  if (key === undefined) throw new VaultError('unknown_key');
  return key;
}

function associatedData(place: Place): Buffer {
  const { organizationId, table, rowId, column, destination } = place;
  return Buffer.from(JSON.stringify([FORMAT, organizationId, table, rowId, column, destination]));
}
