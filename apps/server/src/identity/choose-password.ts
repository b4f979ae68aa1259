import type { Db } from '../platform/database/store.ts';
import { deleteBrowserSessionsOf } from './browser-session-rows.ts';
import { deleteSignInLinks } from './sign-in-links.ts';

export interface ChosenPassword {
  readonly userId: string;
  /** By `hashPassword`, before the transaction. */
  readonly passwordHash: string;
  /** The hash that the present password was compared with; left out where a link allows the change. */
  readonly previousHash?: string | null;
}

/**
 * Stores a new password, in a transaction of its own or of the link that allows it. Every browser session
 * and every other link of the person end: somebody else may have them.
 *
 * @returns false when the member is gone or the password was changed meanwhile
 */
export async function storePassword(db: Db, chosen: ChosenPassword): Promise<boolean> {
  const { userId, passwordHash, previousHash } = chosen;
  const { count } = await db.user.updateMany({
    where: { id: userId, ...(previousHash === undefined ? {} : { passwordHash: previousHash }) },
    data: { passwordHash },
  });
  if (count === 0) return false;
  await deleteBrowserSessionsOf(db, userId);
  await deleteSignInLinks(db, userId);
  return true;
}
