import { randomUUID } from 'node:crypto';
import type { Db } from '../../../platform/database/store.ts';

/** Milliseconds for the request to the provider. */
export const REQUEST_TIMEOUT = 10_000;

/** Milliseconds that a lease lasts, by the database's clock: the request, and what precedes it. */
const LEASE = REQUEST_TIMEOUT + 5_000;

/** The tokens to replace. A refresh never acts on others. */
export interface TokensToRefresh {
  readonly connectionId: string;
  readonly tokenVersion: number;
}

/** The right of one process to refresh the tokens of one connection. */
export interface Lease extends TokensToRefresh {
  readonly owner: string;
  /** Whether a request that is sent now ends within the lease, also when this process was stopped for a while. */
  hasTimeForRequest(): boolean;
}

/**
 * One conditional write: no live lease, the same tokens, and the last failure long enough ago.
 *
 * @returns undefined if a condition fails
 */
export async function takeLease(
  db: Db,
  { connectionId, tokenVersion }: TokensToRefresh,
): Promise<Lease | undefined> {
  const owner = randomUUID();
  // Starts no later than the database's lease, so this process never overestimates the time left.
  const begun = performance.now();
  const taken = await db.$executeRaw`
    UPDATE "Connection"
    SET "leaseOwner" = ${owner}::uuid, "leaseUntil" = now() + ${LEASE} * interval '1 millisecond'
    WHERE "id" = ${connectionId}::uuid AND "tokenVersion" = ${tokenVersion} AND "mode" = 'oauth'
      AND ("leaseUntil" IS NULL OR "leaseUntil" <= now())
      AND ("retryAt" IS NULL OR "retryAt" <= now())`;
  if (taken === 0) return undefined;
  return {
    connectionId,
    tokenVersion,
    owner,
    hasTimeForRequest: () => performance.now() - begun <= LEASE - REQUEST_TIMEOUT,
  };
}

/** Gives up a lease without having sent anything. */
export async function returnLease(db: Db, { connectionId, owner }: Lease): Promise<void> {
  await db.$executeRaw`
    UPDATE "Connection" SET "leaseOwner" = NULL, "leaseUntil" = NULL
    WHERE "id" = ${connectionId}::uuid AND "leaseOwner" = ${owner}::uuid`;
}

/** The state of the tokens at another process. */
export type RefreshState =
  /** They have been replaced, or the connection is gone or no longer renewed. */
  | 'over'
  /** Another process is refreshing them. */
  | 'leased'
  /** A refresh has failed, and the next one must wait. */
  | 'waiting'
  | 'free';

export async function readRefreshState(
  db: Db,
  { connectionId, tokenVersion }: TokensToRefresh,
): Promise<RefreshState> {
  const [row] = await db.$queryRaw<{ isLeased: boolean; isWaiting: boolean }[]>`
    SELECT coalesce("leaseUntil" > now(), false) AS "isLeased",
      coalesce("retryAt" > now(), false) AS "isWaiting"
    FROM "Connection"
    WHERE "id" = ${connectionId}::uuid AND "tokenVersion" = ${tokenVersion} AND "mode" = 'oauth'
      AND "reason" IS DISTINCT FROM 'needs_reauth'`;
  if (row === undefined) return 'over';
  if (row.isLeased) return 'leased';
  return row.isWaiting ? 'waiting' : 'free';
}
