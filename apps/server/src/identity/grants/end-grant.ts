import type { Db } from '../../platform/database/store.ts';

/** The grants that a query may touch: those of one organization, or of one of its users. */
export interface GrantScope {
  readonly organizationId: string;
  readonly userId?: string;
}

/**
 * Ends one grant with its tokens, and forgets that the person agreed: otherwise the client would get the
 * next grant without a question. The caller announces the grant.
 *
 * @returns false when there is no such grant
 */
export async function endGrant(db: Db, scope: GrantScope, id: string): Promise<boolean> {
  const { organizationId, userId } = scope;
  const ended = await db.$queryRaw<unknown[]>`
    WITH "ended" AS (
      DELETE FROM "Grant"
      WHERE "id" = ${id}::uuid AND "organizationId" = ${organizationId}::uuid
        AND "userId" = COALESCE(${userId ?? null}::uuid, "userId")
      RETURNING "id", "userId", "clientId", "applicationId"
    ), "forgotten" AS (
      DELETE FROM "Consent" c USING "ended" e
      WHERE c."userId" = e."userId" AND c."clientId" = e."clientId"
        AND c."applicationId" = e."applicationId"
    )
    SELECT "id" FROM "ended"`;
  return ended.length === 1;
}
