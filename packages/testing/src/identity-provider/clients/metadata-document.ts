import { z } from 'zod';
import { OauthError } from '../http/oauth-error.ts';
import type { ProviderClient } from './client.ts';

const LARGEST_DOCUMENT = 64 * 1024;
const TIMEOUT = 5_000;

const documentSchema = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1),
  token_endpoint_auth_method: z.literal('none').optional(),
  client_secret: z.never().optional(),
});

/**
 * Reads a Client ID Metadata Document and checks what draft-ietf-oauth-client-id-metadata-document
 * requires: a URL with a path, without fragment, userinfo and dot segments; and a document that names
 * this URL and has no secret. Plain http is allowed, as this provider is for tests.
 *
 * @throws OauthError `invalid_client`
 */
export async function readMetadataDocument(
  clientId: string,
  fetchDocument: typeof fetch,
): Promise<ProviderClient> {
  const refuse = (why: string) => new OauthError('invalid_client', why, 400);
  if (!isDocumentUrl(clientId)) throw refuse('The client id is no URL of a metadata document.');
  const text = await fetchText(clientId, fetchDocument);
  if (text === undefined) throw refuse('The metadata document cannot be read.');
  const { success, data } = documentSchema.safeParse(parseJson(text));
  if (!success) throw refuse('The metadata document is not valid.');
  if (data.client_id !== clientId) throw refuse('The metadata document names another client id.');
  return {
    clientId,
    redirectUris: data.redirect_uris,
    authMethod: 'none',
    ...(data.client_name !== undefined && { name: data.client_name }),
    source: 'metadata_document',
    expiresAt: null,
  };
}

function isDocumentUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  // A parsed URL has lost its dot segments, so that it differs from the text.
  return url.href === text && url.pathname !== '/' && !url.hash && !url.username && !url.password;
}

async function fetchText(url: string, fetchDocument: typeof fetch): Promise<string | undefined> {
  try {
    const response = await fetchDocument(url, {
      redirect: 'error',
      headers: { Accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const text = await response.text();
    return response.ok && text.length <= LARGEST_DOCUMENT ? text : undefined;
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
