import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import type { TestClient } from '../fixture.ts';
import { LOOPBACK, useSurroundings } from './surroundings.ts';

const surroundings = useSurroundings();

const METHODS = {
  none: client.None,
  client_secret_basic: client.ClientSecretBasic,
  client_secret_post: client.ClientSecretPost,
} as const;

function discover(
  { clientId, clientSecret }: TestClient,
  method: keyof typeof METHODS,
): Promise<client.Configuration> {
  return client.discovery(
    new URL(surroundings.server.origin),
    clientId,
    undefined,
    METHODS[method](clientSecret),
    {
      algorithm: 'oauth2',
      execute: [client.allowInsecureRequests],
    },
  );
}

interface Answer {
  readonly back: URL;
  readonly checks: client.AuthorizationCodeGrantChecks;
}

async function agree(config: client.Configuration, { mcpUrl }: TestClient): Promise<Answer> {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: LOOPBACK,
    resource: mcpUrl,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  });
  return {
    back: await surroundings.agree(url),
    checks: { pkceCodeVerifier: verifier, expectedState: state },
  };
}

/** Whether a token is accepted at its gateway URL. */
async function isAccepted(config: client.Configuration, token: string, url: string) {
  try {
    await client.fetchProtectedResource(config, token, new URL(url), 'POST', '{}');
    return true;
  } catch (error) {
    if (!(error instanceof client.WWWAuthenticateChallengeError)) throw error;
    expect(error.cause[0]).toMatchObject({
      scheme: 'bearer',
      parameters: { error: 'invalid_token', scope: 'mcp' },
    });
    return false;
  }
}

describe('openid-client', () => {
  it.each(['none', 'client_secret_basic', 'client_secret_post'] as const)(
    'discovers, authorizes, refreshes and revokes, authenticated by %s',
    async (method) => {
      const type = method === 'none' ? 'public' : 'confidential';
      const application = await surroundings.createApplication({ type });
      const config = await discover(application, method);
      expect(config.serverMetadata().supportsPKCE()).toBe(true);
      const { back, checks } = await agree(config, application);
      const tokens = await client.authorizationCodeGrant(config, back, checks);
      expect(tokens.expiresIn()).toBeGreaterThan(590);
      expect(await isAccepted(config, tokens.access_token, application.mcpUrl)).toBe(true);

      const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', {
        resource: application.mcpUrl,
      });
      expect(await isAccepted(config, refreshed.access_token, application.mcpUrl)).toBe(true);
      const last = refreshed.refresh_token ?? tokens.refresh_token ?? '';
      await client.tokenRevocation(config, last);
      expect(await isAccepted(config, refreshed.access_token, application.mcpUrl)).toBe(false);
      await expect(client.refreshTokenGrant(config, last)).rejects.toMatchObject({
        error: 'invalid_grant',
      });
    },
  );

  it('refuses a response that names another issuer or no issuer', async () => {
    const application = await surroundings.createApplication();
    const config = await discover(application, 'none');
    for (const issuer of [undefined, 'https://evil.example', `${surroundings.server.origin}/`]) {
      const { back, checks } = await agree(config, application);
      expect(back.searchParams.get('iss')).toBe(surroundings.server.origin);
      back.searchParams.delete('iss');
      if (issuer !== undefined) back.searchParams.set('iss', issuer);
      await expect(client.authorizationCodeGrant(config, back, checks)).rejects.toMatchObject({
        code: 'OAUTH_INVALID_RESPONSE',
      });
    }
  });

  it('introspects its tokens, and learns nothing about those of others', async () => {
    const application = await surroundings.createApplication({ type: 'confidential' });
    const other = await surroundings.createApplication({ type: 'confidential' });
    const config = await discover(application, 'client_secret_basic');
    const { back, checks } = await agree(config, application);
    const { access_token: token } = await client.authorizationCodeGrant(config, back, checks);
    expect(await client.tokenIntrospection(config, token)).toMatchObject({
      active: true,
      aud: application.mcpUrl,
      client_id: application.clientId,
      iss: surroundings.server.origin,
      scope: 'mcp',
      token_type: 'Bearer',
    });
    const others = await discover(other, 'client_secret_basic');
    expect(await client.tokenIntrospection(others, token)).toEqual({ active: false });
  });

  it('gets a token by client credentials', async () => {
    const application = await surroundings.createApplication({ type: 'confidential' });
    const config = await discover(application, 'client_secret_post');
    const tokens = await client.clientCredentialsGrant(config, { resource: application.mcpUrl });
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'mcp' });
    expect(tokens.refresh_token).toBeUndefined();
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({
      active: true,
      aud: application.mcpUrl,
    });
    await client.tokenRevocation(config, tokens.access_token);
    expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
  });

  it('registers', async () => {
    const { mcpUrl } = await surroundings.createApplication({ allowDynamicClients: true });
    const config = await client.dynamicClientRegistration(
      new URL(surroundings.server.origin),
      { redirect_uris: [LOOPBACK], token_endpoint_auth_method: 'none' },
      client.None(),
      { algorithm: 'oauth2', execute: [client.allowInsecureRequests] },
    );
    const { client_id: clientId } = config.clientMetadata();
    const dynamic = { clientId, clientSecret: undefined, integrationId: '', mcpUrl };
    const { back, checks } = await agree(config, dynamic);
    const tokens = await client.authorizationCodeGrant(config, back, checks);
    expect(await isAccepted(config, tokens.access_token, mcpUrl)).toBe(true);
  });
});
