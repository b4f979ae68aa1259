import { describe, expect, it } from 'vitest';
import {
  clientMetadataDocument,
  redirectUriOf,
} from '../../../src/credentials/oauth/clients/client-metadata.ts';
import { registerClient } from '../../../src/credentials/oauth/clients/register-client.ts';
import type { UpstreamServer } from '../../../src/credentials/oauth/discovery/upstream-server.ts';
import { clientWays, staticClient } from '../../../src/credentials/oauth/obtain-client.ts';
import type { UpstreamOauthCode } from '../../../src/credentials/oauth/upstream-error.ts';
import { expectFailure, openHttp, serverAt, soon, upstreamAt } from './support/parties.ts';
import { openProvider, type Reply } from './support/provider-server.ts';

const OURS = 'https://gatehouse.example.com';

describe('the ways to be a client', () => {
  const both = {
    supportsClientIdMetadata: true,
    registrationEndpoint: 'https://as.example.com/r',
    sendsIss: true,
  };
  const unset = { config: { scopes: [] } };

  it('are the metadata document, then registration, as far as the server supports them', () => {
    expect(clientWays(both, unset, { origin: OURS })).toEqual(['metadata_document', 'registered']);
    const neither = { supportsClientIdMetadata: false, sendsIss: false };
    expect(clientWays(neither, unset, { origin: OURS })).toEqual([]);
  });

  it('are registration, then the document, where the server does not name itself in its answers', () => {
    const silent = { ...both, sendsIss: false };
    expect(clientWays(silent, unset, { origin: OURS })).toEqual([
      'registered',
      'metadata_document',
    ]);
  });

  it('leave the document out where servers cannot fetch it', () => {
    expect(clientWays(both, unset, { origin: 'http://127.0.0.1:3000' })).toEqual(['registered']);
  });

  it('are only the entered client where there is one', () => {
    const config = { scopes: [], clientId: 'client-1' };
    expect(clientWays(both, { config }, { origin: OURS })).toEqual(['static']);
  });
});

describe('the redirect URI', () => {
  it('is the integration’s own', () => {
    for (const config of [{ scopes: [] }, { scopes: [], clientId: 'c', hasOwnRedirectUri: true }]) {
      expect(redirectUriOf(OURS, { integrationId: 'id-1', config })).toBe(
        `${OURS}/oauth/callback/id-1`,
      );
    }
  });

  it('is the shared one for a client that was entered with it', () => {
    const config = { scopes: [], clientId: 'client-1' };
    expect(redirectUriOf(OURS, { integrationId: 'id-1', config })).toBe(`${OURS}/oauth/callback`);
  });
});

it('the metadata document of an integration names its own URL and has no secret', () => {
  const integration = { id: 'id-1', name: 'Tracker', url: 'https://mcp.example.com/mcp' };
  expect(clientMetadataDocument(OURS, integration)).toMatchObject({
    client_id: `${OURS}/oauth/clients/id-1.json`,
    client_name: 'Gatehouse for Tracker (mcp.example.com)',
    redirect_uris: [`${OURS}/oauth/callback/id-1`],
    token_endpoint_auth_method: 'none',
    application_type: 'web',
    grant_types: ['authorization_code', 'refresh_token'],
  });
});

describe('an entered client', () => {
  const config = { scopes: [], clientId: 'client-1' };

  it.each([
    [undefined, 'client_secret_basic'],
    [['client_secret_post', 'client_secret_basic'], 'client_secret_basic'],
    [['client_secret_post'], 'client_secret_post'],
  ])('with a secret at a server that lists %j uses %s', (methods, expected) => {
    const server = methods === undefined ? {} : { tokenEndpointAuthMethods: methods };
    const client = staticClient(server, { config, preset: undefined }, 'secret-1');
    expect(client.authMethod).toBe(expected);
  });

  it('without a secret is public, and without an id is not a client', async () => {
    const upstream = { config, preset: undefined };
    expect(staticClient({}, upstream, '')).toMatchObject({ authMethod: 'none' });
    const unset = { config: { scopes: [] }, preset: undefined };
    await expectFailure(() => staticClient({}, unset, undefined), 'no_client');
  });
});

describe('registration', () => {
  async function register(reply: Reply, more: Partial<UpstreamServer> = {}, ours = OURS) {
    const provider = await openProvider({ '/register': reply });
    const { origin } = provider;
    const server = serverAt(origin, { registrationEndpoint: `${origin}/register`, ...more });
    const registration = { redirectUri: `${ours}/oauth/callback`, origin: ours, scopes: ['read'] };
    const work = registerClient(openHttp(), server, registration, soon());
    return { provider, work };
  }

  it('asks for the grant types code and refresh, and keeps what the server registered', async () => {
    const { provider, work } = await register({
      status: 201,
      body: {
        client_id: 'c',
        client_secret: 's',
        client_secret_expires_at: 4_000_000_000,
        token_endpoint_auth_method: 'client_secret_post',
        registration_access_token: 'rat',
        registration_client_uri: 'https://as.example.com/register/c',
      },
    });
    expect(await work).toEqual({
      client: {
        clientId: 'c',
        clientSecret: 's',
        authMethod: 'client_secret_post',
        source: 'registered',
      },
      expiresAt: 4_000_000_000_000,
      registrationAccessToken: 'rat',
      registrationClientUri: 'https://as.example.com/register/c',
    });
    expect(JSON.parse(provider.received[0]?.body ?? '')).toMatchObject({
      application_type: 'web',
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'read',
    });
  });

  it('of a public client keeps no secret', async () => {
    const { work } = await register(
      { body: { client_id: 'c', client_secret: '', client_secret_expires_at: 0 } },
      { tokenEndpointAuthMethods: ['none'] },
    );
    expect(await work).toEqual({
      client: { clientId: 'c', clientSecret: undefined, authMethod: 'none', source: 'registered' },
    });
  });

  it('is that of a native application where our redirect URI is on plain http', async () => {
    const reply = { body: { client_id: 'c' } };
    const { provider, work } = await register(reply, {}, 'http://127.0.0.1:3000');
    await work;
    expect(provider.received[0]?.body).toContain('"application_type":"native"');
  });

  it.each<[string, Reply, UpstreamOauthCode]>([
    ['refused', { status: 400, body: { error: 'invalid_redirect_uri' } }, 'registration_refused'],
    ['forbidden', { status: 403, body: 'evil' }, 'registration_refused'],
    ['of a server in trouble', { status: 503, body: '' }, 'server_error'],
    ['without a client id', { status: 201, body: { client_secret: 's' } }, 'response_invalid'],
    [
      'with a method that we do not have',
      {
        body: { client_id: 'c', client_secret: 's', token_endpoint_auth_method: 'private_key_jwt' },
      },
      'response_invalid',
    ],
  ])('%s fails with the matching code', async (_, reply, code) => {
    await expectFailure((await register(reply)).work, code);
  });
});

it('says which failures an admin mends, and how', async () => {
  const upstream = upstreamAt('https://mcp.example.com');
  const error = await expectFailure(() => staticClient({}, upstream, undefined), 'no_client');
  expect(error.outcome).toBe('misconfigured');
  expect(error.message).toContain('clientId');
});
