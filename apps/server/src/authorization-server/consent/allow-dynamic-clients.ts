import type { PersonActor } from '../../identity/actor.ts';
import type { SignedInPerson } from '../../identity/browser-sessions.ts';
import type { Store } from '../../platform/database/store.ts';
import { ProblemError } from '../../platform/problem-error.ts';

/** Whether a person may change an application: its owner, and admins and owners of the organization. */
export function isApplicationManager(
  { userId, role }: Pick<SignedInPerson, 'userId' | 'role'>,
  { ownerUserId }: { readonly ownerUserId: string },
): boolean {
  return role !== 'member' || userId === ownerUserId;
}

/**
 * Lets dynamic clients use an application, for a person who manages it.
 *
 * @throws ProblemError `not_found`, `forbidden`
 */
export async function allowDynamicClients(
  store: Store,
  actor: PersonActor,
  applicationId: string,
): Promise<void> {
  const { userId, organizationId } = actor;
  await store.transaction(async ({ db, announce, record }) => {
    const [person] = await db.$queryRaw<{ role: SignedInPerson['role'] }[]>`
      SELECT "role"::text AS "role" FROM "User" WHERE "id" = ${userId}::uuid FOR SHARE`;
    const [application] = await db.$queryRaw<
      { ownerUserId: string; allowDynamicClients: boolean }[]
    >`
      SELECT "ownerUserId", "allowDynamicClients" FROM "Application"
      WHERE "id" = ${applicationId}::uuid AND "organizationId" = ${organizationId}::uuid
        AND "archivedAt" IS NULL FOR UPDATE`;
    if (person === undefined || application === undefined) {
      throw new ProblemError('not_found', 'The application is no longer there.');
    }
    if (!isApplicationManager({ userId, role: person.role }, application)) {
      throw new ProblemError('forbidden', 'Only those who manage the application may do this.');
    }
    if (application.allowDynamicClients) return;
    await db.application.update({
      where: { id: applicationId },
      data: { allowDynamicClients: true, version: { increment: 1 }, updatedAt: new Date() },
    });
    announce({ kind: 'application', id: applicationId });
    record({
      action: 'application.updated',
      actor,
      targetId: applicationId,
      changes: [{ field: 'allowDynamicClients', from: false, to: true }],
    });
  });
}
