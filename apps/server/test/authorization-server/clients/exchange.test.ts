import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { describe, expect, it } from 'vitest';
import { requestToken } from '../fixture.ts';
import { useSurroundings } from './surroundings.ts';

const surroundings = useSurroundings();
const plainHttp = { [oauth.allowInsecureRequests]: true };

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** A worker that acts for itself, with its own access token and a credential-only integration. */
async function addWorker() {
  const { server } = surroundings;
  const application = await surroundings.createApplication({
    ...{ type: 'confidential', scopes: ['mcp', 'credentials'] },
    ...{ url: 'https://reports.example.com/api', authMode: 'server_token', serverToken: 'shared' },
  });
  const { clientId, clientSecret = '', integrationId } = application;
  const category = 'internal_mcp_credentials';
  const body = { category, serverToken: 'shared' };
  const changed = await server.call('PATCH', `/integrations/${integrationId}`, { body });
  expect(changed.status, changed.text).toBe(200);
  const granted = await requestToken(server, {
    ...{ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
    scope: 'credentials',
  });
  return { clientId, clientSecret, integrationId, token: String(granted.body.access_token) };
}

const parametersOf = (token: string) => ({
  subject_token: token,
  subject_token_type: ACCESS_TOKEN,
  resource: 'https://reports.example.com/api',
});

describe('token exchange', () => {
  it('works with openid-client', async () => {
    const { clientId, clientSecret, token } = await addWorker();
    const config = await openid.discovery(
      new URL(surroundings.server.origin),
      clientId,
      undefined,
      openid.ClientSecretBasic(clientSecret),
      { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
    );
    const exchanged = await openid.genericGrantRequest(config, GRANT_TYPE, parametersOf(token));
    expect(exchanged).toMatchObject({ access_token: 'shared', issued_token_type: ACCESS_TOKEN });
    expect(exchanged.expiresIn()).toBeGreaterThan(290);
    expect(exchanged.refresh_token).toBeUndefined();
    const unknown = { ...parametersOf(token), resource: 'https://elsewhere.example.com/' };
    await expect(openid.genericGrantRequest(config, GRANT_TYPE, unknown)).rejects.toMatchObject({
      error: 'invalid_target',
    });
  });

  it('works with oauth4webapi', async () => {
    const { clientId, clientSecret, integrationId, token } = await addWorker();
    const issuer = new URL(surroundings.server.origin);
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...plainHttp });
    const server = await oauth.processDiscoveryResponse(issuer, found);
    const client = { client_id: clientId };
    const parameters = new URLSearchParams({ ...parametersOf(token), audience: integrationId });
    const response = await oauth.genericTokenEndpointRequest(
      ...([server, client, oauth.ClientSecretPost(clientSecret), GRANT_TYPE, parameters] as const),
      plainHttp,
    );
    const exchanged = await oauth.processGenericTokenEndpointResponse(server, client, response);
    expect(exchanged).toMatchObject({ access_token: 'shared', issued_token_type: ACCESS_TOKEN });
  });
});
