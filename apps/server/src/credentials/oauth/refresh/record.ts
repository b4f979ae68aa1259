import type { RefreshFailure } from '../../../generated/prisma/enums.ts';
import { service } from '../../../identity/actor.ts';
import type { Store, Tx } from '../../../platform/database/store.ts';
import type { Vault } from '../../../vault/vault.ts';
import type { TokensToRefresh } from './lease.ts';

/** Milliseconds after the first failure, and at most. */
const FIRST_RETRY = 1_000;
const LAST_RETRY = 60_000;

/** The longest delay that a provider can impose on the next attempt, in milliseconds. */
const MAX_RETRY_AFTER = 5 * 60_000;

/** The row that the write returns, for the announcement. */
interface Written {
  readonly integrationId: string;
  readonly userId: string;
  readonly organizationId: string;
}

/**
 * Stores new tokens if the old ones are still there, no matter which node holds the lease: the new ones are the only
 * valid ones.
 *
 * @returns false when the old ones are gone
 */
export async function recordTokens(
  store: Store,
  { connectionId, tokenVersion }: TokensToRefresh,
  { keyId, sealed }: ReturnType<Vault['seal']>,
  expiresAt: Date | null,
): Promise<boolean> {
  return store.transaction(async (tx) => {
    const rows = await tx.db.$queryRaw<Written[]>`
      UPDATE "Connection"
      SET "sealed" = ${sealed}, "keyId" = ${keyId}, "tokenVersion" = "tokenVersion" + 1,
        "expiresAt" = ${expiresAt}, "reason" = NULL, "leaseOwner" = NULL, "leaseUntil" = NULL,
        "retryAt" = NULL, "failedRefreshes" = 0, "refreshFailure" = NULL, "refreshedAt" = now()
      WHERE "id" = ${connectionId}::uuid AND "tokenVersion" = ${tokenVersion}
      RETURNING "integrationId", "userId", "organizationId"`;
    return announce(tx, rows);
  });
}

/**
 * The provider no longer refreshes this grant. Does nothing if the tokens have been replaced meanwhile.
 */
export async function recordEnd(
  store: Store,
  { connectionId, tokenVersion }: TokensToRefresh,
): Promise<boolean> {
  return store.transaction(async (tx) => {
    const rows = await tx.db.$queryRaw<Written[]>`
      UPDATE "Connection"
      SET "reason" = 'needs_reauth', "leaseOwner" = NULL, "leaseUntil" = NULL, "retryAt" = NULL,
        "refreshFailure" = NULL, "refreshedAt" = NULL
      WHERE "id" = ${connectionId}::uuid AND "tokenVersion" = ${tokenVersion}
      RETURNING "integrationId", "userId", "organizationId"`;
    for (const { integrationId, userId, organizationId } of rows) {
      tx.record({
        action: 'connection.needs_reauth',
        actor: service(organizationId, 'refresh'),
        targetId: `${integrationId}:${userId}`,
      });
    }
    return announce(tx, rows);
  });
}

/** A failure that says nothing about the grant: puts off the next attempt, longer each time, with jitter. */
export async function recordFailure(
  store: Store,
  { connectionId, tokenVersion }: TokensToRefresh,
  failure: RefreshFailure,
  retryAfter = 0,
): Promise<void> {
  const least = Math.min(retryAfter, MAX_RETRY_AFTER);
  const jitter = 0.5 + Math.random() / 2;
  await store.transaction(async (tx) => {
    const rows = await tx.db.$queryRaw<Written[]>`
      UPDATE "Connection"
      SET "retryAt" = now() + interval '1 millisecond' * greatest(${least}::float8,
          ${jitter}::float8 * least(${LAST_RETRY}::float8, ${FIRST_RETRY}::float8 * 2 ^ least("failedRefreshes", 10))),
        "failedRefreshes" = "failedRefreshes" + 1,
        "refreshFailure" = ${failure}::"RefreshFailure", "leaseOwner" = NULL, "leaseUntil" = NULL
      WHERE "id" = ${connectionId}::uuid AND "tokenVersion" = ${tokenVersion}
      RETURNING "integrationId", "userId", "organizationId"`;
    announce(tx, rows);
  });
}

function announce(tx: Tx, [row]: readonly Written[]): boolean {
  if (row === undefined) return false;
  tx.announce({ kind: 'connection', id: `${row.integrationId}:${row.userId}` });
  return true;
}
