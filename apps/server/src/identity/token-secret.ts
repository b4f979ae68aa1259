import { hash, randomBytes } from 'node:crypto';

const PREFIX = { personal: 'gh_pat_', invitation: 'gh_inv_' } as const;

/** Creates the secret of a token, with 256 random bits. Only the hash is stored. */
export function createTokenSecret(kind: keyof typeof PREFIX): {
  secret: string;
  hash: Buffer<ArrayBuffer>;
} {
  const secret = PREFIX[kind] + randomBytes(32).toString('base64url');
  return { secret, hash: Buffer.from(hashToken(secret)) };
}

/** The SHA-256 of a token, by which it is stored and found. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
