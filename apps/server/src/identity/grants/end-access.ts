import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database/store.ts';

/*
 * Ends all grants of an application or a member. The caller has locked that row, which every write of a
 * grant, token or consent waits for, and announces it instead of each grant.
 */

/**
 * The number of rows that still worked and have ended. Expired and used rows are deleted too, and not
 * counted.
 */
export interface EndedAccess {
  /** Access and refresh tokens. Authorization codes end as well, but are no tokens yet. */
  readonly tokens: number;
  readonly grants: number;
  /** Remembered consents. */
  readonly consents: number;
}

/** Includes the tokens that the application got for itself, by client credentials. */
export function endAccessOfApplication(db: Db, applicationId: string): Promise<EndedAccess> {
  const isOfApplication = Prisma.sql`"applicationId" = ${applicationId}::uuid`;
  return endAccess(db, { rows: isOfApplication, tokens: isOfApplication });
}

export function endAccessOfMember(db: Db, userId: string): Promise<EndedAccess> {
  const isOfMember = Prisma.sql`"userId" = ${userId}::uuid`;
  const grantIds = Prisma.sql`SELECT "id" FROM "Grant" WHERE ${isOfMember}`;
  return endAccess(db, {
    rows: isOfMember,
    tokens: Prisma.sql`"grantId" = ANY(ARRAY(${grantIds}))`,
  });
}

/** @param conditions on grants and consents, and on tokens */
async function endAccess(
  db: Db,
  { rows, tokens }: { readonly rows: Prisma.Sql; readonly tokens: Prisma.Sql },
): Promise<EndedAccess> {
  const [ended] = await db.$queryRaw<[EndedAccess]>`
    WITH "tokens" AS (
      DELETE FROM "OauthToken" WHERE ${tokens}
      RETURNING "kind" <> 'code' AND "consumedAt" IS NULL AND "expiresAt" > now() AS "worked"
    ), "grants" AS (
      DELETE FROM "Grant" WHERE ${rows} RETURNING "expiresAt" > now() AS "worked"
    ), "consents" AS (
      DELETE FROM "Consent" WHERE ${rows} RETURNING true
    )
    SELECT (SELECT count(*) FILTER (WHERE "worked") FROM "tokens")::int AS "tokens",
      (SELECT count(*) FILTER (WHERE "worked") FROM "grants")::int AS "grants",
      (SELECT count(*) FROM "consents")::int AS "consents"`;
  return ended;
}
