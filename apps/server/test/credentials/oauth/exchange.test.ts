import { describe, expect, it } from 'vitest';
import { presetOf } from '../../../src/credentials/oauth/presets/find-preset.ts';
import { authorizationUrl } from '../../../src/credentials/oauth/tokens/authorization-url.ts';
import { readCallback } from '../../../src/credentials/oauth/tokens/read-callback.ts';
import { redeemCode, refreshTokens } from '../../../src/credentials/oauth/tokens/request-tokens.ts';
import type { UpstreamOauthCode } from '../../../src/credentials/oauth/upstream-error.ts';
import {
  CLIENT,
  expectFailure,
  openHttp,
  PUBLIC_CLIENT,
  serverAt,
  soon,
  upstreamAt,
} from './support/parties.ts';
import { openProvider } from './support/provider-server.ts';

const URL_OF_MCP = 'https://mcp.example.com/mcp';
const ORIGIN = 'https://as.example.com';
const attempt = {
  redirectUri: 'https://gatehouse.example.com/oauth/callback',
  state: 'state-1',
  codeChallenge: 'challenge-1',
  nonce: 'nonce-1',
};

describe('an authorization URL', () => {
  const paramsOf = (...args: Parameters<typeof authorizationUrl>) =>
    Object.fromEntries(authorizationUrl(...args).searchParams);

  it('has what the flow needs, once, beside the query of the endpoint', () => {
    const authorizationEndpoint = `${ORIGIN}/authorize?tenant=7&resource=evil`;
    const server = serverAt(ORIGIN, { authorizationEndpoint, resourceScopes: ['read', 'write'] });
    expect(paramsOf(server, upstreamAt(URL_OF_MCP), CLIENT, attempt)).toEqual({
      tenant: '7',
      response_type: 'code',
      client_id: 'client-1',
      redirect_uri: attempt.redirectUri,
      state: 'state-1',
      scope: 'read write',
      resource: URL_OF_MCP,
      code_challenge: 'challenge-1',
      code_challenge_method: 'S256',
    });
  });

  it('has the parameters of provider and configuration, which cannot replace those of the flow', () => {
    const config = { scopes: ['a'], authorizationParams: { prompt: 'none', state: 'evil' } };
    const upstream = upstreamAt(URL_OF_MCP, { preset: presetOf('google'), config });
    const params = paramsOf(serverAt(ORIGIN), upstream, CLIENT, attempt);
    expect(params).toMatchObject({ access_type: 'offline', prompt: 'none', state: 'state-1' });
  });

  it('asks for offline_access with consent only where it is listed', () => {
    const upstream = upstreamAt(URL_OF_MCP, { config: { scopes: ['read'] } });
    const listing = serverAt(ORIGIN, { scopesSupported: ['offline_access'] });
    expect(paramsOf(listing, upstream, CLIENT, attempt)).toMatchObject({
      scope: 'read offline_access',
      prompt: 'consent',
    });
    const other = paramsOf(serverAt(ORIGIN), upstream, CLIENT, attempt);
    expect(other.scope).toBe('read');
    expect(other).not.toHaveProperty('prompt');
    expect(paramsOf(listing, upstreamAt(URL_OF_MCP), CLIENT, attempt)).not.toHaveProperty('scope');
  });

  it('has a nonce where an ID token is asked for, in place of any that was configured', () => {
    const authorizationParams = { nonce: 'evil' };
    const config = { scopes: ['openid', 'read'], authorizationParams };
    const params = paramsOf(serverAt(ORIGIN), upstreamAt(URL_OF_MCP, { config }), CLIENT, attempt);
    expect(params.nonce).toBe('nonce-1');
  });

  it('joins scopes with commas for Slack, and has PKCE there only if its metadata lists it', () => {
    const upstream = upstreamAt(URL_OF_MCP, {
      preset: presetOf('slack'),
      config: { scopes: ['a', 'b'] },
    });
    const without = paramsOf(serverAt(ORIGIN), upstream, CLIENT, attempt);
    expect(without.scope).toBe('a,b');
    expect(without).not.toHaveProperty('code_challenge');
    const listing = serverAt(ORIGIN, { codeChallengeMethods: ['S256'] });
    expect(paramsOf(listing, upstream, CLIENT, attempt)).toHaveProperty('code_challenge');
  });
});

describe('a callback', () => {
  const redirectUri = 'https://gatehouse.example.com/oauth/callback/id-1';
  const read = (query: string, sendsIss = false, path = '/oauth/callback/id-1') => {
    const server = { issuer: ORIGIN, sendsIss };
    const left = { server, redirectUri, secrets: { state: 'state-1' } };
    return readCallback(left, new URL(`https://gatehouse.example.com${path}?${query}`));
  };
  const iss = `iss=${encodeURIComponent(ORIGIN)}`;

  it('gives the code', () => {
    expect(read('code=c&state=state-1')).toEqual({ code: 'c' });
    expect(read(`code=c&state=state-1&${iss}`, true)).toEqual({ code: 'c' });
  });

  it('at the redirect URI of another integration is refused', async () => {
    for (const path of ['/oauth/callback/id-2', '/oauth/callback']) {
      await expectFailure(() => read('code=c&state=state-1', false, path), 'state_mismatch');
    }
  });

  it.each<[string, string, boolean, UpstreamOauthCode]>([
    [
      'with another issuer',
      'code=c&state=state-1&iss=https%3A%2F%2Fevil.example',
      false,
      'iss_mismatch',
    ],
    [
      'from an issuer that differs by a slash',
      `code=c&state=state-1&${iss}%2F`,
      false,
      'iss_mismatch',
    ],
    ['without the promised issuer', 'code=c&state=state-1', true, 'iss_mismatch'],
    [
      'with an error and another issuer',
      'error=access_denied&state=state-1&iss=evil',
      false,
      'iss_mismatch',
    ],
    ['with another state', 'code=c&state=evil', false, 'state_mismatch'],
    ['without a state', 'code=c', false, 'state_mismatch'],
    [
      'of a person who declined',
      'error=access_denied&error_description=evil&state=state-1',
      false,
      'access_denied',
    ],
    ['that refuses the scopes', 'error=invalid_scope&state=state-1', false, 'scope_rejected'],
    [
      'of a server in trouble',
      'error=temporarily_unavailable&state=state-1',
      false,
      'server_error',
    ],
    ['with an unknown error', 'error=constructor&state=state-1', false, 'request_rejected'],
    ['without a code', 'state=state-1', false, 'response_invalid'],
    ['with two codes', 'code=c&code=d&state=state-1', false, 'response_invalid'],
    ['with two states', 'code=c&state=state-1&state=evil', false, 'response_invalid'],
    ['of the implicit flow', 'code=c&token=evil&state=state-1', false, 'response_invalid'],
  ])('%s is refused', async (_, query, sendsIss, code) => {
    await expectFailure(() => read(query, sendsIss), code);
  });
});

describe('a token request', () => {
  async function requestWith(
    work: 'redeem' | 'refresh',
    { client = CLIENT, provider }: { client?: typeof CLIENT; provider?: string } = {},
  ) {
    const fake = await openProvider({ '/token': { body: { access_token: 'a' } } });
    const parties = {
      server: serverAt(fake.origin),
      upstream: upstreamAt(URL_OF_MCP, { preset: presetOf(provider) }),
      client,
      tokenParams: { extra: '1', code: 'evil', refresh_token: 'evil' },
    };
    const http = openHttp();
    const grant = { code: 'code-1', codeVerifier: 'verifier-1', redirectUri: attempt.redirectUri };
    if (work === 'redeem') await redeemCode(http, { ...parties, ...grant }, soon());
    else {
      const refresh = { refreshToken: 'refresh-1', scopes: ['read', 'write'] };
      await refreshTokens(http, { ...parties, ...refresh }, soon());
    }
    const [request] = fake.received;
    if (request === undefined) throw new Error('Nothing was sent.');
    return {
      headers: request.headers,
      params: Object.fromEntries(new URLSearchParams(request.body)),
    };
  }

  it('redeems a code with its verifier, the redirect URI and the resource', async () => {
    const { params, headers } = await requestWith('redeem');
    expect(params).toEqual({
      grant_type: 'authorization_code',
      code: 'code-1',
      code_verifier: 'verifier-1',
      redirect_uri: attempt.redirectUri,
      resource: URL_OF_MCP,
      client_id: 'client-1',
      client_secret: 'secret-1',
      extra: '1',
      refresh_token: 'evil',
    });
    expect(headers).toMatchObject({ accept: 'application/json', 'user-agent': 'Gatehouse' });
  });

  it('sends id and secret by HTTP Basic, and form-encodes no character without need', async () => {
    const client = {
      ...CLIENT,
      clientSecret: 'a+b/c=-._ ü',
      authMethod: 'client_secret_basic' as const,
    };
    const { headers, params } = await requestWith('refresh', { client });
    const sent = Buffer.from(String(headers.authorization).slice(6), 'base64').toString();
    expect(sent).toBe('client-1:a%2Bb%2Fc%3D-._+%C3%BC');
    expect(params).not.toHaveProperty('client_secret');
  });

  it('of a public client has its id, as Linear wants, and never an empty secret', async () => {
    for (const client of [PUBLIC_CLIENT, { ...CLIENT, clientSecret: '' }]) {
      const { params } = await requestWith('refresh', { client });
      expect(params).toMatchObject({ client_id: 'client-1', refresh_token: 'refresh-1' });
      expect(params).not.toHaveProperty('client_secret');
    }
  });

  it('repeats the scopes of a refresh for Entra ID alone', async () => {
    expect((await requestWith('refresh', { provider: 'entra' })).params.scope).toBe('read write');
    expect((await requestWith('refresh')).params).not.toHaveProperty('scope');
  });

  it('wants lifetimes from Zendesk, each below its limit of 2 and 90 days', async () => {
    const { params } = await requestWith('refresh', { provider: 'zendesk' });
    expect(Number(params.expires_in)).toBeLessThan(172_800);
    expect(Number(params.refresh_token_expires_in)).toBeLessThan(7_776_000);
  });
});
