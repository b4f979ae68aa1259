import {
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { z } from 'zod';
import { hashOf } from './hash.ts';

/** Base64 of exactly this many bytes, in the one way to write them. */
function base64Of(bytes: number) {
  return z.string().refine((text) => {
    const read = Buffer.from(text, 'base64');
    return read.length === bytes && read.toString('base64') === text;
  }, `Not base64 of ${bytes} bytes.`);
}

/** Ed25519 (RFC 8032), in base64. */
export const signatureSchema = base64Of(64);

/** Signs a hash, which names its domain (`hashOf`). */
export function signHash(hash: string, privateKey: KeyObject): string {
  return sign(null, Buffer.from(hash, 'hex'), privateKey).toString('base64');
}

export function isSignatureOf(hash: string, signature: string, publicKey: KeyObject): boolean {
  return verify(null, Buffer.from(hash, 'hex'), publicKey, Buffer.from(signature, 'base64'));
}

/** The start of the hash of its public key, so that an id names one key. */
export const keyIdSchema = z.string().regex(/^[0-9a-f]{32}$/);

/** Base64 of SubjectPublicKeyInfo (RFC 8410) with an Ed25519 key. */
export const publicKeySchema = base64Of(44).refine(
  (text) => text.startsWith('MCowBQYDK2VwAyEA'),
  'Not an Ed25519 key.',
);

export const auditKeySchema = z.strictObject({
  id: keyIdSchema,
  publicKey: publicKeySchema,
  createdAt: z.iso.datetime(),
  /** The id of its predecessor; null for the first key. */
  signedBy: keyIdSchema.nullable(),
  signature: signatureSchema.nullable(),
});

/** A key that signs blocks. Each but the first is signed by its predecessor. */
export type AuditKey = z.infer<typeof auditKeySchema>;

export interface NewAuditKey {
  readonly key: AuditKey;
  readonly privateKey: KeyObject;
}

/** Makes the first key, or the successor of another one. */
export function makeAuditKey(predecessor?: NewAuditKey, now = new Date()): NewAuditKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const text = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const unsigned = {
    id: keyIdOf(text),
    publicKey: text,
    createdAt: now.toISOString(),
    signedBy: predecessor?.key.id ?? null,
  };
  const signature =
    predecessor === undefined ? null : signHash(keyHashOf(unsigned), predecessor.privateKey);
  return { key: { ...unsigned, signature }, privateKey };
}

/** @param publicKey base64 SPKI */
export function keyIdOf(publicKey: string): string {
  return hash('sha256', Buffer.from(publicKey, 'base64')).slice(0, 32);
}

/** @param publicKey base64 SPKI of an Ed25519 key */
export function readPublicKey(publicKey: string): KeyObject {
  return createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
}

/** True if `key` is signed by its predecessor. */
export function isSuccessor(key: AuditKey, predecessor: AuditKey): boolean {
  return (
    key.signedBy === predecessor.id &&
    key.signature !== null &&
    isSignatureOf(keyHashOf(key), key.signature, readPublicKey(predecessor.publicKey))
  );
}

/** True if one of these keys has signed the hash. */
export function isSignedByOneOf(
  keys: readonly AuditKey[],
  hash: string,
  { keyId, signature }: { readonly keyId: string; readonly signature: string },
): boolean {
  const publicKey = keys.find(({ id }) => id === keyId)?.publicKey;
  if (publicKey === undefined || keyIdOf(publicKey) !== keyId) return false;
  return isSignatureOf(hash, signature, readPublicKey(publicKey));
}

function keyHashOf({ id, publicKey, createdAt, signedBy }: Omit<AuditKey, 'signature'>): string {
  return hashOf('key', [id, publicKey, createdAt, signedBy]);
}
