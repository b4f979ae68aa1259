import type { Tx } from '../platform/database/store.ts';
import type { Actor } from './actor.ts';
import { deleteBrowserSessionsOf } from './browser-sessions.ts';
import { deleteSignInLinks } from './sign-in-links.ts';

export interface ChosenPassword {
  readonly userId: string;
  /** By `hashPassword`, before the transaction. */
  readonly passwordHash: string;
  /** The hash that the present password was compared with; left out where a link allows the change. */
  readonly previousHash?: string | null;
}

/**
 * Stores a new password, in its own transaction or that of the link that allows it. Ends the person's
 * browser sessions and other links, because someone else may have them.
 *
 * @returns false when the member is gone or the password has changed since
 */
export async function storePassword(
  { db, record, announce }: Pick<Tx, 'db' | 'record' | 'announce'>,
  chosen: ChosenPassword,
  actor: Actor,
): Promise<boolean> {
  const { userId, passwordHash, previousHash } = chosen;
  const { count } = await db.user.updateMany({
    where: { id: userId, ...(previousHash === undefined ? {} : { passwordHash: previousHash }) },
    data: { passwordHash },
  });
  if (count === 0) return false;
  await deleteBrowserSessionsOf({ db, announce }, userId);
  await deleteSignInLinks(db, userId);
  record({ action: 'member.password_set', actor, targetId: userId });
  return true;
}
