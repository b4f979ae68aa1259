import { createHmac, hash, randomBytes } from 'node:crypto';

/** What goes to the provider and comes back from it. */
export interface AttemptSecrets {
  readonly state: string;
  readonly codeVerifier: string;
  /** By S256 (RFC 7636 section 4.2). */
  readonly codeChallenge: string;
}

/** @param browser the secret in the browser's cookie */
export function newAttemptSecrets(browser: string): AttemptSecrets {
  return secretsOf(browser, randomBytes(32).toString('base64url'));
}

/** The code verifier is derived from cookie and state, and stored nowhere. */
export function secretsOf(browser: string, state: string): AttemptSecrets {
  const codeVerifier = createHmac('sha256', browser)
    .update(`connect verifier ${state}`)
    .digest('base64url');
  return { state, codeVerifier, codeChallenge: hash('sha256', codeVerifier, 'base64url') };
}
