import type { EventActor } from '@gatehouse/contract';
import { Prisma } from '../generated/prisma/client.ts';
import type { Db, Tx } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import { tokenBlocked } from './blocked-tokens.ts';
import type { SessionCaller, SessionRoute } from './open-session.ts';
import { interval } from './sql.ts';
import type { SessionWindows } from './windows.ts';

/** Milliseconds that a credential may be used before its holder asks again. */
const LEASE_TTL = 5 * 60_000;

/** The lease of a credential that was handed out. */
export interface Lease {
  readonly id: string;
  readonly expiresAt: Date;
}

/** The attachment that a lease is for. */
export type LeaseRoute = Pick<
  SessionRoute,
  'organizationId' | 'applicationId' | 'integrationId' | 'attachmentId'
>;

/**
 * Writes a lease. The transaction has locked what it depends on.
 *
 * @param endsAt when the credential itself expires, if that is known
 * @throws ProblemError `forbidden` with Retry-After while a lease that was revoked by itself blocks the
 *   token on the attachment
 */
export async function insertLease(
  db: Db,
  { organizationId, applicationId, integrationId, attachmentId }: LeaseRoute,
  { subjectId, bearerId }: SessionCaller,
  endsAt: Date | undefined,
): Promise<Lease> {
  const blockedFor = await findBlock(db, attachmentId, bearerId);
  if (blockedFor !== undefined) throw tokenBlocked(blockedFor, 'lease');
  const { id, createdAt } = createId();
  const [lease] = await db.$queryRaw<[Lease]>`
    INSERT INTO "CredentialLease" ("id", "organizationId", "applicationId", "integrationId",
      "attachmentId", "userId", "tokenId", "createdAt", "expiresAt")
    VALUES (${id}::uuid, ${organizationId}::uuid, ${applicationId}::uuid, ${integrationId}::uuid,
      ${attachmentId}::uuid, ${subjectId}::uuid, ${bearerId}::uuid, ${createdAt}::timestamptz,
      LEAST(${endsAt ?? null}::timestamptz, now() + ${interval(LEASE_TTL)}))
    RETURNING "id", "expiresAt"`;
  return lease;
}

/** Milliseconds that the token gets no lease on the attachment. */
async function findBlock(
  db: Db,
  attachmentId: string,
  bearerId: string,
): Promise<number | undefined> {
  const [row] = await db.$queryRaw<{ readonly left: number }[]>`
    SELECT (extract(epoch FROM "refusedUntil" - now()) * 1000)::float8 AS "left"
    FROM "CredentialLease"
    WHERE "tokenId" = ${bearerId}::uuid AND "attachmentId" = ${attachmentId}::uuid
      AND "refusedUntil" IS NOT NULL AND "refusedUntil" > now()
    ORDER BY "refusedUntil" DESC LIMIT 1`;
  return row?.left;
}

/** The lease has neither been revoked nor expired. */
export const isLasting = Prisma.sql`("endedAt" IS NULL AND "expiresAt" > now())`;

/** Revokes the leases that still last. Returns their number. @param condition on the columns of the table */
export function revokeLeases(db: Db, condition: Prisma.Sql): Promise<number> {
  return db.$executeRaw`
    UPDATE "CredentialLease" SET "endedAt" = now() WHERE ${condition} AND ${isLasting}`;
}

/**
 * Revokes one lease. Its holder could simply ask again, so it gets no other one on that attachment for as
 * long as a modern session lasts without activity.
 *
 * @returns false when the application has no such lease; one that has already ended is not changed
 */
export async function revokeLease(
  tx: Tx,
  { id, applicationId }: { readonly id: string; readonly applicationId: string },
  { modernTtl }: SessionWindows,
  actor: EventActor,
): Promise<boolean> {
  const revoked = await tx.db.$executeRaw`
    UPDATE "CredentialLease"
    SET "endedAt" = now(), "refusedUntil" = now() + ${interval(modernTtl)}
    WHERE "id" = ${id}::uuid AND "applicationId" = ${applicationId}::uuid AND ${isLasting}`;
  if (revoked === 0)
    return (await tx.db.credentialLease.count({ where: { id, applicationId } })) > 0;
  tx.record({ action: 'lease.revoked', actor, targetId: id, applicationId });
  return true;
}
