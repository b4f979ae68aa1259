import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import type { DiscoveryForm } from '../../src/index.ts';
import { authorization, REDIRECT_URI, redeem, startProvider } from './support.ts';

const RESOURCE = 'https://mcp.example.com/mcp';
const insecure = { execute: [client.allowInsecureRequests] };

type Provider = Awaited<ReturnType<typeof startProvider>>;

function discover({ issuer }: Provider, auth: client.ClientAuth = client.None()) {
  return client.discovery(new URL(issuer), 'app', undefined, auth, insecure);
}

/** The whole flow as openid-client has it, with the checks that it makes. */
async function signIn(provider: Provider, config: client.Configuration, scope = 'openid read') {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedNonce = client.randomNonce();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope,
    resource: RESOURCE,
    nonce: expectedNonce,
    state: 'the-state',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const returned = await provider.approve(url);
  const checks = { pkceCodeVerifier, expectedNonce, expectedState: 'the-state' };
  return client.authorizationCodeGrant(config, returned, checks);
}

describe.each(['', '/tenant'])('openid-client at an issuer with the path "%s"', (issuerPath) => {
  it('signs in, reads the user, refreshes and revokes', async () => {
    const provider = await startProvider({ issuerPath });
    const config = await discover(provider);
    const tokens = await signIn(provider, config);
    expect(tokens.claims()).toMatchObject({ sub: 'ada', email: 'ada@example.com' });
    expect(provider.verify(tokens.access_token)).toMatchObject({
      sub: 'ada',
      clientId: 'app',
      scopes: ['openid', 'read'],
      resources: [RESOURCE],
    });
    expect(await client.fetchUserInfo(config, tokens.access_token, 'ada')).toMatchObject({
      name: 'Ada Lovelace',
    });

    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    await client.tokenRevocation(config, refreshed.refresh_token ?? '');
    expect(provider.verify(refreshed.access_token)).toBeUndefined();
    expect(provider.counts).toMatchObject({ refreshes: 1, revocations: 1, grantsEnded: 1 });
  });
});

it('registers a client that authenticates with its secret, and forgets it on demand', async () => {
  const provider = await startProvider({ clients: [] });
  const config = await client.dynamicClientRegistration(
    new URL(provider.issuer),
    { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: 'client_secret_post' },
    undefined,
    insecure,
  );
  const tokens = await signIn(provider, config);
  expect(provider.issuedSecrets()).toContain(config.clientMetadata().client_secret);
  provider.forgetClient(config.clientMetadata().client_id);
  await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
    status: 401,
  });
});

it('lets registered clients expire, and says when', async () => {
  const provider = await startProvider({ registeredClientSeconds: 0 });
  const register = () =>
    fetch(`${provider.issuer}/register`, {
      method: 'POST',
      body: JSON.stringify({ redirect_uris: [REDIRECT_URI] }),
    });
  const { client_id, client_secret_expires_at } = await (await register()).json();
  expect(client_secret_expires_at).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
  const url = new URL(`${provider.issuer}/authorize?client_id=${client_id}`);
  await expect(provider.approve(url)).rejects.toThrow('status 400');

  provider.configure({ registration: false });
  expect((await register()).status).toBe(404);
  const document = await fetch(`${provider.issuer}/.well-known/oauth-authorization-server`);
  expect(await document.json()).not.toHaveProperty('registration_endpoint');
});

it('shows a page that a person can submit, deny, and submit once only', async () => {
  const users = ['ada', 'grace'].map((sub) => ({ sub, email: `${sub}@example.com`, name: sub }));
  const provider = await startProvider({ autoApprove: false, users });
  const config = await discover(provider);
  const claims = (await signIn(provider, config)).claims();
  expect(claims?.sub).toBe('ada');

  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    login_hint: 'grace@example.com',
    code_challenge: await client.calculatePKCECodeChallenge('x'.repeat(43)),
    code_challenge_method: 'S256',
  });
  const denied = await provider.approve(url, { decision: 'deny' });
  expect(denied.searchParams.get('error')).toBe('access_denied');
  expect((await provider.approve(url)).searchParams.has('code')).toBe(true);
  expect(provider.grants.map(({ sub }) => sub)).toEqual(['ada', 'grace']);

  const again = new URLSearchParams(provider.requests('consent').at(-1)?.body);
  const resubmitted = await fetch(`${provider.issuer}/consent`, { method: 'POST', body: again });
  expect(resubmitted.status).toBe(400);
});

it('takes the URL of a metadata document for a client id, if the document names it', async () => {
  const clientId = 'https://app.example.com/client.json';
  let named = clientId;
  const document = async () =>
    Response.json({ client_id: named, client_name: 'An app', redirect_uris: [REDIRECT_URI] });
  const provider = await startProvider({ fetch: document });
  const config = await client.discovery(
    new URL(provider.issuer),
    clientId,
    undefined,
    client.None(),
    insecure,
  );
  await signIn(provider, config);
  expect(provider.clients.at(-1)).toMatchObject({ clientId, source: 'metadata_document' });

  named = 'https://other.example.com/client.json';
  await expect(signIn(provider, config)).rejects.toThrow('status 400');
});

it.each<[DiscoveryForm, string]>([
  ['oauth', '/.well-known/oauth-authorization-server/tenant'],
  ['openid-inserted', '/.well-known/openid-configuration/tenant'],
  ['openid', '/tenant/.well-known/openid-configuration'],
])('has its metadata in one place alone, if that is %s', async (form, path) => {
  const provider = await startProvider({ issuerPath: '/tenant', discovery: [form] });
  expect(await (await fetch(provider.url + path)).json()).toMatchObject({
    issuer: provider.issuer,
  });
  provider.configure({ discovery: [] });
  expect((await fetch(provider.url + path)).status).toBe(404);
});

describe('an authorization request', () => {
  async function answerTo(provider: Provider, params: Readonly<Record<string, string>>) {
    const config = await discover(provider);
    const url = client.buildAuthorizationUrl(config, { redirect_uri: REDIRECT_URI, ...params });
    return (await provider.approve(url)).searchParams.get('error');
  }
  const pkce = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };

  it('needs PKCE with S256, unless that is switched off', async () => {
    const provider = await startProvider();
    expect(await answerTo(provider, {})).toBe('invalid_request');
    const plain = { ...pkce, code_challenge_method: 'plain' };
    expect(await answerTo(provider, plain)).toBe('invalid_request');
    provider.configure({ pkce: false });
    expect(await answerTo(provider, {})).toBeNull();
  });

  it('is refused for scopes and resources that do not exist', async () => {
    const provider = await startProvider({ resources: [RESOURCE] });
    expect(await answerTo(provider, { ...pkce, scope: 'nothing' })).toBe('invalid_scope');
    const other = { ...pkce, resource: `${RESOURCE}/` };
    expect(await answerTo(provider, other)).toBe('invalid_target');
    expect(await answerTo(provider, { ...pkce, resource: RESOURCE })).toBeNull();
  });
});

describe('a code', () => {
  it('is refused without its verifier, and ends the grant when it is used twice', async () => {
    const provider = await startProvider();
    const { url, verifier } = authorization(provider);
    const code = (await provider.approve(url)).searchParams.get('code') ?? '';
    expect((await redeem(provider, code, 'another')).status).toBe(400);
    const { access_token } = await (await redeem(provider, code, verifier)).json();
    expect((await redeem(provider, code, verifier)).status).toBe(400);
    expect(provider.verify(access_token)).toBeUndefined();
    expect(provider.grants[0]?.endedBecause).toBe('code_reused');
  });
});

it('accepts only the method of authentication that the client has', async () => {
  const known = { clientId: 'app', clientSecret: 'the-secret', redirectUris: [REDIRECT_URI] };
  const provider = await startProvider({
    clients: [{ ...known, authMethod: 'client_secret_post' }],
  });
  await signIn(provider, await discover(provider, client.ClientSecretPost('the-secret')));
  for (const auth of [client.ClientSecretBasic('the-secret'), client.ClientSecretPost('wrong')]) {
    const config = await discover(provider, auth);
    await expect(signIn(provider, config)).rejects.toMatchObject({ status: 401 });
  }
});
