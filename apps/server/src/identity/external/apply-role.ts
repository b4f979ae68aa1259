import type { Role } from '../../generated/prisma/enums.ts';
import type { Tx } from '../../platform/database/store.ts';
import { deleteSignInLinks } from '../sign-in-links.ts';

/**
 * Gives a member the role that the provider says. Owners stay what they are. A promotion ends what an
 * admin does by a promotion too: invitations and links that are out. The organization must be locked.
 */
export async function applyRole(
  tx: Tx,
  userId: string,
  role: Exclude<Role, 'owner'>,
): Promise<void> {
  const changed = await tx.db.$executeRaw`
    UPDATE "User" SET "role" = ${role}::"Role"
    WHERE "id" = ${userId}::uuid AND "role" NOT IN ('owner', ${role}::"Role")`;
  if (changed === 0) return;
  tx.announce({ kind: 'member', id: userId });
  if (role === 'member') return;
  await deleteSignInLinks(tx.db, userId);
  await tx.db.token.deleteMany({ where: { userId, kind: 'invitation' } });
}
