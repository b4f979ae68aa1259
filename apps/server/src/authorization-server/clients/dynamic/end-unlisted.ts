import { service } from '../../../identity/actor.ts';
import { announceEnded, FEW } from '../../../identity/grants/end-grant.ts';
import { isNotAmong } from '../../../identity/grants/redirect-uris.ts';
import type { Store, Tx } from '../../../platform/database/store.ts';
import { revokeSessionsOfTokens } from '../../../sessions/revocation.ts';

/**
 * Ends the grants of a client with a metadata document that rest on a redirect URI which the document no longer
 * lists; a few in each transaction, so that each is announced.
 *
 * @param redirectUris empty when the document is gone
 */
export async function endUnlisted(
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
