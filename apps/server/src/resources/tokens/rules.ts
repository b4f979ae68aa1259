import type { CreateTokenBody } from '@gatehouse/contract';
import { isAdmin, type PersonCaller } from '../../identity/caller.ts';
import { ProblemError } from '../../platform/problem-error.ts';

/** The tokens that a query may touch: those of one organization, or of one of its users. */
export interface RevocableTokens {
  readonly organizationId: string;
  readonly userId?: string;
}

/** Members may revoke their own tokens, admins and owners all tokens of the organization. */
export function revocableBy(actor: PersonCaller): RevocableTokens {
  const { organizationId, userId } = actor;
  return isAdmin(actor) ? { organizationId } : { organizationId, userId };
}

/**
 * A token can only grant scopes that it has, until it expires itself at the latest. An invitation can
 * grant all: it creates the first token of its member. So can the person at the console, who has signed in.
 *
 * @throws ProblemError `forbidden`
 */
export function requireGrantable(
  { via, scopes: own, expiresAt: ownExpiry }: PersonCaller,
  { scopes, expiresAt }: Pick<CreateTokenBody, 'scopes' | 'expiresAt'>,
): void {
  if (via.kind === 'invitation' || via.kind === 'browser_session') return;
  if (!scopes.every((scope) => own.includes(scope))) {
    throw new ProblemError(
      'forbidden',
      'A token cannot grant scopes that it does not have itself.',
    );
  }
  if (ownExpiry === null) return;
  if (expiresAt && new Date(expiresAt) <= ownExpiry) return;
  throw new ProblemError(
    'forbidden',
    'A token that expires cannot create one that expires later or never. Choose an earlier expiresAt.',
  );
}
