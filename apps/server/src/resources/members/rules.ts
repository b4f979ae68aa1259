import { refusalTexts } from '@gatehouse/contract';
import type { User } from '../../generated/prisma/client.ts';
import type { Role } from '../../generated/prisma/enums.ts';
import { isAdmin, type PersonCaller } from '../../identity/caller.ts';
import { ProblemError } from '../../platform/problem-error.ts';

const RANK: Readonly<Record<Role, number>> = { member: 0, admin: 1, owner: 2 };

/** Only owners may change an owner. @throws ProblemError `forbidden` */
export function requireMayChange(actor: PersonCaller, member: Pick<User, 'role'>): void {
  if (actor.role !== 'owner' && member.role === 'owner') throw ownersOnly();
}

/** Only owners may grant the role `owner`. @throws ProblemError `forbidden` */
export function requireMayGrant(actor: PersonCaller, role: Role | undefined): void {
  if (actor.role !== 'owner' && role === 'owner') throw ownersOnly();
}

/**
 * Members may only revoke their own access. Only owners may revoke an owner's.
 *
 * @throws ProblemError `forbidden`
 */
export function requireMayRevokeAccess(actor: PersonCaller, id: string): void {
  if (isAdmin(actor) || id === actor.userId) return;
  throw new ProblemError(
    'forbidden',
    'Only admins and owners may revoke the access of another member.',
  );
}

/** True when the new role may do more than the old one. */
export function isPromotion(from: Role, to: Role): boolean {
  return RANK[to] > RANK[from];
}

function ownersOnly(): ProblemError {
  return new ProblemError('forbidden', refusalTexts.ownersOnly);
}
