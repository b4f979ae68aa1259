import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ProblemError } from '../../src/platform/problem-error.ts';
import { useServer } from '../support/server.ts';
import type { Browser } from './browser.ts';
import {
  authorize,
  authorizeParameters,
  createClient,
  createPkce,
  obtainTokens,
  type Parameters,
  parametersOf,
  REDIRECT_URI,
  redeemParameters,
  requestToken,
  signedInBrowser,
  type TestClient,
} from './fixture.ts';

const server = useServer();
let client: TestClient;
let other: TestClient;
let browser: Browser;

beforeAll(async () => {
  const redirectUris = [REDIRECT_URI, 'http://127.0.0.1/callback', 'cursor://anysphere/callback'];
  client = await createClient(server, { redirectUris });
  other = await createClient(server, { type: 'confidential' });
  browser = await signedInBrowser(server);
});

const withPkce = () => authorizeParameters(client, createPkce());

async function visit(parameters: Parameters): Promise<Response> {
  return browser.get(`/oauth/authorize?${parametersOf(parameters)}`);
}

/** An error page, from which nothing leads to the address that was named. */
async function expectErrorPage(response: Response): Promise<void> {
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.headers.get('location')).toBeNull();
  expect(response.headers.get('content-type')).toContain('text/html');
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(await response.text()).not.toContain('evil');
}

/** The parameters of a redirect back to the client with an error, which always names the issuer. */
function errorOf(response: Response): Record<string, string> {
  const [target, parameters] = (response.headers.get('location') ?? '').split(/[?#]/);
  expect(target).toBe(REDIRECT_URI);
  const back = Object.fromEntries(new URLSearchParams(parameters));
  expect(back).toMatchObject({ iss: server.origin });
  expect(back).not.toHaveProperty('code');
  return back;
}

describe('an authorization request is shown an error page, without a redirect,', () => {
  it.each([
    ['a prefix', `${REDIRECT_URI}/evil`],
    ['a longer host', 'https://app.example.com.evil.example/callback'],
    ['another case', 'https://app.example.com/Callback'],
    ['a port', 'https://app.example.com:8443/callback'],
    ['a default port written out', 'https://app.example.com:443/callback'],
    ['a slash at the end', `${REDIRECT_URI}/`],
    ['a user name', 'https://evil@app.example.com/callback'],
    ['encoded dots', 'https://app.example.com/x/%2e%2e/callback'],
    ['dots', 'https://app.example.com/x/../callback'],
    ['a query', `${REDIRECT_URI}?evil=1`],
    ['a fragment', `${REDIRECT_URI}#evil`],
    ['plain http', 'http://app.example.com/callback'],
    ['another loopback path', 'http://127.0.0.1:4000/evil'],
    ['another loopback name', 'http://localhost:4000/callback'],
    ['a loopback host that only begins so', 'http://127.0.0.1.evil.example/callback'],
    ['a user name before a loopback port', 'http://127.0.0.1:80@evil.example/callback'],
    ['a private-use scheme with another path', 'cursor://anysphere/evil'],
  ])('when the redirect URI has %s', async (_, redirectUri) => {
    await expectErrorPage(await visit({ ...withPkce(), redirect_uri: redirectUri }));
  });

  it('when it names no redirect URI, or the client is unknown or archived', async () => {
    await expectErrorPage(await visit({ ...withPkce(), redirect_uri: undefined }));
    const unknown = '01900000-0000-7000-8000-000000000000';
    await expectErrorPage(await visit({ ...withPkce(), client_id: unknown }));
    await expectErrorPage(await visit({ ...withPkce(), client_id: 'evil' }));
    const archived = await createClient(server);
    await server.call('DELETE', `/applications/${archived.clientId}`);
    await expectErrorPage(await visit({ ...withPkce(), client_id: archived.clientId }));
  });

  it('when it comes to an endpoint that is switched off', async () => {
    for (const path of [
      '/oauth/request',
      '/oauth/device/auth',
      '/oauth/me',
      '/oauth/session/end',
    ]) {
      expect((await browser.get(path)).status).toBe(404);
    }
  });
});

describe('an authorization request may use', () => {
  it.each([
    ['any port of a loopback address', 'http://127.0.0.1:51234/callback'],
    ['a private-use scheme', 'cursor://anysphere/callback'],
  ])('%s', async (_, redirectUri) => {
    const response = await visit({ ...withPkce(), redirect_uri: redirectUri });
    expect(response.headers.get('location')).toContain('/oauth/consent/');
  });
});

it('a page opens an installed app and says that the window can be closed', async () => {
  const redirectUri = 'cursor://anysphere/callback';
  const parameters = { ...withPkce(), redirect_uri: redirectUri, state: '"><b>' };
  const back = await authorize(server, browser, parameters);
  expect(back.get('code')).toMatch(/^gh_ac_/);
  expect([back.get('state'), back.get('iss')]).toEqual(['"><b>', server.origin]);
  const declined = await authorize(server, browser, parameters, 'deny');
  expect(declined.get('error')).toBe('access_denied');
});

describe('an authorization request goes back with an error', () => {
  const noPkce = { code_challenge: undefined, code_challenge_method: undefined };

  it.each<[string, () => Parameters, string]>([
    ['without PKCE', () => noPkce, 'invalid_request'],
    ['with plain PKCE', () => ({ code_challenge_method: 'plain' }), 'invalid_request'],
    ['with PKCE without method', () => ({ code_challenge_method: undefined }), 'invalid_request'],
    ['for a token', () => ({ response_type: 'token' }), 'unsupported_response_type'],
    [
      'for a resource elsewhere',
      () => ({ resource: 'https://evil.example/mcp' }),
      'invalid_target',
    ],
    ['for another application', () => ({ resource: other.mcpUrl }), 'invalid_target'],
    ['for two applications', () => ({ resource: [client.mcpUrl, other.mcpUrl] }), 'invalid_target'],
    [
      'for an integration that is not attached',
      () => ({ resource: `${server.origin}/mcp/${client.clientId}/${other.integrationId}` }),
      'invalid_target',
    ],
    [
      'for the management API, which it may not name',
      () => ({ resource: `${server.origin}/api/v1` }),
      'invalid_target',
    ],
    ['for scopes that it does not list', () => ({ scope: 'management:write' }), 'invalid_scope'],
    ['that must not ask the person', () => ({ prompt: 'none' }), 'consent_required'],
    ['with a request object', () => ({ request: 'x' }), 'request_not_supported'],
  ])('%s', async (_, change, error) => {
    const response = await visit({ ...withPkce(), state: 's', ...change() });
    expect(errorOf(response)).toMatchObject({ error, state: 's' });
  });

  it('except without PKCE, for a confidential client that need not use it', async () => {
    const lax = await createClient(server, { type: 'confidential', pkceRequired: false });
    const parameters = { ...authorizeParameters(lax, createPkce()), ...noPkce };
    expect((await authorize(server, browser, parameters)).get('code')).toMatch(/^gh_ac_/);
  });
});

describe('a token request is refused', () => {
  async function getCode(of: TestClient = client) {
    const pkce = createPkce();
    const back = await authorize(server, browser, authorizeParameters(of, pkce));
    return redeemParameters(of, pkce, back.get('code') ?? '');
  }

  it.each<[string, () => Parameters, number, string]>([
    ['without verifier', () => ({ code_verifier: undefined }), 400, 'invalid_grant'],
    ['with another verifier', () => ({ code_verifier: 'x'.repeat(43) }), 400, 'invalid_grant'],
    ['without redirect URI', () => ({ redirect_uri: undefined }), 400, 'invalid_request'],
    [
      'with another redirect URI',
      () => ({ redirect_uri: 'http://127.0.0.1/callback' }),
      400,
      'invalid_grant',
    ],
    ['for another resource', () => ({ resource: other.mcpUrl }), 400, 'invalid_target'],
    [
      'by another client',
      () => ({ client_id: other.clientId, client_secret: other.clientSecret }),
      400,
      'invalid_grant',
    ],
    [
      'by a confidential client without its secret',
      () => ({ client_id: other.clientId }),
      401,
      'invalid_client',
    ],
    ['with a wrong code', () => ({ code: 'gh_ac_x' }), 400, 'invalid_grant'],
    ['with another grant type', () => ({ grant_type: 'password' }), 400, 'unsupported_grant_type'],
  ])('%s', async (_, change, status, error) => {
    const answer = await requestToken(server, { ...(await getCode()), ...change() });
    expect(answer).toMatchObject({ status, body: { error } });
  });

  it('with a verifier for a code that was asked for without challenge', async () => {
    const lax = await createClient(server, { type: 'confidential', pkceRequired: false });
    const pkce = createPkce();
    const parameters = { ...authorizeParameters(lax, pkce), code_challenge: undefined };
    const asked = { ...parameters, code_challenge_method: undefined };
    const back = await authorize(server, browser, asked);
    const redeem = redeemParameters(lax, pkce, back.get('code') ?? '');
    expect((await requestToken(server, redeem)).body.error).toBe('invalid_grant');
  });

  it('with more scopes than were granted', async () => {
    const wide = await createClient(server, { scopes: ['mcp', 'extra'] });
    const { body } = await obtainTokens(server, browser, wide, { scope: 'mcp' });
    const refresh = {
      grant_type: 'refresh_token',
      client_id: wide.clientId,
      refresh_token: body.refresh_token,
    };
    const wider = await requestToken(server, { ...refresh, scope: 'mcp extra' });
    expect(wider).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
  });

  it('with an old secret after rotation', async () => {
    const rotated = await createClient(server, { type: 'confidential' });
    const code = await getCode(rotated);
    await server.call('POST', `/applications/${rotated.clientId}/rotate-secret`);
    const answer = await requestToken(server, code);
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });
});

describe('a decision on the consent page', () => {
  /** The consent page, and the browser that shows it. */
  async function openConsent(): Promise<{ path: string; page: string }> {
    const response = await visit({ ...withPkce(), prompt: 'consent' });
    const path = new URL(response.headers.get('location') ?? '', server.origin).pathname;
    return { path, page: await (await browser.get(path)).text() };
  }

  const post = (path: string, headers: Record<string, string>, body: string) =>
    fetch(server.origin + path, { method: 'POST', headers, body, redirect: 'manual' });

  it('is not taken from another browser, even one of the same person', async () => {
    const { path, page } = await openConsent();
    const elsewhere = await signedInBrowser(server);
    const response = await elsewhere.submit(page, { decision: 'allow' });
    expect(response.status).toBe(403);
    expect((await elsewhere.get(path)).status).toBe(404);
  });

  it('is not taken without the token of the form, or from another origin', async () => {
    const { path } = await openConsent();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const forged = await post(path, { ...type, origin: 'https://evil.example' }, 'decision=allow');
    expect(forged.status).toBe(403);
    const bare = await post(path, { ...type, origin: server.origin }, 'decision=allow');
    expect(bare.status).toBe(403);
  });

  it('is not taken from another person who has signed in meanwhile', async () => {
    const { page } = await openConsent();
    const { id } = await server.addMember('member');
    const { createBrowserSessions } = await import('../../src/identity/browser-sessions.ts');
    const sessions = createBrowserSessions(server.store, server.origin);
    browser.accept(await sessions.begin({ userId: id, way: 'password' }, undefined));
    expect((await browser.submit(page, { decision: 'allow' })).status).toBe(403);
    browser = await signedInBrowser(server);
  });

  it('cannot be framed', async () => {
    const { path } = await openConsent();
    const response = await browser.get(path);
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(response.headers.get('x-frame-options')).toBe('DENY');
  });
});

it('while the database is away, a token request may be tried again', async () => {
  const pkce = createPkce();
  const back = await authorize(server, browser, authorizeParameters(client, pkce));
  const redeem = redeemParameters(client, pkce, back.get('code') ?? '');
  const unavailable = new ProblemError('database_unavailable', 'The database is away.');
  const spy = vi.spyOn(server.store, 'transaction').mockRejectedValueOnce(unavailable);
  const answer = await requestToken(server, redeem);
  spy.mockRestore();
  expect(answer).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } });
  expect((await requestToken(server, redeem)).status).toBe(200);
});

it('metadata and endpoints name the public URL, whatever the Host header says', async () => {
  const response = await fetch(`${server.origin}/.well-known/oauth-authorization-server`, {
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  });
  const metadata = await response.text();
  expect(JSON.parse(metadata)).toMatchObject({ issuer: server.origin });
  expect(metadata).not.toContain('evil');
});
