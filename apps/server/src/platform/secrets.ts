import { createHmac, hash, randomBytes } from 'node:crypto';

const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits in base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a value has the form of a new secret. */
export function isSecret(value: string): boolean {
  return SECRET.test(value);
}

/** The SHA-256 by which a secret is stored and found. */
export function hashSecret(secret: string): Buffer<ArrayBuffer> {
  return Buffer.from(hash('sha256', secret, 'buffer'));
}

/**
 * The secrets of an attempt to get an authorization code: the one in the browser's cookie, and `state`.
 */
export interface Attempt {
  readonly browser: string;
  readonly state: string;
}

/** The values that an OAuth client sends with an authorization request, and with the code. */
export interface AttemptSecrets {
  readonly state: string;
  readonly codeVerifier: string;
  /** S256 of the verifier (RFC 7636 section 4.2). */
  readonly codeChallenge: string;
}

/** @param label as in `deriveSecret` */
export function attemptSecrets(attempt: Attempt, label: string): AttemptSecrets {
  const codeVerifier = deriveSecret(attempt, label);
  const codeChallenge = hash('sha256', codeVerifier, 'base64url');
  return { state: attempt.state, codeVerifier, codeChallenge };
}

/**
 * Derives a value that is stored nowhere.
 *
 * @param label differs for each use and never changes: an attempt may begin before an upgrade and come
 *   back after it
 */
export function deriveSecret({ browser, state }: Attempt, label: string): string {
  return createHmac('sha256', browser).update(`${label} ${state}`).digest('base64url');
}
