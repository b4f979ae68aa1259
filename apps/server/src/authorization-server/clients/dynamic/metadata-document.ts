import { LRUCache } from 'lru-cache';
import type { Egress } from '../../../egress/egress.ts';
import type { EgressResponse } from '../../../egress/request.ts';
import type { OauthClient } from '../oauth-client.ts';
import { dynamicClientSchema, NAMELESS } from './client-metadata-schema.ts';

const MAX_BYTES = 64 * 1024;

/** Milliseconds to fetch a document. */
const TIMEOUT = 5_000;

/** The bounds of the time that a document is cached, in milliseconds, whatever its headers say. */
const MIN_AGE = 60_000;
const MAX_AGE = 24 * 60 * 60 * 1000;

/** The most documents in memory. */
const MAX_CACHED = 1_000;

/** The most fetches at the same time. */
const MAX_FETCHES = 16;

/**
 * The clients that are described by a document at their client id (Client ID Metadata Documents,
 * draft-ietf-oauth-client-id-metadata-document).
 */
export interface MetadataDocuments {
  /** Undefined if the document cannot be fetched or does not describe a client. */
  find(clientId: string): Promise<OauthClient | undefined>;
}

/** Whether a client id is the URL of such a document: https with a path, and one spelling only (section 3). */
export function isDocumentUrl(clientId: string): boolean {
  if (!clientId.startsWith('https://') || !URL.canParse(clientId)) return false;
  const { href, pathname, hash, username, password } = new URL(clientId);
  const isPlain = hash === '' && username === '' && password === '' && pathname !== '/';
  return isPlain && href === clientId && !/%2e/i.test(pathname);
}

export function createMetadataDocuments(egress: Pick<Egress, 'request'>): MetadataDocuments {
  const cache = new LRUCache<string, OauthClient>({ max: MAX_CACHED });
  const fetches = new Map<string, Promise<OauthClient | undefined>>();

  const fetchAndCache = async (clientId: string) => {
    try {
      const response = await fetchDocument(egress, clientId);
      const client = clientOf(clientId, response);
      if (client !== undefined) cache.set(clientId, client, { ttl: maxAgeOf(response) });
      return client;
    } catch {
      // Unreachable, denied by the egress policy, or not JSON: callers cannot see which.
      return undefined;
    } finally {
      fetches.delete(clientId);
    }
  };

  return {
    async find(clientId) {
      const cached = cache.get(clientId);
      if (cached !== undefined) return cached;
      const running = fetches.get(clientId);
      if (running !== undefined) return running;
      if (fetches.size >= MAX_FETCHES) return undefined;
      const started = fetchAndCache(clientId);
      fetches.set(clientId, started);
      return started;
    },
  };
}

function fetchDocument(egress: Pick<Egress, 'request'>, url: string): Promise<EgressResponse> {
  return egress.request(url, {
    method: 'GET',
    headers: [['accept', 'application/json']],
    maxBytes: MAX_BYTES,
    signal: AbortSignal.timeout(TIMEOUT),
    sender: { organizationId: '', userId: 'client-metadata', credential: [] },
  });
}

function clientOf(clientId: string, response: EgressResponse): OauthClient | undefined {
  if (response.status !== 200 || response.isTruncated) return undefined;
  const document: unknown = JSON.parse(response.body.toString());
  const isItsOwn =
    typeof document === 'object' &&
    document !== null &&
    'client_id' in document &&
    document.client_id === clientId;
  const parsed = dynamicClientSchema.safeParse(document);
  if (!isItsOwn || !parsed.success) return undefined;
  const { client_name: name, redirect_uris: redirectUris } = parsed.data;
  return { clientId, name: name || NAMELESS, redirectUris, application: undefined };
}

/** Milliseconds (RFC 9111 section 5.2.2.1). */
function maxAgeOf({ headers }: EgressResponse): number {
  const [, seconds] =
    /(?:^|,)\s*max-age\s*=\s*"?(\d{1,9})/i.exec(headers['cache-control'] ?? '') ?? [];
  return Math.min(MAX_AGE, Math.max(MIN_AGE, Number(seconds ?? 0) * 1000));
}
