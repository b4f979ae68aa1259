import { describe, expect, it } from 'vitest';
import {
  authorizeConnectionBodySchema,
  connectionSchema,
  setConnectionBodySchema,
} from '../../src/index.ts';
import { check } from '../shared/check.ts';

describe('storing a connection', () => {
  it.each([
    [{ token: 't' }, 'ok'],
    [{ fields: { key: 'k', port: 1, secure: true } }, 'ok'],
    [{ fields: { key: 'line\nline' } }, 'ok'],
    [{}, ['invalid_value /token']],
    [{ token: 't', fields: {} }, ['invalid_value /fields']],
    [{ token: '' }, ['too_small /token', 'invalid_format /token']],
    [{ token: null }, ['invalid_type /token']],
    [{ fields: { key: null } }, ['invalid_union /fields/key']],
    [{ fields: { key: { a: 1 } } }, ['invalid_union /fields/key']],
    [{ fields: { key: 'a\0' } }, ['invalid_value /fields/key']],
    [{ fields: { '': 'a' } }, ['invalid_key /fields/']],
    [{ fields: { 'a\0': 'a' } }, ['invalid_key /fields/a\0']],
    [{ fields: { ['n'.repeat(201)]: 'a' } }, [`invalid_key /fields/${'n'.repeat(201)}`]],
    [{ fields: { ['\u{1f600}'.repeat(200)]: 'a' } }, 'ok'],
    [{ fields: [] }, ['invalid_type /fields']],
    [{ accessToken: 't' }, ['unknown_field /accessToken', 'invalid_value /token']],
  ])('judges %j', (body, expected) => {
    expect(check(setConnectionBodySchema, body)).toEqual(expected);
  });

  it('takes at most 32 fields', () => {
    const fields = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`f${index}`, 'x']));
    expect(check(setConnectionBodySchema, { fields })).toEqual(['invalid_value /fields']);
  });
});

describe('connecting by OAuth', () => {
  it.each([
    [undefined, 'ok'],
    [{}, 'ok'],
    [{ returnTo: 'https://app.example/settings?tab=1#connections' }, 'ok'],
    [{ returnTo: 'http://localhost:5173/' }, 'ok'],
    [{ returnTo: null }, ['invalid_type /returnTo']],
    [{ returnTo: '' }, ['too_small /returnTo', 'invalid_value /returnTo']],
    [{ returnTo: '/settings' }, ['invalid_value /returnTo']],
    [{ returnTo: '//app.example/settings' }, ['invalid_value /returnTo']],
    [{ returnTo: 'javascript:alert(1)' }, ['invalid_value /returnTo']],
    [{ returnTo: 'cursor://callback' }, ['invalid_value /returnTo']],
    [{ returnTo: 'https://app.example@evil.example/' }, ['invalid_value /returnTo']],
    [{ returnTo: 'https://app.example\\@evil.example/' }, ['invalid_value /returnTo']],
    [{ returnTo: `https://app.example/${'p'.repeat(2048)}` }, ['too_big /returnTo']],
    [{ redirectUri: 'https://app.example/' }, ['unknown_field /redirectUri']],
  ])('judges %j', (body, expected) => {
    expect(check(authorizeConnectionBodySchema, body)).toEqual(expected);
  });
});

describe('a connection', () => {
  it('may need a new sign-in and be connected, and tell of the grant before it', () => {
    const at = '2026-11-21T09:30:00.000Z';
    const renewed = { connected: true, status: 'connected', reason: 'needs_reauth' };
    expect(connectionSchema.parse(renewed)).toEqual(renewed);
    for (const status of ['pending', 'revoked', 'failed', 'not_supported']) {
      const ended = { connected: false, status: 'disconnected', revocation: { status, at } };
      expect(connectionSchema.parse(ended)).toEqual(ended);
    }
  });
});
