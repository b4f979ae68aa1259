import type { User } from '../../generated/prisma/client.ts';
import type { Role } from '../../generated/prisma/enums.ts';
import type { Actor } from '../../identity/actor.ts';
import { ProblemError } from '../../platform/problem-error.ts';

/** Only owners may grant or remove the role `owner`, or change an owner. @throws ProblemError `forbidden` */
export function requireMayChange(actor: Actor, member: Pick<User, 'role'>, role?: Role): void {
  if (actor.role === 'owner') return;
  if (member.role !== 'owner' && role !== 'owner') return;
  throw new ProblemError(
    'forbidden',
    'Only owners may change an owner, or grant or remove the owner role.',
  );
}
