import type { Group } from '../../generated/prisma/client.ts';
import { isAdmin, type PersonCaller } from '../../identity/caller.ts';
import { ProblemError } from '../../platform/problem-error.ts';

/** The groups that a query may touch: all of one organization, or only those that a member is in. */
export interface GroupScope {
  readonly organizationId: string;
  readonly memberId?: string;
}

/** Admins and owners see every group, members those that they are in. */
export function visibleTo(actor: PersonCaller): GroupScope {
  const { organizationId, userId } = actor;
  return isAdmin(actor) ? { organizationId } : { organizationId, memberId: userId };
}

/** @throws ProblemError `managed_by_provider` if a claim decides who is in the group */
export function requireMembersByHand({ externalId }: Pick<Group, 'externalId'>): void {
  if (externalId === null) return;
  throw new ProblemError(
    'managed_by_provider',
    'Who is in this group follows the identity provider at each sign-in. Change it there, or set externalId to null.',
  );
}
