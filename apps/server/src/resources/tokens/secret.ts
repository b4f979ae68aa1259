import { randomBytes } from 'node:crypto';
import { secretPrefixes } from '@gatehouse/contract';
import { hashToken } from '../../http/authenticate.ts';

/** A new bearer of 256 random bits. Only its hash is ever stored. */
export function newBearer(kind: 'personal' | 'invitation'): {
  secret: string;
  hash: Buffer<ArrayBuffer>;
} {
  const secret = secretPrefixes[kind] + randomBytes(32).toString('base64url');
  return { secret, hash: Buffer.from(hashToken(secret)) };
}
