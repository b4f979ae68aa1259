import { startIdentityProvider } from '@gatehouse/testing';
import * as client from 'openid-client';
import { expect, it, onTestFinished } from 'vitest';

const redirect_uri = 'http://127.0.0.1:8080/callback';

it('has lost its grant when the answer of a refresh is lost', async () => {
  const provider = await startIdentityProvider({
    clients: [{ clientId: 'my-client', redirectUris: [redirect_uri] }],
    accessTokenSeconds: 2,
  });
  onTestFinished(provider.close);

  // Your own client goes here.
  const config = await client.discovery(
    new URL(provider.issuer),
    'my-client',
    undefined,
    client.None(),
    { execute: [client.allowInsecureRequests] },
  );
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri,
    scope: 'read',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });

  // Submits the consent page, as a person would.
  const returned = await provider.approve(url);
  const tokens = await client.authorizationCodeGrant(config, returned, { pkceCodeVerifier });
  const refresh = () => client.refreshTokenGrant(config, tokens.refresh_token ?? '');

  // The provider replaces the refresh token, but the client never hears of it.
  provider.fault('token', { kind: 'lost-answer' }, { times: 1 });
  await expect(refresh()).rejects.toThrow();
  await expect(refresh()).rejects.toMatchObject({ error: 'invalid_grant' });
  expect(provider.counts).toMatchObject({ refreshes: 1, reusesDetected: 1, grantsEnded: 1 });
});
