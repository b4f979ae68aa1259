import { describe, expect, it } from 'vitest';
import { integration as shown } from '../../src/examples/resources.ts';
import {
  createIntegrationBodySchema,
  integrationResponseSchema,
  putIntegrationOauthBodySchema,
  updateIntegrationBodySchema,
} from '../../src/index.ts';
import { check } from '../shared/check.ts';

const minimal = { name: 'Tracker', url: 'https://tracker.example/mcp' };
const create = (body: object) => check(createIntegrationBodySchema, { ...minimal, ...body });
const update = (body: unknown) => check(updateIntegrationBodySchema, body);
const nested = (depth: number): unknown =>
  JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);

describe('creating an integration', () => {
  it('needs a name and a url and fills in the defaults', () => {
    expect(createIntegrationBodySchema.parse(minimal)).toEqual({
      ...minimal,
      category: 'gateway_remote_mcp',
      authMode: 'none',
    });
    expect(check(createIntegrationBodySchema, {})).toEqual([
      'invalid_type /name',
      'invalid_type /url',
    ]);
  });

  it('needs a server token in the mode server_token only, and takes one in any mode', () => {
    expect(create({ authMode: 'server_token' })).toEqual(['invalid_value /serverToken']);
    expect(create({ authMode: 'server_token', serverToken: 't' })).toBe('ok');
    expect(create({ authMode: 'user_token', serverToken: 't' })).toBe('ok');
  });

  it.each([
    [{ id: 'x' }, ['unknown_field /id']],
    [{ createdAt: 'x' }, ['unknown_field /createdAt']],
    [{ serverToken: null }, ['invalid_type /serverToken']],
    [{ validateEveryMinutes: null }, ['invalid_type /validateEveryMinutes']],
    [{ validateEveryMinutes: 4 }, ['too_small /validateEveryMinutes']],
    [{ validateEveryMinutes: 10_081 }, ['too_big /validateEveryMinutes']],
    [{ validateEveryMinutes: 7.5 }, ['invalid_type /validateEveryMinutes']],
    [{ validateEveryMinutes: '60' }, ['invalid_type /validateEveryMinutes']],
    [{ oauth: null }, ['invalid_type /oauth']],
    [{ oauth: { clientId: 'x' } }, ['unknown_field /oauth/clientId']],
    [{ oauth: { provider: 'p'.repeat(101) } }, ['too_big /oauth/provider']],
    [{ category: 'other' }, ['invalid_value /category']],
    [{ authMode: 'basic' }, ['invalid_value /authMode']],
    [{ capabilities: [] }, ['invalid_value /capabilities']],
    [{ capabilities: { a: 'x\0' } }, ['invalid_value /capabilities']],
    [{ capabilities: { '\ud800': 1 } }, ['invalid_value /capabilities']],
    [{ capabilities: { a: Number.POSITIVE_INFINITY } }, ['invalid_value /capabilities']],
    [{ capabilities: { a: 'x'.repeat(16 * 1024) } }, ['invalid_value /capabilities']],
    [{ capabilities: { a: Array(51).fill(5e-324) } }, ['invalid_value /capabilities']],
    [{ name: '\u{1f600}'.repeat(201) }, ['too_big /name']],
    [{ url: `https://${'a.'.repeat(131)}` }, ['invalid_value /url']],
    [{ oauth: { scopes: Array(1001).fill('a') } }, ['too_big /oauth/scopes']],
    [{ capabilities: nested(33) }, ['invalid_value /capabilities']],
    [{ credentialSchema: nested(33) }, ['invalid_value /credentialSchema']],
  ])('refuses %j', (body, faults) => {
    expect(create(body)).toEqual(faults);
  });

  it('counts characters, not UTF-16 code units', () => {
    expect(create({ name: '\u{1f600}'.repeat(200) })).toBe('ok');
    expect(create({ capabilities: { a: Array(49).fill(5e-324) } })).toBe('ok');
  });

  it('takes any subset of the OAuth configuration', () => {
    expect(create({ oauth: {} })).toBe('ok');
    expect(create({ oauth: { scopes: [] } })).toBe('ok');
  });

  it('keeps capabilities as given, whatever the keys', () => {
    const capabilities = JSON.parse('{"tools":{"list":true},"":null,"__proto__":{"a":1}}');
    const parsed = createIntegrationBodySchema.parse({ ...minimal, capabilities });
    expect(JSON.stringify(parsed.capabilities)).toBe(JSON.stringify(capabilities));
  });

  it('takes 32 capabilities of 16 KiB, and no more', () => {
    const some = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, {}]));
    expect(create({ capabilities: some(32) })).toBe('ok');
    expect(create({ capabilities: some(33) })).toEqual(['invalid_value /capabilities']);
    expect(create({ capabilities: { a: 'x'.repeat(16 * 1024 - 8) } })).toBe('ok');
  });

  it('survives nesting deeper than the stack', () => {
    expect(create({ capabilities: nested(100_000) })).toEqual(['invalid_value /capabilities']);
  });
});

describe('changing an integration', () => {
  it('changes nothing for an empty body', () => {
    expect(updateIntegrationBodySchema.parse({})).toEqual({});
  });

  it('takes a read back and ignores what cannot be set', () => {
    const { integration } = integrationResponseSchema.parse({ integration: shown });
    expect(updateIntegrationBodySchema.parse(integration)).toEqual({
      name: integration.name,
      url: integration.url,
      category: integration.category,
      authMode: integration.authMode,
    });
  });

  it('clears nullable fields with null and refuses it elsewhere', () => {
    const cleared = { oauth: null, capabilities: null, credentialSchema: null, serverToken: null };
    expect(updateIntegrationBodySchema.parse(cleared)).toEqual(cleared);
    for (const field of ['name', 'url', 'category', 'authMode']) {
      expect(update({ [field]: null })).not.toBe('ok');
    }
  });

  it('refuses unknown fields, `__proto__` among them', () => {
    expect(update({ nme: 'x' })).toEqual(['unknown_field /nme']);
    expect(update(JSON.parse('{"__proto__":{"name":"x"}}'))).toEqual(['unknown_field /__proto__']);
  });

  it.each([undefined, null, [], 'x', 1])('refuses %j as a body', (body) => {
    expect(update(body)).toEqual(['invalid_type ']);
  });
});

describe('a response', () => {
  it('loses fields that are not declared', () => {
    const leaking = { integration: { ...shown, serverToken: 'secret' } };
    expect(integrationResponseSchema.parse(leaking)).toEqual({ integration: shown });
  });
});

describe('replacing the OAuth configuration', () => {
  const required = { provider: 'example', issuer: 'https://id.example', scopes: [] };
  const put = (body: object) => check(putIntegrationOauthBodySchema, body);

  it('needs provider, issuer and scopes', () => {
    expect(put(required)).toBe('ok');
    expect(put({})).toEqual([
      'invalid_type /provider',
      'invalid_type /issuer',
      'invalid_type /scopes',
    ]);
  });

  it('ignores what a read adds', () => {
    const read = { ...required, clientSecretConfigured: true, tokenParamNames: ['audience'] };
    expect(putIntegrationOauthBodySchema.parse(read)).toEqual(required);
  });

  it.each([
    [{ clientSecret: null, tokenParams: null }, 'ok'],
    [{ clientId: null }, ['invalid_type /clientId']],
    [{ clientSecret: '' }, ['too_small /clientSecret', 'invalid_format /clientSecret']],
    [{ tokenEndpointAuthMethod: 'private_key_jwt' }, ['invalid_value /tokenEndpointAuthMethod']],
    [{ authorizationParams: { prompt: 'consent' } }, 'ok'],
    [{ authorizationParams: { state: 'x' } }, ['invalid_value /authorizationParams/state']],
    [{ tokenParams: { grant_type: 'x' } }, ['invalid_value /tokenParams/grant_type']],
    [{ resource: 'not absolute' }, ['invalid_value /resource']],
  ])('judges %j', (extra, expected) => {
    expect(put({ ...required, ...extra })).toEqual(expected);
  });
});
