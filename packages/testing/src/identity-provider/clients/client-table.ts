import type { ProviderSettings } from '../settings.ts';
import type { ProviderClient, ProviderClientOptions } from './client.ts';
import { readMetadataDocument } from './metadata-document.ts';

/** The clients that a provider knows. */
export interface ClientTable {
  readonly all: readonly ProviderClient[];
  /** Of all clients that were ever known. */
  readonly secrets: readonly string[];
  add(client: ProviderClient): void;
  /** Returns whether it was known. */
  forget(clientId: string): boolean;
  /** A known client that has not expired. */
  find(clientId: string): ProviderClient | undefined;
  /**
   * Like {@link find}; reads the metadata document first if the id is the URL of one.
   *
   * @throws OauthError `invalid_client` if the document is not valid
   */
  resolve(clientId: string): Promise<ProviderClient | undefined>;
}

/** Creates the table. `settings` is called each time, as settings change. */
export function createClientTable(
  clients: readonly ProviderClientOptions[],
  settings: () => ProviderSettings,
  fetchDocument: typeof fetch,
): ClientTable {
  const known = new Map<string, ProviderClient>();
  const secrets: string[] = [];
  const add = (client: ProviderClient): void => {
    known.set(client.clientId, client);
    if (client.clientSecret !== undefined) secrets.push(client.clientSecret);
  };
  for (const client of clients) add({ ...client, source: 'static', expiresAt: null });

  const find = (clientId: string): ProviderClient | undefined => {
    const client = known.get(clientId);
    return client && (client.expiresAt ?? Number.POSITIVE_INFINITY) > Date.now()
      ? client
      : undefined;
  };

  return {
    get all() {
      return [...known.values()];
    },
    secrets,
    add,
    forget: (clientId) => known.delete(clientId),
    find,
    async resolve(clientId) {
      const client = find(clientId);
      const isDocument = /^https?:\/\//.test(clientId) && settings().clientIdMetadata;
      if (!isDocument || client?.source === 'static') return client;
      const read = await readMetadataDocument(clientId, fetchDocument);
      add(read);
      return read;
    },
  };
}
