import { hash, randomBytes } from 'node:crypto';

const PREFIX = { personal: 'gh_pat_', invitation: 'gh_inv_' } as const;

/** A new bearer of 256 random bits. Only its hash is ever stored. */
export function newBearer(kind: keyof typeof PREFIX): {
  secret: string;
  hash: Buffer<ArrayBuffer>;
} {
  const secret = PREFIX[kind] + randomBytes(32).toString('base64url');
  return { secret, hash: Buffer.from(hashToken(secret)) };
}

/** SHA-256 of a token: what is stored, and what it is found by. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
