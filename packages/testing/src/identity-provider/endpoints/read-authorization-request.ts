import type { ProviderClient } from '../clients/client.ts';
import { OauthError } from '../http/oauth-error.ts';
import type { ProviderSettings } from '../settings.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

/**
 * Checks an authorization request, except for the client and its redirect URI.
 *
 * @throws OauthError which a redirect reports to the client
 */
export function readAuthorizationRequest(
  query: URLSearchParams,
  client: ProviderClient,
  redirectUri: string,
  settings: ProviderSettings,
): AuthorizationRequest {
  if (query.get('response_type') !== 'code') {
    throw new OauthError('unsupported_response_type', 'Only "code" is supported.');
  }
  return {
    client,
    redirectUri,
    state: query.get('state') ?? undefined,
    codeChallenge: settings.pkce ? readCodeChallenge(query) : undefined,
    scopes: readScopes(query, settings),
    resources: readResources(query.getAll('resource'), settings.resources),
    nonce: query.get('nonce') ?? undefined,
    loginHint: query.get('login_hint') ?? undefined,
    isOffline: query.get('access_type') === 'offline',
    forcesConsent: (query.get('prompt') ?? '').split(' ').includes('consent'),
  };
}

function readCodeChallenge(query: URLSearchParams): string {
  const challenge = query.get('code_challenge') ?? '';
  if (query.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge)) {
    throw new OauthError('invalid_request', 'PKCE with S256 is required.');
  }
  return challenge;
}

/** Slack has `user_scope` too, and GitHub and Slack separate by commas. */
function readScopes(query: URLSearchParams, { shape, scopes }: ProviderSettings): string[] {
  const separator = shape === 'github' || shape === 'slack' ? /[ ,]+/ : / +/;
  const text = query.get('scope') || query.get('user_scope') || '';
  const asked = text.split(separator).filter((scope) => scope !== '');
  if (asked.length === 0) return [...scopes];
  if (asked.every((scope) => scopes.includes(scope))) return [...new Set(asked)];
  throw new OauthError('invalid_scope', 'A scope does not exist.');
}

/**
 * Resource indicators of a request (RFC 8707, section 2).
 *
 * @param known - those that are allowed; `null` means any
 * @throws OauthError `invalid_target`
 */
export function readResources(
  asked: readonly string[],
  known: readonly string[] | null,
): readonly string[] {
  for (const resource of asked) {
    const isAbsolute = URL.canParse(resource) && !resource.includes('#');
    if (!isAbsolute || (known && !known.includes(resource))) {
      throw new OauthError('invalid_target', 'The resource is not known.');
    }
  }
  return asked;
}
