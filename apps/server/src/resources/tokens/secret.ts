import { randomBytes } from 'node:crypto';
import { hashToken } from '../../http/authenticate.ts';

const PREFIX = { personal: 'gh_pat_', invitation: 'gh_inv_' } as const;

/** A new bearer of 256 random bits. Only its hash is ever stored. */
export function newBearer(kind: keyof typeof PREFIX): {
  secret: string;
  hash: Buffer<ArrayBuffer>;
} {
  const secret = PREFIX[kind] + randomBytes(32).toString('base64url');
  return { secret, hash: Buffer.from(hashToken(secret)) };
}
