import { describe, expect, it } from 'vitest';
import { createTokenBodySchema } from '../../src/index.ts';
import { check } from '../shared/check.ts';

const base = { name: 'CI', scopes: ['mcp'] };

describe('creating a token', () => {
  it.each([
    [{}, 'ok'],
    [{ expiresAt: null }, 'ok'],
    [{ expiresAt: '2100-01-01T00:00:00Z' }, 'ok'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, ['invalid_value /expiresAt']],
    [{ expiresAt: '9999-12-31T23:59:59.999Z' }, 'ok'],
    [{ expiresAt: '9999-12-31T23:59:59-00:01' }, ['invalid_value /expiresAt']],
    [{ expiresAt: 'soon' }, ['invalid_format /expiresAt']],
    [{ scopes: [] }, ['too_small /scopes']],
    [{ scopes: ['admin'] }, ['invalid_value /scopes/0']],
    [{ scopes: Array(1000).fill('mcp') }, 'ok'],
    [{ scopes: Array(1001).fill('mcp') }, ['too_big /scopes']],
    [{ scopes: undefined }, ['invalid_type /scopes']],
    [{ secret: 'x' }, ['unknown_field /secret']],
  ])('judges %j', (extra, expected) => {
    expect(check(createTokenBodySchema, { ...base, ...extra })).toEqual(expected);
  });

  it('collapses duplicate scopes', () => {
    const body = { name: 'CI', scopes: ['mcp', 'management:read', 'mcp'] };
    expect(createTokenBodySchema.parse(body).scopes).toEqual(['mcp', 'management:read']);
  });
});
