import { hash, randomBytes } from 'node:crypto';
import { secretPrefixes } from '@gatehouse/contract';

/** Creates the secret of a token, with 256 random bits. Only the hash is stored. */
export function createTokenSecret(kind: 'personal' | 'invitation'): {
  secret: string;
  hash: Buffer<ArrayBuffer>;
} {
  const secret = secretPrefixes[kind] + randomBytes(32).toString('base64url');
  return { secret, hash: Buffer.from(hashToken(secret)) };
}

/** The SHA-256 of a token, by which it is stored and found. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
