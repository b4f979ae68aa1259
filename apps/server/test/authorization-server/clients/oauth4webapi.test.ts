import * as oauth from 'oauth4webapi';
import { describe, expect, it } from 'vitest';
import { LOOPBACK, useSurroundings } from './surroundings.ts';

const surroundings = useSurroundings();
const plainHttp = { [oauth.allowInsecureRequests]: true };

/** Discovers the authorization server from a gateway URL, by its challenge (RFC 9728 section 5). */
async function discover(mcpUrl: string): Promise<oauth.AuthorizationServer> {
  const resource = new URL(mcpUrl);
  const refusal = await fetch(resource, { method: 'POST', body: '{}' });
  expect(refusal.status).toBe(401);
  const challenge = refusal.headers.get('www-authenticate') ?? '';
  const [, metadataUrl = ''] = /resource_metadata="([^"]*)"/.exec(challenge) ?? [];
  const found = await oauth.resourceDiscoveryRequest(resource, plainHttp);
  expect(found.url).toBe(metadataUrl);
  const { authorization_servers: [issuer = ''] = [] } =
    await oauth.processResourceDiscoveryResponse(resource, found);
  const identifier = new URL(issuer);
  const response = await oauth.discoveryRequest(identifier, { algorithm: 'oauth2', ...plainHttp });
  return oauth.processDiscoveryResponse(identifier, response);
}

describe('oauth4webapi', () => {
  it('needs no more than the URL, by registration', async () => {
    const { mcpUrl } = await surroundings.createApplication({ allowDynamicClients: true });
    const server = await discover(mcpUrl);
    const registration = await oauth.dynamicClientRegistrationRequest(
      server,
      { redirect_uris: [LOOPBACK], token_endpoint_auth_method: 'none', client_name: 'Strict' },
      plainHttp,
    );
    const client = await oauth.processDynamicClientRegistrationResponse(registration);

    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const url = new URL(server.authorization_endpoint ?? '');
    url.search = String(
      new URLSearchParams({
        client_id: client.client_id,
        redirect_uri: LOOPBACK,
        response_type: 'code',
        resource: mcpUrl,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
      }),
    );
    const back = oauth.validateAuthResponse(server, client, await surroundings.agree(url), state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      back,
      LOOPBACK,
      verifier,
      { additionalParameters: { resource: mcpUrl }, ...plainHttp },
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
    const answer = await oauth.protectedResourceRequest(
      tokens.access_token,
      'POST',
      new URL(mcpUrl),
      new Headers({
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      }),
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE }),
      plainHttp,
    );
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('reference-upstream');

    const again = await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.None(),
      tokens.refresh_token ?? '',
      plainHttp,
    );
    const refreshed = await oauth.processRefreshTokenResponse(server, client, again);
    expect(refreshed.access_token).not.toBe(tokens.access_token);
    const revocation = await oauth.revocationRequest(
      server,
      client,
      oauth.None(),
      refreshed.refresh_token ?? '',
      plainHttp,
    );
    await oauth.processRevocationResponse(revocation);
  });
});

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'c', version: '1' },
};
