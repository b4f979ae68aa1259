import { jsonReply } from '../http/reply.ts';
import type { Context, Endpoint } from './context.ts';

/** Metadata of RFC 8414 and OpenID Connect Discovery in one document. */
export const metadata: Endpoint = (_request, context) => jsonReply(200, documentOf(context));

function documentOf({ issuer, settings }: Context): Record<string, unknown> {
  const { scopes, authMethods, registration, revocation, pkce, iss, clientIdMetadata } = settings;
  const { publishesKeys } = settings;
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    ...(publishesKeys && { jwks_uri: `${issuer}/jwks` }),
    ...(registration && { registration_endpoint: `${issuer}/register` }),
    ...(revocation && {
      revocation_endpoint: `${issuer}/revoke`,
      revocation_endpoint_auth_methods_supported: authMethods,
    }),
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: authMethods,
    ...(pkce && { code_challenge_methods_supported: ['S256'] }),
    authorization_response_iss_parameter_supported: iss,
    client_id_metadata_document_supported: clientIdMetadata,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
}
