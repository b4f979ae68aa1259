import * as client from 'openid-client';
import { expect, it } from 'vitest';
import type { ProviderSettings } from '../../src/index.ts';
import { authorization, REDIRECT_URI, startProvider } from './support.ts';

/** Signs in with a client that checks ID tokens, also their signature. */
async function signIn(settings: Partial<ProviderSettings>) {
  const provider = await startProvider(settings);
  const options = { execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks] };
  const config = await client.discovery(
    new URL(provider.issuer),
    'app',
    undefined,
    client.None(),
    options,
  );
  const wish = { scope: 'openid', redirect_uri: REDIRECT_URI, nonce: 'the-nonce' };
  const { url, verifier } = authorization(provider, wish);
  const returned = await provider.approve(url);
  const tokens = await client.authorizationCodeGrant(config, returned, {
    pkceCodeVerifier: verifier,
    expectedState: 'the-state',
    expectedNonce: 'the-nonce',
  });
  return tokens.claims();
}

it('issues ID tokens that a strict client accepts', async () => {
  expect(await signIn({})).toMatchObject({ aud: 'app', nonce: 'the-nonce' });
});

it.each<[string, Partial<ProviderSettings>]>([
  ['for another client', { idTokenClaims: { aud: 'another' } }],
  ['without a nonce', { idTokenClaims: { nonce: undefined } }],
  ['that has expired', { idTokenClaims: { exp: 1 } }],
  ['signed with another key', { idTokenSignature: 'other-key' }],
  ['signed with the secret', { idTokenSignature: 'client-secret' }],
  ['that is not signed', { idTokenSignature: 'none' }],
])('issues one %s, which that client refuses', async (_, settings) => {
  await expect(signIn(settings)).rejects.toThrow();
});

it('leaves its keys out of the metadata', async () => {
  const provider = await startProvider({ publishesKeys: false });
  const metadata = await fetch(`${provider.issuer}/.well-known/openid-configuration`);
  expect(await metadata.json()).not.toHaveProperty('jwks_uri');
});
