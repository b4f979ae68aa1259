import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { connectSecrets } from '../../src/credentials/connect/attempts.ts';
import { attemptSecrets, isSecret, newSecret } from '../../src/platform/secrets.ts';

const attempt = { browser: 'b'.repeat(43), state: 's'.repeat(43) };

describe('the code verifier', () => {
  it('belongs to one attempt of one browser, and to one use', () => {
    const verifierOf = (change: object, label = 'test') =>
      attemptSecrets({ ...attempt, ...change }, label).codeVerifier;
    expect(verifierOf({})).toMatch(/^[\w-]{43}$/);
    expect(verifierOf({})).toBe(verifierOf({}));
    expect(verifierOf({ state: 't'.repeat(43) })).not.toBe(verifierOf({}));
    expect(verifierOf({ browser: 'c'.repeat(43) })).not.toBe(verifierOf({}));
    expect(verifierOf({}, 'other')).not.toBe(verifierOf({}));
  });

  it('goes through the browser only as a hash', () => {
    const { state, codeVerifier, codeChallenge } = attemptSecrets(attempt, 'test');
    expect(state).toBe(attempt.state);
    expect(codeChallenge).toBe(hash('sha256', codeVerifier, 'base64url'));
  });

  it('of an attempt to connect is the same after an upgrade', () => {
    expect(connectSecrets(attempt).codeVerifier).toBe(
      'sbk0O_1QYE-JpwRYWiTDqTF8LcPLzG2EDThpLonUwwg',
    );
  });
});

it('a new secret is unlike the one before, and has the form of a secret', () => {
  const secret = newSecret();
  expect(isSecret(secret)).toBe(true);
  expect(newSecret()).not.toBe(secret);
  expect(isSecret(`${secret}.`)).toBe(false);
});
