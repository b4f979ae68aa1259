import { type Actor, isAdmin } from '../../identity/actor.ts';
import type { GrantScope } from '../../identity/grants/end-grant.ts';

/** Members may end their own grants, admins and owners all of the organization. */
export function endableBy(actor: Actor): GrantScope {
  const { organizationId, userId } = actor;
  return isAdmin(actor) ? { organizationId } : { organizationId, userId };
}
