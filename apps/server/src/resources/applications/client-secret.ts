import { createHash, randomBytes } from 'node:crypto';
import { secretPrefixes } from '@gatehouse/contract';

/** A new client secret of 256 random bits. Only its SHA-256 is ever stored. */
export function newClientSecret(): { secret: string; hash: Buffer<ArrayBuffer> } {
  const secret = secretPrefixes.clientSecret + randomBytes(32).toString('base64url');
  return { secret, hash: createHash('sha256').update(secret).digest() };
}
