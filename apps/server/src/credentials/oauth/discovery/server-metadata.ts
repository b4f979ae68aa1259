import { limits } from '@gatehouse/contract';
import type { OauthHttp } from '../http.ts';
import type { UnknownObject } from '../json-object.ts';
import { isSameIssuer } from '../same-issuer.ts';
import { scopeListOf } from '../scope-list.ts';
import { UpstreamOauthError } from '../upstream-error.ts';
import { findEndpoint, parseHttpUrl, requireEndpoint } from './endpoint.ts';
import { findDocument } from './find-document.ts';
import type { ServerDescription } from './upstream-server.ts';

/**
 * What an authorization server publishes about itself. The issuer in it must be the one it was looked
 * up by (RFC 8414 section 3.3).
 *
 * @throws UpstreamOauthError
 */
export function findServerMetadata(
  http: OauthHttp,
  issuer: string,
  signal: AbortSignal,
): Promise<ServerDescription | undefined> {
  const read = (document: UnknownObject): ServerDescription => {
    if (!isPublishedAs(document.issuer, issuer)) throw new UpstreamOauthError('issuer_mismatch');
    return readServerMetadata(document, document.issuer);
  };
  return findDocument(http, serverMetadataUrls(issuer), read, signal);
}

/** RFC 8414 section 3, section 5 for OpenID Connect, and the place of OpenID Connect Discovery 1.0. */
export function serverMetadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
}

/** Whether a published issuer is the expected one. That may have one more slash, as the official MCP client allows too. */
export function isPublishedAs(published: unknown, expected: string): published is string {
  if (parseHttpUrl(published) === undefined) return false;
  return isSameIssuer(expected, published) || `${published}/` === expected;
}

/** @throws UpstreamOauthError */
export function readServerMetadata(document: UnknownObject, issuer: string): ServerDescription {
  return {
    issuer,
    authorizationEndpoint: requireEndpoint(document.authorization_endpoint, issuer),
    tokenEndpoint: requireEndpoint(document.token_endpoint, issuer),
    revocationEndpoint: findEndpoint(document.revocation_endpoint, issuer),
    registrationEndpoint: findEndpoint(document.registration_endpoint, issuer),
    userinfoEndpoint: findEndpoint(document.userinfo_endpoint, issuer),
    jwksUri: jwksUriOf(document.jwks_uri),
    idTokenAlgorithms: namesOf(document.id_token_signing_alg_values_supported),
    supportsClientIdMetadata: document.client_id_metadata_document_supported === true,
    sendsIss: document.authorization_response_iss_parameter_supported === true,
    codeChallengeMethods: namesOf(document.code_challenge_methods_supported),
    tokenEndpointAuthMethods: namesOf(document.token_endpoint_auth_methods_supported),
    revocationEndpointAuthMethods: namesOf(document.revocation_endpoint_auth_methods_supported),
    scopesSupported: scopeListOf(document.scopes_supported),
  };
}

/** Too long, or anything but a text, is an address that cannot be used. */
function jwksUriOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' && value.length <= limits.url ? value : '';
}

function namesOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}
