import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Keyring } from './keyring.ts';

/**
 * What a sealed value is bound to. It opens only with the same context, because all of this is the
 * associated data of the encryption.
 */
export interface SealContext {
  readonly organizationId: string;
  readonly table: string;
  readonly rowId: string;
  readonly column: string;
  /** What the secret was entered for, see `rules/destinations.ts` of the contract; empty for other values. */
  readonly destination: string;
  /** Other fields of the row: the owner of the value and its purpose. The first format lacks them. */
  readonly boundTo: readonly string[];
}

/** A sealed value as a row stores it. */
export interface Sealed {
  readonly keyId: string;
  readonly sealed: Uint8Array;
}

/** Encrypts stored secrets: AES-256-GCM with a random 96-bit nonce (NIST SP 800-38D §8.2.2). */
export interface Vault {
  seal(text: string, context: SealContext): { keyId: string; sealed: Buffer<ArrayBuffer> };
  /** @throws VaultError */
  open(value: Sealed, context: SealContext): string;
}

/** Whether a value was sealed in a format that binds it to less than today's. */
export function isOutdated({ sealed }: Sealed): boolean {
  return sealed[0] !== FORMAT;
}

/** A sealed value cannot be opened. The message contains neither the context nor the value. */
export class VaultError extends Error {
  override readonly name = 'VaultError';
  readonly code: 'unknown_key' | 'unknown_format' | 'not_authentic';

  constructor(code: VaultError['code']) {
    super(`A sealed value cannot be opened: ${code.replace('_', ' ')}.`);
    this.code = code;
  }
}

/** The first byte of a sealed value: its format, which decides the associated data. */
const FORMAT = 2;
const OLD_FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The most missing keys to remember. */
const MAX_MISSING = 100;

const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/**
 * Layout: format (1 byte), nonce (12), tag (16), ciphertext.
 *
 * @param onMissingKey called once with the id of each key that a value names and that is not loaded
 */
export function createVault(
  keyring: Keyring,
  onMissingKey: (keyId: string) => void = () => undefined,
): Vault {
  const missing = new Set<string>();
  const noteMissing = (keyId: string): void => {
    if (missing.has(keyId) || missing.size >= MAX_MISSING) return;
    missing.add(keyId);
    onMissingKey(keyId);
  };
  return {
    seal(text, context) {
      const keyId = keyring.activeId;
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealKey(keyring, keyId), nonce);
      cipher.setAAD(associatedData(context, FORMAT));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([Buffer.of(FORMAT), nonce, cipher.getAuthTag(), ciphertext]);
      return { keyId, sealed };
    },
    open({ keyId, sealed }, context) {
      if (!keyring.ids.includes(keyId)) noteMissing(keyId);
      const key = sealKey(keyring, keyId);
      const [format] = sealed;
      if ((format !== FORMAT && format !== OLD_FORMAT) || sealed.length < HEAD_BYTES)
        throw new VaultError('unknown_format');
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(associatedData(context, format));
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

function associatedData(context: SealContext, format: typeof FORMAT | typeof OLD_FORMAT): Buffer {
  const { organizationId, table, rowId, column, destination, boundTo } = context;
  const inBoth = [format, organizationId, table, rowId, column, destination];
  return Buffer.from(JSON.stringify(format === OLD_FORMAT ? inBoth : [...inBoth, ...boundTo]));
}
