import type { Application } from '../generated/prisma/client.ts';
import type { Cache } from '../platform/changes/cache.ts';
import { createCache } from '../platform/changes/create-cache.ts';
import type { Store } from '../platform/database/store.ts';

/** An application as an OAuth client; its id is the client id. */
export type ApplicationClient = Pick<
  Application,
  | 'id'
  | 'organizationId'
  | 'name'
  | 'clientType'
  | 'redirectUris'
  | 'pkceRequired'
  | 'scopes'
  | 'allowedResources'
> & {
  /** SHA-256 of the client secret in base64; null while there is none. */
  readonly secretHash: string | null;
};

/** The clients of the authorization server. */
export interface Clients {
  /** From memory, or by one indexed read. Undefined if it is unknown or archived. */
  find(clientId: string): Promise<ApplicationClient | undefined>;
  close(): void;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MAX_CACHED = 10_000;

export function createClients({ db, changes }: Pick<Store, 'db' | 'changes'>): Clients {
  const cache: Cache<ApplicationClient | undefined> = createCache({
    changes,
    maxEntries: MAX_CACHED,
  });

  const load = async (id: string) => {
    const row = await db.application.findFirst({ where: { id, archivedAt: null } });
    return {
      value: row === null ? undefined : toClient(row),
      dependsOn: [{ kind: 'application', id }] as const,
    };
  };

  return {
    find: async (clientId) =>
      UUID.test(clientId) ? cache.get(clientId, () => load(clientId)) : undefined,
    close: () => cache.close(),
  };
}

function toClient(row: Application): ApplicationClient {
  const { id, organizationId, name, clientType, redirectUris, pkceRequired, scopes } = row;
  const { allowedResources, secretHash } = row;
  return {
    id,
    organizationId,
    name,
    clientType,
    redirectUris,
    pkceRequired,
    scopes,
    allowedResources,
    secretHash: secretHash === null ? null : Buffer.from(secretHash).toString('base64'),
  };
}
