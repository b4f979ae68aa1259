import type { UpstreamClient } from '../upstream.ts';
import { clientMetadata, redirectUriOf } from './client-metadata.ts';

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
