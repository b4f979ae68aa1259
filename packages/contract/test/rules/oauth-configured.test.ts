import { expect, it } from 'vitest';
import { isOauthConfigured } from '../../src/index.ts';

it('an OAuth configuration counts as soon as one is stored, also without an issuer', () => {
  expect(isOauthConfigured({ scopes: [] })).toBe(true);
  expect(isOauthConfigured({ issuer: 'https://id.example', scopes: [] })).toBe(true);
  expect(isOauthConfigured(null)).toBe(false);
  expect(isOauthConfigured(undefined)).toBe(false);
});
