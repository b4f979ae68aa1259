import type { OauthHttp } from '../http.ts';
import type { UnknownObject } from '../json-object.ts';
import { UpstreamOauthError } from '../upstream-error.ts';
import { parseHttpUrl } from './endpoint.ts';
import { findDocument } from './find-document.ts';
import { findServerMetadata, readServerMetadata, serverMetadataUrls } from './server-metadata.ts';
import type { ServerDescription } from './upstream-server.ts';

/**
 * MCP 2025-03-26, where a resource does not publish metadata: the authorization server is at the origin
 * of the URL. If metadata there names another issuer, that issuer's own metadata decides. An issuer at
 * the same origin needs no metadata: only that origin speaks for it, and old servers name an issuer
 * below the path where they publish.
 *
 * @param hasDefaults whether `/authorize`, `/token` and `/register` may be assumed without metadata
 * @throws UpstreamOauthError
 */
export async function findServerAtOrigin(
  http: OauthHttp,
  url: string,
  hasDefaults: boolean,
  signal: AbortSignal,
): Promise<ServerDescription | undefined> {
  const { origin } = new URL(url);
  const published = await findDocument(http, serverMetadataUrls(origin), readPublished, signal);
  if (published !== undefined) {
    const { issuer, document } = published;
    const description = await findServerMetadata(http, issuer, signal);
    const isOwn = new URL(issuer).origin === origin;
    return description ?? (isOwn ? readServerMetadata(document, issuer) : undefined);
  }
  if (!hasDefaults) return undefined;
  return {
    issuer: origin,
    authorizationEndpoint: `${origin}/authorize`,
    tokenEndpoint: `${origin}/token`,
    registrationEndpoint: `${origin}/register`,
    codeChallengeMethods: ['S256'],
    supportsClientIdMetadata: false,
    sendsIss: false,
    isAssumed: true,
  };
}

interface Published {
  readonly issuer: string;
  readonly document: UnknownObject;
}

function readPublished(document: UnknownObject): Published {
  const { issuer } = document;
  if (typeof issuer !== 'string' || parseHttpUrl(issuer) === undefined) {
    throw new UpstreamOauthError('metadata_invalid');
  }
  return { issuer, document };
}
