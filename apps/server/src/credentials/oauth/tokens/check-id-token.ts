import {
  allowInsecureRequests,
  customFetch,
  getValidatedIdTokenClaims,
  type JWKSCacheInput,
  jwksCache,
  OperationProcessingError,
  processAuthorizationCodeResponse,
  UnsupportedOperationError,
  validateApplicationLevelSignature,
} from 'oauth4webapi';
import type { EgressFetch } from '../../../egress/fetch-through-egress.ts';
import { checkIssuedAt, IssuedInFuture } from '../../../platform/id-tokens.ts';
import { requireEndpoint } from '../discovery/endpoint.ts';
import type { UpstreamServer } from '../discovery/upstream-server.ts';
import type { OauthHttp } from '../http.ts';
import { parseObject, type UnknownObject } from '../json-object.ts';
import { isSameIssuer } from '../same-issuer.ts';
import { troubleOf, UpstreamOauthError } from '../upstream-error.ts';

/** An ID token that came from the token endpoint, and for whom it must be. */
export interface IdTokenToCheck {
  readonly server: UpstreamServer;
  readonly clientId: string;
  readonly idToken: string;
  /** The `nonce` of the authorization request. */
  readonly nonce: string;
}

const BY_KEY_PAIR = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const BY_SECRET = ['HS256', 'HS384', 'HS512'];

/**
 * The claims of an ID token with the issuer, audience, times and nonce that it must have, and, where the
 * provider publishes keys, a signature by one of them (OpenID Connect Core 1.0 section 3.1.3.7). One
 * without a signature is never accepted.
 *
 * @throws UpstreamOauthError
 */
export async function checkIdToken(
  { http, keys }: { readonly http: OauthHttp; readonly keys: KeyCache },
  { server, clientId, idToken, nonce }: IdTokenToCheck,
  signal: AbortSignal,
): Promise<UnknownObject> {
  const { issuer, jwksUri } = server;
  const jwks_uri = jwksUri === undefined ? undefined : requireEndpoint(jwksUri, issuer);
  const as = {
    issuer: spelledIn(idToken, issuer),
    ...(jwks_uri === undefined ? {} : { jwks_uri }),
    id_token_signing_alg_values_supported: algorithmsOf(server),
  };
  // The library takes whole responses. Ours has been read already, with more tolerance than it has.
  const response = Response.json({
    access_token: 'unused',
    token_type: 'bearer',
    id_token: idToken,
  });
  try {
    const client = { client_id: clientId };
    const expected = { expectedNonce: nonce };
    const read = await processAuthorizationCodeResponse(as, client, response, expected);
    if (jwks_uri !== undefined) {
      await validateApplicationLevelSignature(as, response, {
        [customFetch]: fetchKeys(http),
        [allowInsecureRequests]: true,
        [jwksCache]: keys.at(jwks_uri),
        signal,
      });
    }
    const claims = getValidatedIdTokenClaims(read);
    if (claims !== undefined) checkIssuedAt(claims.iat);
    return { ...claims };
  } catch (error) {
    if (error instanceof UpstreamOauthError) throw error;
    throw new UpstreamOauthError('id_token_invalid', { detail: reasonOf(error) });
  }
}

/** The issuer as the token spells it; that of the provider if it names another one, which is refused then. */
function spelledIn(idToken: string, issuer: string): string {
  const [, payload = ''] = idToken.split('.');
  const iss = parseObject(Buffer.from(payload, 'base64url').toString())?.iss;
  return isSameIssuer(issuer, iss) ? iss : issuer;
}

/** What a secret has signed cannot be checked with a published key. */
function algorithmsOf({ jwksUri, idTokenAlgorithms }: UpstreamServer): string[] {
  const usable = jwksUri === undefined ? [...BY_KEY_PAIR, ...BY_SECRET] : BY_KEY_PAIR;
  return usable.filter((algorithm) => idTokenAlgorithms?.includes(algorithm) ?? true);
}

/** Some send keys as text or without a type, which the library refuses. */
function fetchKeys(http: OauthHttp): EgressFetch {
  return async (url, options) => {
    const response = await http.fetch(url, options);
    const { status } = response;
    const trouble = troubleOf(status, response.headers.get('retry-after'));
    if (trouble !== undefined) throw trouble;
    return new Response(response.body, { status, headers: { 'content-type': 'application/json' } });
  };
}

/** The sentences of the library and of `IssuedInFuture` are fixed and quote nothing. */
function reasonOf(error: unknown): string {
  const isFixed =
    error instanceof OperationProcessingError ||
    error instanceof UnsupportedOperationError ||
    error instanceof IssuedInFuture;
  return isFixed ? error.message : 'The ID token or a published key is malformed.';
}

/** The keys that providers publish, by their address. oauth4webapi fills it and uses it for 5 minutes. */
export interface KeyCache {
  at(jwksUri: string): JWKSCacheInput;
}

/** Documents, of 256 KiB at most. */
const MAX_DOCUMENTS = 50;

export function createKeyCache(): KeyCache {
  const documents = new Map<string, JWKSCacheInput>();
  return {
    at(jwksUri) {
      const document: JWKSCacheInput = documents.get(jwksUri) ?? {};
      documents.delete(jwksUri);
      documents.set(jwksUri, document);
      const [oldest] = documents.keys();
      if (documents.size > MAX_DOCUMENTS && oldest !== undefined) documents.delete(oldest);
      return document;
    },
  };
}
