import type { User } from '../../generated/prisma/client.ts';
import type { Role } from '../../generated/prisma/enums.ts';
import type { Actor } from '../../identity/actor.ts';
import { ProblemError } from '../../platform/problem-error.ts';

/** Only owners may change an owner. @throws ProblemError `forbidden` */
export function requireMayChange(actor: Actor, member: Pick<User, 'role'>): void {
  if (actor.role !== 'owner' && member.role === 'owner') throw ownersOnly();
}

/** Only owners may grant the role `owner`. @throws ProblemError `forbidden` */
export function requireMayGrant(actor: Actor, role: Role | undefined): void {
  if (actor.role !== 'owner' && role === 'owner') throw ownersOnly();
}

function ownersOnly(): ProblemError {
  return new ProblemError(
    'forbidden',
    'Only owners may change an owner, or grant or remove the owner role.',
  );
}
