import type { KoaContextWithOIDC } from 'oidc-provider';
import { canonicalUriOf, parseResource, resourceUriOf } from '../../identity/resource.ts';
import type { OauthClient } from '../clients/oauth-client.ts';
import { errors } from '../oidc-provider.ts';
import { defaultScopesAt, readScopes, TOKEN_EXCHANGE } from '../scopes.ts';

/** The parameters of a request that we rewrite. */
interface Parameters {
  scope?: string | readonly string[] | undefined;
  response_mode?: string | readonly string[] | undefined;
  resource?: string | readonly string[] | undefined;
  grant_type?: string | undefined;
}

/**
 * Rewrites the parameters of an authorization or token request before they are checked: resources in
 * their canonical spelling, scopes without OpenID Connect's, and defaults for a missing resource or
 * scope. oidc-provider has no hook there, but looks up the client first.
 *
 * @throws InvalidRequest
 */
export function normalizeParameters(
  { oidc }: KoaContextWithOIDC,
  client: OauthClient,
  publicUrl: string,
): void {
  const params = oidc.params as Parameters | undefined;
  if (params === undefined) return;
  if (oidc.route !== 'authorization' && oidc.route !== 'token') return;
  checkParameters(params);
  // It names integrations, not resources of ours, and has no scope.
  if (params.grant_type === TOKEN_EXCHANGE) return;
  const { scope } = params;
  // A repeated parameter is refused afterwards, with its name.
  if (typeof scope === 'object') return;
  const resources = listOf(params.resource).map((uri) => canonicalUriOf(publicUrl, uri));
  const scopes = readScopes(scope);
  if (resources.length > 0) params.resource = resources.length === 1 ? resources[0] : resources;
  params.scope = scopes.length > 0 ? scopes.join(' ') : undefined;
  // A code or a refresh token has its own resources and scopes.
  if (oidc.route === 'token' && params.grant_type !== 'client_credentials') return;
  const first = resources[0] ?? ownResource(publicUrl, client);
  params.resource ??= first;
  if (client.application === undefined) params.scope = 'mcp';
  else if (scopes.length === 0) params.scope = defaultScope(publicUrl, client.application, first);
}

/** @throws InvalidRequest for what PostgreSQL cannot store, and for a response that is not in the query */
function checkParameters(params: Parameters): void {
  if (
    Object.values(params)
      .flat()
      .some((value) => String(value).includes('\0'))
  ) {
    throw new errors.InvalidRequest('a parameter contains the character NUL');
  }
  const { response_mode: mode } = params;
  if (mode !== undefined && mode !== 'query') {
    throw new errors.InvalidRequest('response_mode must be query');
  }
}

function listOf(value: Parameters['resource']): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : [...new Set(value)];
}

/**
 * The resource of a client that does not name one. For a dynamic client it is the issuer, which is
 * refused.
 */
function ownResource(publicUrl: string, { application }: OauthClient): string {
  if (application === undefined) return publicUrl;
  return resourceUriOf(publicUrl, { kind: 'application', applicationId: application.id });
}

function defaultScope(
  publicUrl: string,
  { scopes }: NonNullable<OauthClient['application']>,
  uri: string,
): string | undefined {
  const resource = parseResource(publicUrl, uri);
  return resource && (defaultScopesAt(scopes, resource).join(' ') || undefined);
}
