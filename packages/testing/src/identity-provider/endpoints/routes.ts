import type { ProviderEndpoint } from '../http/provider-request.ts';
import type { DiscoveryForm } from '../settings.ts';
import { authorize, consent } from './authorize.ts';
import type { Endpoint } from './context.ts';
import { jwks } from './jwks.ts';
import { metadata } from './metadata.ts';
import { registration } from './registration.ts';
import { revocation } from './revocation.ts';
import { token } from './token.ts';
import { userinfo } from './userinfo.ts';

/** The code of each endpoint. */
export const ENDPOINTS: Readonly<Record<ProviderEndpoint, Endpoint>> = {
  metadata,
  authorize,
  consent,
  token,
  registration,
  revocation,
  userinfo,
  jwks,
};

const PATHS: Readonly<Record<string, ProviderEndpoint>> = {
  '/authorize': 'authorize',
  '/consent': 'consent',
  '/token': 'token',
  '/register': 'registration',
  '/revoke': 'revocation',
  '/userinfo': 'userinfo',
  '/jwks': 'jwks',
};

/** The endpoint at the path, if any. */
export function routeOf(
  path: string,
  issuerPath: string,
  discovery: readonly DiscoveryForm[],
): ProviderEndpoint | undefined {
  const places: Readonly<Record<DiscoveryForm, string>> = {
    oauth: `/.well-known/oauth-authorization-server${issuerPath}`,
    'openid-inserted': `/.well-known/openid-configuration${issuerPath}`,
    openid: `${issuerPath}/.well-known/openid-configuration`,
  };
  if (discovery.some((form) => places[form] === path)) return 'metadata';
  return path.startsWith(issuerPath) ? PATHS[path.slice(issuerPath.length)] : undefined;
}
