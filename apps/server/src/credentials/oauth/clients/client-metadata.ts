import type { UpstreamClient } from '../upstream.ts';

/** Our redirect URI. */
export function redirectUriOf(origin: string): string {
  return `${origin}/oauth/callback`;
}

/**
 * What Gatehouse says about itself as a client (RFC 7591 section 2). A redirect URI on plain http, which
 * is loopback, is allowed to native applications only (OpenID Connect Registration 1.0).
 */
export function clientMetadata(origin: string, redirectUri: string) {
  return {
    client_name: 'Gatehouse',
    client_uri: origin,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: redirectUri.startsWith('https://') ? 'web' : 'native',
  };
}

/** Where servers fetch the document. The URL is the client id. */
function documentUrl(origin: string): string {
  return `${origin}/oauth/client-metadata.json`;
}

/** Our Client ID Metadata Document. Its client has no secret, and proves itself by its redirect URI. */
export function clientMetadataDocument(origin: string): object {
  return {
    client_id: documentUrl(origin),
    ...clientMetadata(origin, redirectUriOf(origin)),
    token_endpoint_auth_method: 'none',
  };
}

/** The client that the document describes. */
export function metadataDocumentClient(origin: string): UpstreamClient {
  const clientId = documentUrl(origin);
  return { clientId, clientSecret: undefined, authMethod: 'none', source: 'metadata_document' };
}
