import { type ProviderSettings, startIdentityProvider, startUpstream } from '@gatehouse/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/platform/logging.ts';
import { useServer } from '../support/server.ts';
import { use } from '../support/use.ts';
import {
  arrive,
  connect,
  connectionsOf,
  createIntegration,
  createMember,
  leave,
  pageOf,
} from './fixture.ts';

const logged: string[] = [];
const log = createLogger('info', { write: (line) => logged.push(line) });
const server = useServer({}, log);
const provider = use(() => startIdentityProvider());
const upstream = use(() => startUpstream({ oauth: provider }));

const SOUND = {
  idTokenClaims: {},
  idTokenSignature: 'published-key',
  publishesKeys: true,
  accessTokenSeconds: 3600,
} as const;

const soon = () => Math.floor(Date.now() / 1000);

const oauth = (scopes: readonly string[] = ['openid', 'read']) =>
  createIntegration(server, { url: upstream.url, oauth: { scopes } });

afterEach(() => {
  provider.clearFaults();
  provider.configure(SOUND);
});

/** What is wrong with an ID token, and what the log says of it. */
const FAULTS: [string, () => Partial<ProviderSettings>, RegExp][] = [
  ['of another issuer', () => ({ idTokenClaims: { iss: 'https://other.example' } }), /"iss"/],
  ['for another client', () => ({ idTokenClaims: { aud: 'another-client' } }), /"aud"/],
  ['also for others', () => ({ idTokenClaims: { aud: ['client', 'another'] } }), /"aud"/],
  ['that has expired', () => ({ idTokenClaims: { exp: soon() - 120 } }), /"exp"/],
  ['that is not valid yet', () => ({ idTokenClaims: { nbf: soon() + 600 } }), /"nbf"/],
  ['from the future', () => ({ idTokenClaims: { iat: soon() + 600 } }), /"iat"/],
  ['without a nonce', () => ({ idTokenClaims: { nonce: undefined } }), /"nonce"/],
  ["with another's nonce", () => ({ idTokenClaims: { nonce: 'of another attempt' } }), /"nonce"/],
  ['without a subject', () => ({ idTokenClaims: { sub: undefined } }), /"sub"/],
  ['signed with another key', () => ({ idTokenSignature: 'other-key' }), /signature/],
  ['signed with the secret', () => ({ idTokenSignature: 'client-secret' }), /"alg"/],
  ['that is not signed', () => ({ idTokenSignature: 'none' }), /"alg"/],
];

describe('an ID token', () => {
  it.each(FAULTS)('%s connects nothing, and the tokens are revoked', async (_, fault, reason) => {
    const [member, id] = [await createMember(server), await oauth()];
    const before = logged.length;
    provider.configure(fault());
    const page = await connect(member, provider, pageOf(id));
    expect([page.status, page.title]).toEqual([502, 'Setup is not finished']);
    expect(page.text).toContain('ID token is not valid');
    expect(await connectionsOf(server, member)).toEqual([]);
    expect(provider.grants.at(-1)?.endedBecause).toBe('revoked');
    const line = JSON.parse(logged.slice(before).find((text) => text.includes('id_token')) ?? '{}');
    expect(line).toMatchObject({ code: 'id_token_invalid', detail: expect.stringMatching(reason) });
  });

  it('that is not signed is refused also where the provider lists `none` and publishes no keys', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    provider.fault('metadata', {
      kind: 'edit',
      edit: (body) => ({ ...body, id_token_signing_alg_values_supported: ['none', 'RS256'] }),
    });
    provider.configure({ idTokenSignature: 'none', publishesKeys: false });
    const page = await connect(member, provider, pageOf(id));
    expect(page.text).toContain('ID token is not valid');
    expect(await connectionsOf(server, member)).toEqual([]);
  });

  it('is not believed where keys are published that cannot be read', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    provider.fault('jwks', { kind: 'status', status: 503 });
    // The keys of this provider are kept for 5 minutes: another address has others.
    provider.fault('metadata', {
      kind: 'edit',
      edit: (body) => ({ ...body, jwks_uri: `${String(body.jwks_uri)}?new` }),
    });
    const page = await connect(member, provider, pageOf(id));
    expect([page.status, page.title]).toEqual([503, 'Not available at the moment']);
    expect(await connectionsOf(server, member)).toEqual([]);
  });

  it('is not believed where the address of the keys must not be used', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    const edit = (body: object) => ({ ...body, jwks_uri: 'http://keys.example.com/jwks' });
    provider.fault('metadata', { kind: 'edit', edit });
    const page = await connect(member, provider, pageOf(id));
    expect(page.text).toContain('plain http');
    expect(await connectionsOf(server, member)).toEqual([]);
  });

  it('that holds names the account, with keys that are read once, and without keys too', async () => {
    provider.fault('userinfo', { kind: 'status', status: 403 });
    const before = provider.requests('jwks').length;
    for (const settings of [{}, {}, { publishesKeys: false }]) {
      const [member, id] = [await createMember(server), await oauth()];
      provider.configure(settings);
      const page = await connect(member, provider, pageOf(id));
      expect([page.status, page.title]).toEqual([200, 'Connected as ada@example.com']);
    }
    expect(provider.requests('jwks').length - before).toBeLessThanOrEqual(1);
  });

  it('is not used, and has no nonce, where nobody asked for it', async () => {
    provider.fault('userinfo', { kind: 'status', status: 403 });
    provider.fault('token', { kind: 'edit', edit: (body) => ({ ...body, id_token: 'a.b.c' }) });
    const [member, id] = [await createMember(server), await oauth(['read'])];
    const page = await connect(member, provider, pageOf(id));
    expect([page.status, page.title]).toEqual([200, 'Connected']);
    const url = await leave(member, pageOf(await oauth(['read'])));
    expect(url.searchParams.has('nonce')).toBe(false);
  });

  it('has a nonce that differs for each attempt', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    const nonceOf = async () => (await leave(member, pageOf(id))).searchParams.get('nonce');
    const [first, second] = [await nonceOf(), await nonceOf()];
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(second).not.toBe(first);
  });
});

describe("a provider's error", () => {
  it('is on the page by its code, and in the log with its description', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    const before = logged.length;
    const callback = await provider.approve(await leave(member, pageOf(id)), { decision: 'deny' });
    callback.searchParams.set('error', 'invalid_request');
    callback.searchParams.set('error_description', 'nonce is\nmissing; call 555');
    const { text } = await arrive(member, callback);
    expect(text).toContain('<code>invalid_request</code>');
    expect(text).not.toContain('nonce');
    const lines = logged.slice(before).join('');
    expect(lines).toContain('"error":"invalid_request","detail":"nonce is missing; call 555"');
  });

  it('of the token endpoint is too, without what we sent', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    const before = logged.length;
    const callback = await provider.approve(await leave(member, pageOf(id)));
    const code = callback.searchParams.get('code') ?? '';
    provider.fault('token', {
      kind: 'edit',
      edit: () => ({ error: 'invalid_scope', error_description: `The code ${code} is odd` }),
    });
    const { text } = await arrive(member, callback);
    expect(text).toContain('<code>invalid_scope</code>');
    expect(text).not.toContain('is odd');
    const lines = logged.slice(before).join('');
    expect(lines).toContain('"detail":"The code … is odd"');
    expect(lines).not.toContain(code);
  });

  it('is in the log too when it refuses a refresh, without what we sent', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    provider.configure({ accessTokenSeconds: 1 });
    await connect(member, provider, pageOf(id));
    const before = logged.length;
    const secrets = provider.issuedSecrets();
    provider.fault('token', {
      kind: 'edit',
      edit: () => ({ error: 'invalid_scope', error_description: `${secrets.at(-1)} is odd` }),
    });
    const lines = () => logged.slice(before).filter((line) => line.includes('not refreshed'));
    const test = `/integrations/${id}/connection/test`;
    await expect
      .poll(async () => {
        await server.call('POST', test, { token: member.token });
        return lines().length;
      })
      .toBe(1);
    expect(JSON.parse(lines()[0] ?? '{}')).toMatchObject({
      code: 'scope_rejected',
      error: 'invalid_scope',
      detail: '… is odd',
      integrationId: id,
    });
    for (const secret of provider.issuedSecrets()) expect(lines().join('')).not.toContain(secret);
  });

  it('is not on the page where it is no code, or the answer of another server', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    for (const [name, value] of [
      ['error', 'call 555 and say your password'],
      ['iss', 'https://other.example'],
    ] as const) {
      const url = await leave(member, pageOf(id));
      const callback = await provider.approve(url, { decision: 'deny' });
      callback.searchParams.set(name, value);
      const { text } = await arrive(member, callback);
      expect(text).not.toContain('<code>');
      expect(text).not.toContain('555');
    }
  });
});

describe.each([
  ['with a final slash', '/', ''],
  ['without one', '', '/'],
])('a provider that publishes its issuer %s', (_, published, elsewhere) => {
  it('connects where the configuration and the ID token spell it the other way', async () => {
    const member = await createMember(server);
    const id = await createIntegration(server, {
      url: upstream.url,
      oauth: { issuer: `${provider.issuer}${elsewhere}`, scopes: ['openid', 'read'] },
    });
    provider.fault('metadata', {
      kind: 'edit',
      edit: (body) => ({ ...body, issuer: `${provider.issuer}${published}` }),
    });
    provider.configure({ idTokenClaims: { iss: `${provider.issuer}${elsewhere}` } });
    const callback = await provider.approve(await leave(member, pageOf(id)));
    callback.searchParams.set('iss', `${provider.issuer}${published}`);
    const page = await arrive(member, callback);
    expect([page.status, page.title]).toEqual([200, 'Connected as ada@example.com']);
  });
});
