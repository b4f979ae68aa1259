import { redirectUriAt } from '@gatehouse/contract';
import type { OauthConfig } from '../../oauth-config.ts';
import type { OauthUpstream, UpstreamClient } from '../upstream.ts';

/**
 * The redirect URI that all integrations shared before each had its own. It goes on working for clients
 * that were entered with it.
 */
export function sharedRedirectUri(origin: string): string {
  return `${origin}/oauth/callback`;
}

/**
 * The redirect URI of an integration: an answer of another authorization server, to which a hostile one
 * has sent the browser on, comes back elsewhere (mix-up, RFC 9700 section 4.4).
 */
export function redirectUriOf(
  origin: string,
  { integrationId, config }: Pick<OauthUpstream, 'integrationId' | 'config'>,
): string {
  return hasSharedRedirectUri(config)
    ? sharedRedirectUri(origin)
    : redirectUriAt(origin, integrationId);
}

/** An admin entered the client before each integration had its own redirect URI. */
export function hasSharedRedirectUri({ clientId, hasOwnRedirectUri }: OauthConfig): boolean {
  return clientId !== undefined && hasOwnRedirectUri !== true;
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

/** Where servers fetch the document of an integration. The URL is the client id. */
function documentUrl(origin: string, integrationId: string): string {
  return `${origin}/oauth/clients/${integrationId}.json`;
}

/** A client with a document has no secret, and proves itself by its redirect URI. */
const WITHOUT_SECRET = { token_endpoint_auth_method: 'none' } as const;

/** The Client ID Metadata Document of an integration. */
export function clientMetadataDocument(
  origin: string,
  { id, name, url }: { readonly id: string; readonly name: string; readonly url: string },
): object {
  const redirectUri = redirectUriAt(origin, id);
  return {
    client_id: documentUrl(origin, id),
    ...clientMetadata(origin, redirectUri),
    client_name: `Gatehouse for ${name} (${new URL(url).host})`,
    ...WITHOUT_SECRET,
  };
}

/** The document that all integrations shared. Tokens that were issued to its client are still refreshed. */
export function sharedMetadataDocument(origin: string): object {
  return {
    client_id: `${origin}/oauth/client-metadata.json`,
    ...clientMetadata(origin, sharedRedirectUri(origin)),
    ...WITHOUT_SECRET,
  };
}

/** The client that the document of an integration describes. */
export function metadataDocumentClient(origin: string, integrationId: string): UpstreamClient {
  const clientId = documentUrl(origin, integrationId);
  return { clientId, clientSecret: undefined, authMethod: 'none', source: 'metadata_document' };
}
