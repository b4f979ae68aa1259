import { isJsonObject } from '@gatehouse/contract';
import { LRUCache } from 'lru-cache';
import type { AdmitAddresses } from '../../../egress/connector.ts';
import type { Egress } from '../../../egress/egress.ts';
import type { EgressResponse } from '../../../egress/request.ts';
import type { OauthClient } from '../oauth-client.ts';
import { dynamicClientSchema, NAMELESS } from './client-metadata-schema.ts';
import { createFetchBudget, FETCH_TIMEOUT } from './fetch-budget.ts';

const MAX_BYTES = 64 * 1024;

/** The bounds of the time that a document is cached, in milliseconds, whatever its headers say. */
const MIN_AGE = 60_000;
const MAX_AGE = 24 * 60 * 60 * 1000;

/** The most documents in memory. */
const MAX_CACHED = 1_000;

/**
 * The clients that are described by a document at their client id (Client ID Metadata Documents,
 * draft-ietf-oauth-client-id-metadata-document).
 */
export interface MetadataDocuments {
  /** @param source the address block of the caller */
  find(clientId: string, source: string): Promise<Described>;
}

/**
 * The client that a document describes. `gone`: its host says that there is no such document, or it does
 * not describe this client. `unknown`: nobody can say at the moment.
 */
export type Described = OauthClient | 'gone' | 'unknown';

/** Whether a client id is the URL of such a document: https with a path, and one spelling only (section 3). */
export function isDocumentUrl(clientId: string): boolean {
  if (!clientId.startsWith('https://') || !URL.canParse(clientId)) return false;
  const { href, pathname, hash, username, password } = new URL(clientId);
  const isPlain = hash === '' && username === '' && password === '' && pathname !== '/';
  return isPlain && href === clientId && !/%2e/i.test(pathname);
}

/** @param follow called with the redirect URIs that a document lists, each time that its host has said so; empty if it is gone */
export function createMetadataDocuments(
  egress: Pick<Egress, 'request'>,
  follow: (clientId: string, redirectUris: readonly string[]) => Promise<void>,
): MetadataDocuments {
  const cache = new LRUCache<string, OauthClient | 'gone'>({ max: MAX_CACHED });
  const fetches = new Map<string, Promise<Described>>();
  const budget = createFetchBudget();

  const fetchAndCache = async (clientId: string, admit: AdmitAddresses) => {
    const response = await fetchDocument(egress, clientId, admit);
    if (response === undefined) return undefined;
    const described = describedBy(clientId, response);
    const listed = isGone(response) ? [] : redirectUrisOf(described);
    if (listed !== undefined) await follow(clientId, listed);
    const ttl = described === 'gone' ? MIN_AGE : maxAgeOf(response);
    if (described !== undefined) cache.set(clientId, described, { ttl });
    return described;
  };

  return {
    async find(clientId, source) {
      const known = cache.get(clientId) ?? fetches.get(clientId);
      if (known !== undefined) return known;
      const fetching = budget
        .run(clientId, source, (admit) => fetchAndCache(clientId, admit))
        .then((described) => described ?? 'unknown')
        .finally(() => fetches.delete(clientId));
      fetches.set(clientId, fetching);
      return fetching;
    },
  };
}

/** Undefined if it is unreachable, or denied by the egress policy: callers cannot see which. */
async function fetchDocument(
  egress: Pick<Egress, 'request'>,
  url: string,
  admit: AdmitAddresses,
): Promise<EgressResponse | undefined> {
  try {
    return await egress.request(url, {
      method: 'GET',
      headers: [['accept', 'application/json']],
      maxBytes: MAX_BYTES,
      signal: AbortSignal.timeout(FETCH_TIMEOUT),
      sender: { organizationId: '', userId: 'client-metadata', credential: [] },
      admit,
    });
  } catch {
    return undefined;
  }
}

/** Undefined for an answer that says nothing about the client, such as 503 or a page of a proxy. */
function describedBy(
  clientId: string,
  { status, isTruncated, body }: EgressResponse,
): OauthClient | 'gone' | undefined {
  if (isGone({ status })) return 'gone';
  const document = status === 200 && !isTruncated ? parseObject(body) : undefined;
  if (document === undefined) return undefined;
  const parsed = dynamicClientSchema.safeParse(document);
  if (document.client_id !== clientId || !parsed.success) return 'gone';
  const { client_name: name, redirect_uris: redirectUris } = parsed.data;
  return { clientId, name: name || NAMELESS, redirectUris, application: undefined };
}

function isGone({ status }: Pick<EgressResponse, 'status'>): boolean {
  return status === 404 || status === 410;
}

function redirectUrisOf(described: Described | undefined): readonly string[] | undefined {
  return typeof described === 'object' ? described.redirectUris : undefined;
}

function parseObject(body: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Milliseconds (RFC 9111 section 5.2.2.1). */
function maxAgeOf({ headers }: EgressResponse): number {
  const [, seconds] =
    /(?:^|,)\s*max-age\s*=\s*"?(\d{1,9})/i.exec(headers['cache-control'] ?? '') ?? [];
  return Math.min(MAX_AGE, Math.max(MIN_AGE, Number(seconds ?? 0) * 1000));
}
