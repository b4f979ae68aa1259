import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newAttemptSecrets, secretsOf } from '../../../src/credentials/connect/attempt-secrets.ts';

const BROWSER = 'b'.repeat(43);
const STATE = 's'.repeat(43);

describe('the code verifier', () => {
  it('belongs to one attempt of one browser', () => {
    const { codeVerifier } = secretsOf(BROWSER, STATE);
    expect(codeVerifier).toMatch(/^[\w-]{43}$/);
    expect(secretsOf(BROWSER, STATE).codeVerifier).toBe(codeVerifier);
    expect(secretsOf(BROWSER, 't'.repeat(43)).codeVerifier).not.toBe(codeVerifier);
    expect(secretsOf('c'.repeat(43), STATE).codeVerifier).not.toBe(codeVerifier);
  });

  it('is not what goes to the provider with the browser', () => {
    const { state, codeVerifier, codeChallenge } = newAttemptSecrets(BROWSER);
    expect(codeChallenge).toBe(hash('sha256', codeVerifier, 'base64url'));
    expect(secretsOf(BROWSER, state).codeVerifier).toBe(codeVerifier);
    expect(newAttemptSecrets(BROWSER).state).not.toBe(state);
  });
});
