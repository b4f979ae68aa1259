import type { TokenScope } from '@gatehouse/contract';
import { type Actor, isAdmin } from '../../identity/actor.ts';
import { ProblemError } from '../../platform/problem-error.ts';

/** The tokens that a query may touch: those of one organization, or of one of its users. */
export interface RevocableTokens {
  readonly organizationId: string;
  readonly userId?: string;
}

/** Members may revoke their own tokens, admins and owners all tokens of the organization. */
export function revocableBy(actor: Actor): RevocableTokens {
  const { organizationId, userId } = actor;
  return isAdmin(actor) ? { organizationId } : { organizationId, userId };
}

/**
 * A token can only grant scopes that it has. An invitation can grant all: it creates the first token
 * of its member.
 *
 * @throws ProblemError `forbidden`
 */
export function requireGrantable(actor: Actor, scopes: readonly TokenScope[]): void {
  if (actor.tokenKind === 'invitation') return;
  if (scopes.every((scope) => actor.scopes.includes(scope))) return;
  throw new ProblemError('forbidden', 'A token cannot grant scopes that it does not have itself.');
}
