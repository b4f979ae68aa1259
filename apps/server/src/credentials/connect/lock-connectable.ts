import type { Integration } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database/store.ts';
import { ProblemError } from '../../platform/problem-error.ts';

/** A member, and the integration that they connect. */
export interface Connecting {
  readonly organizationId: string;
  readonly userId: string;
  readonly integrationId: string;
}

/**
 * Keeps member and integration as they are until the transaction ends.
 *
 * @returns null unless the integration is active and has this mode
 * @throws ProblemError `unauthenticated` when the member is gone
 */
export async function lockConnectable(
  db: Db,
  { organizationId, userId, integrationId: id }: Connecting,
  authMode: 'user_token' | 'oauth',
): Promise<Integration | null> {
  const members = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM "User" WHERE "id" = ${userId}::uuid FOR SHARE`;
  if (members.length !== 1) {
    throw new ProblemError('unauthenticated', 'You are no longer a member here.');
  }
  await db.$queryRaw`
    SELECT 1 FROM "Integration"
    WHERE "id" = ${id}::uuid AND "organizationId" = ${organizationId}::uuid FOR SHARE`;
  return db.integration.findFirst({ where: { id, organizationId, archivedAt: null, authMode } });
}
