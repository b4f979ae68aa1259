import { type Resource, resourceOfPath } from '../identity/resource.ts';
import { TOKEN_EXCHANGE } from './scopes.ts';

const API_SCOPES = ['management:read', 'management:write'];

/**
 * The authorization server's metadata (RFC 8414).
 *
 * @param publicUrl our origin, the issuer
 * @param allowsDynamicClients whether any application does: only then the metadata says how to become one
 */
export function metadataOf(
  publicUrl: string,
  allowsDynamicClients: boolean,
): Readonly<Record<string, unknown>> {
  const methods = ['none', 'client_secret_basic', 'client_secret_post'];
  return {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/oauth/authorize`,
    token_endpoint: `${publicUrl}/oauth/token`,
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint: `${publicUrl}/oauth/revoke`,
    revocation_endpoint_auth_methods_supported: methods,
    introspection_endpoint: `${publicUrl}/oauth/introspect`,
    introspection_endpoint_auth_methods_supported: methods.slice(1),
    scopes_supported: ['mcp', ...API_SCOPES],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [
      ...['authorization_code', 'refresh_token', 'client_credentials'],
      TOKEN_EXCHANGE,
    ],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    ...(allowsDynamicClients
      ? {
          registration_endpoint: `${publicUrl}/oauth/register`,
          client_id_metadata_document_supported: true,
        }
      : {}),
  };
}

/**
 * The metadata of the protected resource at a path (RFC 9728), whether or not its application exists:
 * and does not reveal whether it exists. Undefined for a path where no resource can be.
 */
export function resourceMetadataOf(
  publicUrl: string,
  path: string,
): Readonly<Record<string, unknown>> | undefined {
  const resource = resourceOfPath(path);
  if (resource === undefined) return undefined;
  return {
    // As the client spelled it: it must equal the URL that the client used (RFC 9728 section 3.3).
    resource: publicUrl + path,
    resource_name: nameOf(resource),
    authorization_servers: [publicUrl],
    scopes_supported: resource.kind === 'management' ? API_SCOPES : ['mcp'],
    bearer_methods_supported: ['header'],
  };
}

function nameOf({ kind }: Resource): string {
  return kind === 'management' ? 'Gatehouse management API' : 'Gatehouse gateway';
}
