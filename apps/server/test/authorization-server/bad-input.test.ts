import { beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import type { Browser } from './browser.ts';
import {
  authorizeParameters,
  createClient,
  createPkce,
  type Parameters,
  parametersOf,
  requestToken,
  signedInBrowser,
  type TestClient,
} from './fixture.ts';

const server = useServer();
let client: TestClient;
let browser: Browser;

beforeAll(async () => {
  client = await createClient(server, { redirectUris: ['http://127.0.0.1/callback'] });
  browser = await signedInBrowser(server);
});

describe('an authorization request gets an error page', () => {
  it.each<[string, Parameters]>([
    ['with NUL in state', { state: '\0' }],
    ['with NUL in login_hint', { login_hint: 'a\0b' }],
    ['with NUL in ui_locales', { ui_locales: '\0' }],
    [
      'for a loopback redirect with the port 65536',
      { redirect_uri: 'http://127.0.0.1:65536/callback' },
    ],
    [
      'with response_mode fragment, which the metadata does not list',
      { response_mode: 'fragment' },
    ],
    ['with response_mode form_post', { response_mode: 'form_post' }],
  ])('%s', async (_, change) => {
    const parameters = {
      ...authorizeParameters(client, createPkce()),
      redirect_uri: 'http://127.0.0.1:8123/callback',
      ...change,
    };
    const response = await browser.get(`/oauth/authorize?${parametersOf(parameters)}`);
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
    expect(response.headers.get('content-type')).toContain('text/html');
  });
});

it('a token request with a repeated scope is refused by name', async () => {
  const confidential = await createClient(server, { type: 'confidential' });
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: confidential.clientId,
    client_secret: confidential.clientSecret ?? '',
    scope: 'mcp',
  });
  body.append('scope', 'mcp');
  const response = await fetch(`${server.origin}/oauth/token`, { method: 'POST', body });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: 'invalid_request' });
  expect(
    (await requestToken(server, { grant_type: 'client_credentials', scope: '\0' })).status,
  ).toBe(400);
});

it.each([
  '/oauth/%zz',
  '/oauth/consent/%zz',
  '/.well-known/%zz',
  '/.well-known/oauth-protected-resource/%zz',
  '/mcp/%zz',
  '/mcp/%zz/x',
  '/connect/%zz',
  '/sign-in/link/%zz',
  '/account/%zz',
  '/api/v1/%zz',
])('%s is not found', async (path) => {
  expect((await browser.get(path)).status).toBe(404);
});

it('an authorization request that cannot be decoded is refused like one that has ended', async () => {
  expect((await browser.get('/oauth/authorize/%zz')).status).toBe(400);
});

it.each([
  ['GET', '/oauth/token', 'POST'],
  ['PUT', '/oauth/revoke', 'POST'],
  ['DELETE', '/oauth/introspect', 'POST'],
  ['GET', '/oauth/register', 'POST'],
  ['POST', '/oauth/authorize', 'GET, HEAD'],
  ['POST', '/.well-known/oauth-authorization-server', 'GET, HEAD'],
  ['POST', `/.well-known/oauth-protected-resource/api/v1`, 'GET, HEAD'],
])('%s %s is refused with the methods that there are', async (method, path, allowed) => {
  const response = await fetch(server.origin + path, { method });
  expect([response.status, response.headers.get('allow')]).toEqual([405, allowed]);
  const isPage = path === '/oauth/authorize';
  const type = isPage ? 'text/html' : 'application/problem+json';
  expect(response.headers.get('content-type')).toContain(type);
});

describe('client secrets that are guessed', () => {
  const limited = useServer({ rateLimit: 600, trustedProxies: ['127.0.0.1'] });

  it('are refused with 429 after 20 a minute from an address, and the right one still works', async () => {
    const confidential = await createClient(limited, { type: 'confidential' });
    const attempt = (client_secret: string | undefined) =>
      requestToken(limited, {
        grant_type: 'client_credentials',
        client_id: confidential.clientId,
        client_secret,
      });
    for (let guess = 0; guess < 20; guess += 1) {
      expect((await attempt(`guess ${guess}`)).status).toBe(401);
    }
    expect(await attempt('guess')).toMatchObject({
      status: 429,
      body: { error: 'temporarily_unavailable' },
    });
    expect((await attempt(confidential.clientSecret)).status).toBe(200);
  });

  it('are refused with 429 after 20 a minute for a client from anywhere, and others go on', async () => {
    const [guessed, other] = await Promise.all([
      createClient(limited, { type: 'confidential' }),
      createClient(limited, { type: 'confidential' }),
    ]);
    const attempt = (
      { clientId }: TestClient,
      client_secret: string | undefined,
      address: string,
    ) => {
      const parameters = { grant_type: 'client_credentials', client_id: clientId, client_secret };
      return requestToken(limited, parameters, { 'x-forwarded-for': address });
    };
    for (let guess = 0; guess < 20; guess += 1) {
      expect((await attempt(guessed, 'guess', `203.0.113.${guess}`)).status).toBe(401);
    }
    expect((await attempt(guessed, 'guess', '203.0.113.20')).status).toBe(429);
    expect((await attempt(other, 'guess', '203.0.113.20')).status).toBe(401);
    expect((await attempt(guessed, guessed.clientSecret, '203.0.113.20')).status).toBe(200);
  });
});
