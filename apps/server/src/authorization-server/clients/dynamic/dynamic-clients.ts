import type { Egress } from '../../../egress/egress.ts';
import { service } from '../../../identity/actor.ts';
import { announceEnded, FEW } from '../../../identity/grants/end-grant.ts';
import { isNotAmong } from '../../../identity/grants/end-outside-settings.ts';
import type { Db, Store, Tx } from '../../../platform/database/store.ts';
import { revokeSessionsOfTokens } from '../../../sessions/revocation.ts';
import type { Applications } from '../applications.ts';
import type { OauthClient } from '../oauth-client.ts';
import { createMetadataDocuments, isDocumentUrl } from './metadata-document.ts';

/** The prefix of client ids from registration. */
export const DYNAMIC_PREFIX = 'dyn_';

/** Finds clients that were not entered here. */
export interface DynamicClients {
  /**
   * Finds a registered client by one indexed read, and one with a metadata document in memory or by a
   * fetch.
   *
   * @param source the address block of the caller
   */
  find(clientId: string, source: string): Promise<OauthClient | undefined>;
}

/** The longest client id. */
const MAX_LENGTH = 2_048;

export interface DynamicClientsOptions {
  readonly store: Store;
  readonly egress: Pick<Egress, 'request'>;
  readonly applications: Pick<Applications, 'allowDynamicClients'>;
}

export function createDynamicClients(options: DynamicClientsOptions): DynamicClients {
  const { store, egress, applications } = options;
  const { db } = store;
  const documents = createMetadataDocuments(egress, (clientId, listed) =>
    followDocument(store, clientId, listed),
  );
  return {
    async find(clientId, source) {
      if (clientId.length > MAX_LENGTH) return undefined;
      if (clientId.startsWith(DYNAMIC_PREFIX)) return findStoredClient(db, clientId);
      if (!isDocumentUrl(clientId)) return undefined;
      // No fetch if no application allows dynamic clients.
      const described = (await applications.allowDynamicClients())
        ? await documents.find(clientId, source)
        : 'unknown';
      if (described === 'gone') return undefined;
      // Stored when a person agreed to it, so an outage of the document's host does not end refreshes.
      return described === 'unknown' ? findStoredClient(db, clientId) : described;
    },
  };
}

/** A client as it was when it registered, or when a person last agreed to its document. */
export async function findStoredClient(db: Db, id: string): Promise<OauthClient | undefined> {
  const row = await db.dynamicClient.findUnique({ where: { id } });
  if (row === null) return undefined;
  const { name, redirectUris } = row;
  return { clientId: id, name, redirectUris, application: undefined };
}

/** Ends what rests on a redirect URI that the document of a client listed when a person agreed, and lists no more. */
async function followDocument(
  store: Store,
  clientId: string,
  listed: readonly string[],
): Promise<void> {
  const kept = await findStoredClient(store.db, clientId);
  if (kept === undefined || kept.redirectUris.every((uri) => listed.includes(uri))) return;
  await endUnlisted(store, clientId, listed);
  await store.db.dynamicClient.updateMany({
    where: { id: clientId },
    data: { redirectUris: [...listed] },
  });
}

/** Stores the current metadata of a client that a person agrees to, and that it was used. */
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

/**
 * Ends the grants of a client with a metadata document that rest on a redirect URI which the document no longer
 * lists; a few in each transaction, so that each is announced.
 *
 * @param redirectUris empty when the document is gone
 */
async function endUnlisted(
  store: Store,
  clientId: string,
  redirectUris: readonly string[],
): Promise<void> {
  let ended: number;
  do {
    ended = await store.transaction((tx) => endFew(tx, clientId, redirectUris));
  } while (ended === FEW);
}

interface EndedGrant {
  readonly id: string;
  readonly organizationId: string;
}

async function endFew(tx: Tx, clientId: string, redirectUris: readonly string[]): Promise<number> {
  const ended = await tx.db.$queryRaw<EndedGrant[]>`
    DELETE FROM "Grant" WHERE "id" IN (
      SELECT "id" FROM "Grant"
      WHERE "clientId" = ${clientId} AND ${isNotAmong(redirectUris)}
      LIMIT ${FEW} FOR UPDATE)
    RETURNING "id", "organizationId"`;
  const ids = ended.map(({ id }) => id);
  for (const { id: targetId, organizationId } of ended) {
    const actor = service(organizationId, 'client_document');
    tx.record({ action: 'grant.ended', actor, targetId });
  }
  announceEnded(tx, ids);
  await revokeSessionsOfTokens(tx, ids);
  return ids.length;
}
