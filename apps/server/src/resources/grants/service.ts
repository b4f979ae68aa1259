import { actorOfCaller, isAdmin, type PersonCaller } from '../../identity/caller.ts';
import { endGrant as endGrantRow, type GrantScope } from '../../identity/grants/end-grant.ts';
import type { Mutation } from '../../identity/mutation.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { revokeSessionsOfToken } from '../../sessions/revocation.ts';

/** Also ends the sessions that are the grant's activity, which announces it. @throws ProblemError `not_found` */
export async function endGrant({ tx, actor }: Mutation, id: string): Promise<void> {
  if (!(await endGrantRow(tx, endableBy(actor), id, actorOfCaller(actor)))) {
    throw new ProblemError('not_found', 'There is no such grant.');
  }
  await revokeSessionsOfToken(tx, id);
}

/** Members may end their own grants, admins and owners all of the organization. */
function endableBy(actor: PersonCaller): GrantScope {
  const { organizationId, userId } = actor;
  return isAdmin(actor) ? { organizationId } : { organizationId, userId };
}
