import type { Application } from '../../generated/prisma/client.ts';
import { type Actor, isAdmin } from '../../identity/actor.ts';
import { ProblemError } from '../../platform/problem-error.ts';

/** The applications a query may touch: of one organization, of one owner if one is named. */
export interface ApplicationScope {
  readonly organizationId: string;
  readonly ownerUserId?: string;
}

/** Members see their own applications, and may do everything with them; admins and owners all. */
export function visibleTo(actor: Actor): ApplicationScope {
  return isAdmin(actor) ? { organizationId: actor.organizationId } : ownedBy(actor);
}

/** What a list holds. @throws ProblemError `forbidden` when a member asks for all. */
export function listedFor(actor: Actor, all: boolean): ApplicationScope {
  if (all && !isAdmin(actor)) {
    throw new ProblemError(
      'forbidden',
      'Only admins and owners may list the applications of others.',
    );
  }
  return all ? { organizationId: actor.organizationId } : ownedBy(actor);
}

export function canModify(
  actor: Actor,
  { ownerUserId, archivedAt }: Pick<Application, 'ownerUserId' | 'archivedAt'>,
): boolean {
  return archivedAt === null && (isAdmin(actor) || ownerUserId === actor.userId);
}

function ownedBy({ organizationId, userId }: Actor): ApplicationScope {
  return { organizationId, ownerUserId: userId };
}
