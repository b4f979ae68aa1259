import { Prisma } from '../../generated/prisma/client.ts';
import type { Db, Tx } from '../../platform/database/store.ts';
import type { PersonActor } from '../actor.ts';

/** A person's grant, and one integration that it may come to cover. */
export interface Extension {
  readonly organizationId: string;
  readonly userId: string;
  readonly grantId: string;
  readonly integrationId: string;
}

/** A grant that may be extended, in terms that its person recognizes. */
export interface ExtendableGrant {
  readonly applicationName: string;
  /** The name that a dynamic client has given itself; null for the application's own client. */
  readonly clientName: string | null;
  readonly isCovered: boolean;
}

/**
 * A live grant of that person for all integrations of an application, to which the integration is attached. To handing
 * out a credential people agree where the client signs in: that page says so.
 */
function extendable(
  publicUrl: string,
  { organizationId, userId, grantId, integrationId }: Extension,
): Prisma.Sql {
  return Prisma.sql`
    g."id" = ${grantId}::uuid AND g."organizationId" = ${organizationId}::uuid
    AND g."userId" = ${userId}::uuid AND g."expiresAt" > clock_timestamp()
    AND ${`${publicUrl}/mcp/`} || g."applicationId"::text = ANY(g."resources")
    AND p."id" = g."applicationId" AND p."archivedAt" IS NULL
    AND a."applicationId" = g."applicationId" AND a."integrationId" = ${integrationId}::uuid
    AND i."id" = a."integrationId" AND i."category" = 'gateway_remote_mcp'`;
}

/** Undefined also for a grant of another person. @param publicUrl our origin */
export async function findExtendableGrant(
  db: Db,
  publicUrl: string,
  extension: Extension,
): Promise<ExtendableGrant | undefined> {
  const [grant] = await db.$queryRaw<ExtendableGrant[]>`
    SELECT p."name" AS "applicationName",
      CASE WHEN g."clientId" <> p."id"::text THEN COALESCE(d."name", g."clientId") END AS "clientName",
      i."id" = ANY(g."integrationIds") AS "isCovered"
    FROM "Application" p, "Attachment" a, "Integration" i,
      "Grant" g LEFT JOIN "DynamicClient" d ON d."id" = g."clientId"
    WHERE ${extendable(publicUrl, extension)}`;
  return grant;
}

/**
 * Adds an integration to a grant: its person agrees that the client uses it with their own credential. Does nothing if
 * the grant covers it already, or is no longer there.
 */
export async function extendGrant(
  tx: Tx,
  publicUrl: string,
  extension: Extension,
  actor: PersonActor,
): Promise<void> {
  const { userId, grantId, integrationId } = extension;
  const { db, announce, record } = tx;
  // As for a new grant: what is taken away meanwhile is seen by the statement below, or finds the grant as it is after.
  await db.$queryRaw`SELECT 1 FROM "User" WHERE "id" = ${userId}::uuid FOR SHARE`;
  await db.$queryRaw`
    SELECT 1 FROM "Application" WHERE "id" = (
      SELECT "applicationId" FROM "Grant" WHERE "id" = ${grantId}::uuid) FOR KEY SHARE`;
  const [extended] = await db.$queryRaw<{ applicationId: string; clientId: string }[]>`
    UPDATE "Grant" g SET "integrationIds" = array_append(g."integrationIds", i."id")
    FROM "Application" p, "Attachment" a, "Integration" i
    WHERE ${extendable(publicUrl, extension)} AND i."id" <> ALL(g."integrationIds")
    RETURNING g."applicationId", g."clientId"`;
  if (extended === undefined) return;
  announce({ kind: 'token', id: grantId });
  record({ action: 'grant.extended', actor, targetId: grantId, integrationId, ...extended });
}
