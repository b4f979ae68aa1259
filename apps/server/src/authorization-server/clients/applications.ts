import type { Application } from '../../generated/prisma/client.ts';
import { type Cache, createCache } from '../../platform/changes/create-cache.ts';
import type { Store } from '../../platform/database/store.ts';
import type { ClientApplication } from './oauth-client.ts';

/** The applications that clients may use. */
export interface Applications {
  /** From memory, or by one indexed read. Undefined if it is unknown or archived. */
  find(id: string): Promise<ClientApplication | undefined>;
  /** Whether any application allows dynamic clients. One indexed read. */
  allowDynamicClients(): Promise<boolean>;
  close(): void;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MAX_CACHED = 10_000;

export function createApplications({ db, changes }: Pick<Store, 'db' | 'changes'>): Applications {
  const cache: Cache<ClientApplication | null> = createCache({ changes, maxEntries: MAX_CACHED });

  const load = async (id: string) => {
    const row = await db.application.findFirst({ where: { id, archivedAt: null } });
    return {
      value: row === null ? null : toClientApplication(row),
      dependsOn: [{ kind: 'application', id }] as const,
    };
  };

  return {
    async find(id) {
      if (!UUID.test(id)) return undefined;
      return (await cache.get(id, () => load(id))) ?? undefined;
    },
    async allowDynamicClients() {
      const [row] = await db.$queryRaw<unknown[]>`
        SELECT 1 FROM "Application" WHERE "allowDynamicClients" AND "archivedAt" IS NULL LIMIT 1`;
      return row !== undefined;
    },
    close: () => cache.close(),
  };
}

function toClientApplication(row: Application): ClientApplication {
  const { id, organizationId, ownerUserId, name, clientType, redirectUris, pkceRequired, scopes } =
    row;
  const { allowedResources, allowDynamicClients, aggregateMode, secretHash } = row;
  return {
    id,
    organizationId,
    ownerUserId,
    name,
    clientType,
    redirectUris,
    pkceRequired,
    scopes,
    allowedResources,
    allowDynamicClients,
    aggregateMode,
    secretHash: secretHash === null ? null : Buffer.from(secretHash).toString('base64'),
  };
}
