import type { TokenScope } from '@gatehouse/contract';
import { type Actor, isAdmin } from '../../identity/actor.ts';
import { ProblemError } from '../../platform/problem-error.ts';

/** Whose token the actor may revoke: one's own; owners and admins, any of the organization. */
export function revocable(actor: Actor, id: string) {
  const { organizationId, userId } = actor;
  return isAdmin(actor) ? { organizationId, id } : { organizationId, id, userId };
}

/** A token cannot make one that may do more than itself; an invitation opens the account, so it may grant all. */
export function requireGrantable(actor: Actor, scopes: readonly TokenScope[]): void {
  if (actor.tokenKind === 'invitation') return;
  if (scopes.every((scope) => actor.scopes.includes(scope))) return;
  throw new ProblemError('forbidden', 'A token cannot grant scopes that it does not have itself.');
}
