import { describe, expect, it } from 'vitest';
import { providerErrorOf } from '../../../src/credentials/oauth/upstream-error.ts';

describe("a provider's error code", () => {
  it.each(['invalid_scope', 'redirect_uri_mismatch', 'AADSTS50011', 'oauth.error-7'])(
    '%s is shown',
    (code) => expect(providerErrorOf(code, undefined).error).toBe(code),
  );

  it.each([
    '',
    'call 555',
    '<b>',
    'a'.repeat(61),
    'gh0123456789abcdef',
    'secret-1',
    '\u202eevil',
    7,
    null,
  ])('%j is not', (code) => {
    expect(providerErrorOf(code, undefined, ['secret-1']).error).toBeUndefined();
  });
});

describe("a provider's description", () => {
  const detailOf = (text: unknown, secrets: readonly string[] = []) =>
    providerErrorOf('e', text, secrets).detail;

  it('is one line without control and direction characters, of at most 200', () => {
    expect(detailOf('a\r\nb\u202ec')).toBe('a b c');
    expect([...(detailOf('word '.repeat(900)) ?? '')].length).toBeLessThanOrEqual(200);
    expect(detailOf({})).toBeUndefined();
  });

  it('repeats nothing that was sent, and nothing that could be a secret', () => {
    expect(detailOf('pass short-1 now', ['short-1', ''])).toBe('pass … now');
    expect(detailOf('token eyJhbGciOiJIUzI1NiJ9.e30.x refused')).toBe('token … refused');
    const text = 'code_challenge_method is required for authentication.';
    expect(detailOf(text)).toBe(text);
  });
});
