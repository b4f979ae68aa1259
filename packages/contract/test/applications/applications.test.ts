import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createApplicationBodySchema,
  setApplicationIntegrationsBodySchema,
  updateApplicationBodySchema,
  updateApplicationOauthBodySchema,
} from '../../src/index.ts';
import { check } from '../shared/check.ts';

const uri = 'https://app.example/callback';
const create = (oauth: object) => check(createApplicationBodySchema, { name: 'Editor', oauth });

describe('creating an application', () => {
  it('fills in the defaults', () => {
    const oauth = { type: 'confidential', redirectUris: [] };
    expect(createApplicationBodySchema.parse({ name: ' Editor ', oauth })).toEqual({
      name: 'Editor',
      oauth: {
        ...oauth,
        pkceRequired: true,
        scopes: ['mcp'],
        allowedResources: [],
        allowDynamicClients: false,
      },
    });
  });

  it('does not share its defaults between applications', () => {
    const body = { name: 'a', oauth: { type: 'public', redirectUris: [uri] } };
    createApplicationBodySchema.parse(body).oauth.scopes.push('changed');
    expect(createApplicationBodySchema.parse(body).oauth.scopes).toEqual(['mcp']);
  });

  it.each([
    [{ type: 'public', redirectUris: [uri, 'http://localhost', 'editor://callback'] }, 'ok'],
    [{ type: 'public', redirectUris: [] }, ['invalid_value /oauth/redirectUris']],
    [{ type: 'public' }, ['invalid_type /oauth/redirectUris']],
    [{ redirectUris: [uri] }, ['invalid_value /oauth/type']],
    [{ type: 'public', redirectUris: [uri, 'nope'] }, ['invalid_value /oauth/redirectUris/1']],
    [
      { type: 'public', redirectUri: uri },
      ['invalid_type /oauth/redirectUris', 'unknown_field /oauth/redirectUri'],
    ],
    [
      { type: 'public', redirectUris: [uri], clientSecret: 'mine' },
      ['unknown_field /oauth/clientSecret'],
    ],
    [{ type: 'public', redirectUris: [uri], scopes: ['a b'] }, ['invalid_format /oauth/scopes/0']],
    [
      { type: 'public', redirectUris: [uri], pkceRequired: null },
      ['invalid_type /oauth/pkceRequired'],
    ],
    [
      { type: 'public', redirectUris: [uri], allowedResources: ['x'] },
      ['invalid_value /oauth/allowedResources/0'],
    ],
  ])('judges %j', (oauth, expected) => {
    expect(create(oauth)).toEqual(expected);
  });

  it('takes at most 20 redirect URIs and 100 resources', () => {
    const uris = (count: number) => Array.from({ length: count }, (_, index) => `${uri}/${index}`);
    const base = { type: 'public', redirectUris: uris(20), allowedResources: uris(100) };
    expect(create(base)).toBe('ok');
    expect(create({ ...base, redirectUris: uris(21) })).toEqual(['too_big /oauth/redirectUris']);
    expect(create({ ...base, allowedResources: uris(101) })).toEqual([
      'too_big /oauth/allowedResources',
    ]);
  });

  it('needs oauth', () => {
    expect(check(createApplicationBodySchema, { name: 'a' })).toEqual(['invalid_type /oauth']);
  });
});

describe('changing an application', () => {
  it('changes the name only and ignores the rest of a read', () => {
    const read = {
      id: 'x',
      name: 'New',
      oauth: { type: 'public' },
      integrations: [],
      canModify: true,
    };
    expect(updateApplicationBodySchema.parse(read)).toEqual({ name: 'New' });
    expect(check(updateApplicationBodySchema, { nme: 'x' })).toEqual(['unknown_field /nme']);
    expect(check(updateApplicationBodySchema, { name: null })).toEqual(['invalid_type /name']);
  });

  it('takes any part of the OAuth object without filling in defaults', () => {
    expect(updateApplicationOauthBodySchema.parse({ clientId: 'x' })).toEqual({});
    expect(updateApplicationOauthBodySchema.parse({ redirectUris: [] })).toEqual({
      redirectUris: [],
    });
    expect(check(updateApplicationOauthBodySchema, { clientSecret: 'x' })).toEqual([
      'unknown_field /clientSecret',
    ]);
    expect(check(updateApplicationOauthBodySchema, { scopes: null })).toEqual([
      'invalid_type /scopes',
    ]);
  });
});

describe('the set of attached integrations', () => {
  const id = '01936f6e-8c5f-7c1e-9d0a-3f6b5a2c4d10';

  it('holds lowered UUIDs at the positions they were sent', () => {
    const body = { integrationIds: [id, id.toUpperCase()] };
    expect(setApplicationIntegrationsBodySchema.parse(body)).toEqual({ integrationIds: [id, id] });
  });

  it('has at most 500 different UUIDs', () => {
    const ids = (count: number) => ({
      integrationIds: [id, ...Array.from({ length: count - 1 }, () => randomUUID()), id],
    });
    expect(check(setApplicationIntegrationsBodySchema, ids(500))).toBe('ok');
    expect(check(setApplicationIntegrationsBodySchema, ids(501))).toEqual([
      'too_big /integrationIds',
    ]);
    expect(check(setApplicationIntegrationsBodySchema, { integrationIds: [id, 'x'] })).toEqual([
      'invalid_format /integrationIds/1',
    ]);
  });
});
