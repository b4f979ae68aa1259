import { createHash, randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import {
  type IdentityProvider,
  type IdentityProviderOptions,
  startIdentityProvider,
} from '../../src/index.ts';

export const REDIRECT_URI = 'http://127.0.0.1:8123/callback';

/** A provider with one public client, `app`, and consent without a page. */
export async function startProvider(
  options: IdentityProviderOptions = {},
): Promise<IdentityProvider> {
  const clients = [{ clientId: 'app', redirectUris: [REDIRECT_URI] }];
  const provider = await startIdentityProvider({ autoApprove: true, clients, ...options });
  onTestFinished(() => provider.close());
  return provider;
}

/** An authorization URL and the verifier of its PKCE challenge. */
export function authorization(
  { issuer }: IdentityProvider,
  params: Readonly<Record<string, string>> = {},
): { readonly url: URL; readonly verifier: string } {
  const verifier = randomBytes(32).toString('base64url');
  const url = new URL(`${issuer}/authorize`);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: 'app',
    redirect_uri: REDIRECT_URI,
    state: 'the-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...params,
  }).toString();
  return { url, verifier };
}

/** A form to an endpoint, as the client `app`. */
export function post(
  { issuer }: IdentityProvider,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  const body = new URLSearchParams({ client_id: 'app', ...fields });
  return fetch(`${issuer}${path}`, { method: 'POST', body });
}

/** Signs in and redeems the code. */
export async function signIn(
  provider: IdentityProvider,
  params: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { url, verifier } = authorization(provider, params);
  const returned = await provider.approve(url);
  return redeem(provider, returned.searchParams.get('code') ?? '', verifier);
}

export function redeem(
  provider: IdentityProvider,
  code: string,
  verifier: string,
): Promise<Response> {
  return post(provider, '/token', {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT_URI,
  });
}

export function refresh(provider: IdentityProvider, refreshToken = ''): Promise<Response> {
  return post(provider, '/token', { grant_type: 'refresh_token', refresh_token: refreshToken });
}
