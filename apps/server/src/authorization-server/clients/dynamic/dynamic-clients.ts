import type { Egress } from '../../../egress/egress.ts';
import type { Db } from '../../../platform/database/store.ts';
import type { Applications } from '../applications.ts';
import type { OauthClient } from '../oauth-client.ts';
import { createMetadataDocuments, isDocumentUrl } from './metadata-document.ts';

/** Begins the client ids that we give to clients which register themselves. */
export const DYNAMIC_PREFIX = 'dyn_';

/** Clients that were not entered here. */
export interface DynamicClients {
  /** A registered one by one indexed read; one with a metadata document from memory, or by fetching it. */
  find(clientId: string): Promise<OauthClient | undefined>;
}

/** As long as a client id may be. */
const MAX_LENGTH = 2_048;

export interface DynamicClientsOptions {
  readonly db: Db;
  readonly egress: Pick<Egress, 'request'>;
  readonly applications: Pick<Applications, 'allowDynamicClients'>;
}

export function createDynamicClients(options: DynamicClientsOptions): DynamicClients {
  const { db, egress, applications } = options;
  const documents = createMetadataDocuments(egress);
  return {
    async find(clientId) {
      if (clientId.length > MAX_LENGTH) return undefined;
      if (clientId.startsWith(DYNAMIC_PREFIX)) return findStored(db, clientId);
      if (!isDocumentUrl(clientId)) return undefined;
      // Fetch nothing where no such client could be let in.
      const document = (await applications.allowDynamicClients())
        ? await documents.find(clientId)
        : undefined;
      // Kept since a person agreed to it: an outage of its host ends no refresh.
      return document ?? findStored(db, clientId);
    },
  };
}

async function findStored(db: Db, id: string): Promise<OauthClient | undefined> {
  const row = await db.dynamicClient.findUnique({ where: { id } });
  if (row === null) return undefined;
  const { name, redirectUris } = row;
  return { clientId: id, name, redirectUris, application: undefined };
}

/** Keeps a client to which a person agrees, as it is now, or notes that it is used. */
export async function keepDynamicClient(db: Db, client: OauthClient): Promise<void> {
  const { clientId: id, name, redirectUris } = client;
  const now = new Date();
  const row = { name, redirectUris: [...redirectUris], lastUsedAt: now };
  await db.dynamicClient.upsert({
    where: { id },
    create: { id, createdAt: now, ...row },
    update: row,
  });
}
