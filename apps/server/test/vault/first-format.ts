import { createCipheriv, randomBytes } from 'node:crypto';
import { createKeyring, type EncryptionKey } from '../../src/vault/keyring.ts';
import type { SealContext } from '../../src/vault/vault.ts';

/** What earlier versions stored: format 1, bound to the row and the destination only. */
export function sealedInFirstFormat(text: string, key: EncryptionKey, context: SealContext) {
  const { organizationId, table, rowId, column, destination } = context;
  const nonce = randomBytes(12);
  const subkey = createKeyring([key]).subkey(key.id, 'seal');
  if (subkey === undefined) throw new Error('The key is not in its own keyring.');
  const cipher = createCipheriv('aes-256-gcm', subkey, nonce);
  cipher.setAAD(
    Buffer.from(JSON.stringify([1, organizationId, table, rowId, column, destination])),
  );
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const sealed = Buffer.concat([Buffer.of(1), nonce, cipher.getAuthTag(), ciphertext]);
  return { keyId: key.id, sealed };
}
