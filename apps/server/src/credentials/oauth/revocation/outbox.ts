import {
  type Connection,
  Prisma,
  type UpstreamRevocation,
} from '../../../generated/prisma/client.ts';
import type { ConnectionMode, RevocationStatus } from '../../../generated/prisma/enums.ts';
import { service } from '../../../identity/actor.ts';
import type { Db, Store, Tx } from '../../../platform/database/store.ts';
import { createId } from '../../../platform/ids.ts';
import { revocationSealContext } from '../../../vault/seal-contexts.ts';
import type { Vault } from '../../../vault/vault.ts';
import { type OauthGrant, serializeGrant } from '../grant.ts';

/** A connection that was deleted. */
export interface DeletedConnection {
  readonly integrationId: string;
  readonly userId: string;
  readonly mode: ConnectionMode;
}

/**
 * Deletes connections, in one statement. The tokens of OAuth ones move to the outbox as they are sealed, so
 * that nothing has to be decrypted while rows are locked. Workers hear of them after the commit.
 */
export async function deleteConnections(tx: Tx, where: Prisma.Sql): Promise<DeletedConnection[]> {
  const deleted = await tx.db.$queryRaw<DeletedConnection[]>`
    WITH deleted AS (DELETE FROM "Connection" WHERE ${where} RETURNING *),
    moved AS (
      INSERT INTO "UpstreamRevocation" ("id", "organizationId", "integrationId", "userId", "destination",
        "sealed", "keyId", "createdAt", "nextAttemptAt")
      SELECT "id", "organizationId", "integrationId", "userId", "destination", "sealed", "keyId", now(), now()
      FROM deleted WHERE "mode" = 'oauth'
    )
    SELECT "integrationId", "userId", "mode" FROM deleted`;
  for (const { integrationId, userId, mode } of deleted) {
    if (mode === 'oauth') announceRevocation(tx, { integrationId, userId });
  }
  return deleted;
}

function announceRevocation(
  tx: Tx,
  { integrationId, userId }: Pick<Connection, 'integrationId' | 'userId'>,
): void {
  tx.announce({ kind: 'revocation', id: `${integrationId}:${userId}` });
}

/** Tokens that were obtained for a connection which is gone. Workers hear of them after the commit. */
export async function enqueueTokens(
  store: Pick<Store, 'transaction'>,
  vault: Vault,
  connection: Pick<Connection, 'organizationId' | 'integrationId' | 'userId' | 'destination'>,
  grant: OauthGrant,
): Promise<void> {
  const { organizationId, integrationId, userId, destination } = connection;
  const row = { ...createId(), organizationId, integrationId, userId, destination };
  const sealed = vault.seal(serializeGrant(grant), revocationSealContext(row));
  const data = { ...row, ...sealed, nextAttemptAt: row.createdAt };
  await store.transaction(async (tx) => {
    await tx.db.upstreamRevocation.create({ data });
    announceRevocation(tx, row);
  });
}

/**
 * Minutes until the next attempt, after each one. After the last attempt, minutes until another node
 * considers it lost.
 */
const PAUSES = [1, 5, 15, 39, 2];

/** Attempts in all. */
export const MAX_ATTEMPTS = PAUSES.length;

/** Takes revocations that are due and puts off their next attempt: no other node makes the same one. */
export function takeRevocations(db: Db, limit: number): Promise<UpstreamRevocation[]> {
  return db.$queryRaw<UpstreamRevocation[]>`
    UPDATE "UpstreamRevocation"
    SET "attempts" = "attempts" + 1, "nextAttemptAt" = now() + interval '1 minute'
      * (ARRAY[${Prisma.join(PAUSES)}]::int[])[least("attempts" + 1, ${MAX_ATTEMPTS}::int)]
    WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "UpstreamRevocation" WHERE "nextAttemptAt" <= now()
      ORDER BY "nextAttemptAt" LIMIT ${limit} FOR UPDATE SKIP LOCKED))
    RETURNING *`;
}

/** How a revocation ends. */
export type RevocationOutcome = Exclude<RevocationStatus, 'pending'>;

/** Erases the tokens. */
export async function finishRevocation(
  { db, record }: Pick<Tx, 'db' | 'record'>,
  { id, organizationId, integrationId, userId }: UpstreamRevocation,
  status: RevocationOutcome,
): Promise<void> {
  const finished = await db.$executeRaw`
    UPDATE "UpstreamRevocation" SET "status" = ${status}::"RevocationStatus", "finishedAt" = now(),
      "nextAttemptAt" = NULL, "sealed" = NULL, "keyId" = NULL
    WHERE "id" = ${id}::uuid AND "status" = 'pending'`;
  if (finished === 0) return;
  const actor = service(organizationId, 'revocation');
  const targetId = `${integrationId}:${userId}`;
  record({ action: 'connection.revocation_ended', actor, targetId, status });
}

/** The outcome at the provider for the person's last grant. */
export interface LastRevocation {
  readonly status: RevocationStatus;
  readonly at: Date;
}

export async function findLastRevocation(
  db: Db,
  integrationId: string,
  userId: string,
): Promise<LastRevocation | undefined> {
  const row = await db.upstreamRevocation.findFirst({
    where: { integrationId, userId },
    orderBy: { id: 'desc' },
    select: { status: true, createdAt: true, finishedAt: true },
  });
  return row === null ? undefined : { status: row.status, at: row.finishedAt ?? row.createdAt };
}
