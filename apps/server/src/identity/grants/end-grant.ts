import type { Tx } from '../../platform/database/store.ts';

import type { Actor } from '../actor.ts';

/** The grants that a query may touch: those of one organization, or of one of its users. */
export interface GrantScope {
  readonly organizationId: string;
  readonly userId?: string;
}

/**
 * Ends one grant with its tokens, and forgets that the person agreed: otherwise the client would get the
 * next grant without a question. The caller announces the grant, and ends the sessions that are its activity.
 *
 * @returns false when there is no such grant
 */
export async function endGrant(
  { db, record }: Pick<Tx, 'db' | 'record'>,
  scope: GrantScope,
  id: string,
  actor: Actor,
): Promise<boolean> {
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
  if (ended.length === 0) return false;
  record({ action: 'grant.ended', actor, targetId: id });
  return true;
}

/** More than these are not announced one by one: a notification has little room. */
export const FEW = 50;

/**
 * Announces ended grants, by the ids that callers and sessions know as token ids. Many grants need no
 * announcement of each: their application or member is announced too.
 */
export function announceEnded(tx: Tx, grantIds: readonly string[]): void {
  if (grantIds.length > FEW) return;
  tx.announce(...grantIds.map((id) => ({ kind: 'token', id }) as const));
}
