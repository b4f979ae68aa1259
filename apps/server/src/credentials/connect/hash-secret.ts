import { hash } from 'node:crypto';

/** 256 random bits in base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** What is stored of a link's secret, a state or a cookie; undefined if it could not be one of ours. */
export function hashSecret(secret: string): Buffer<ArrayBuffer> | undefined {
  if (!SECRET.test(secret)) return undefined;
  return Buffer.from(hash('sha256', secret, 'buffer'));
}
