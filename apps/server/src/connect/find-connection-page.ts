import { connectionColumns } from '../credentials/connections.ts';
import type { SignedInPerson } from '../identity/browser-sessions.ts';
import { oneRangeOf } from '../platform/database/index-range.ts';
import type { Db } from '../platform/database/store.ts';

export const PER_PAGE = 20;

/**
 * A page of a person's connections, newest first, and one row more if there is another page. Reads no more
 * rows than that, however many connections there are.
 *
 * @param before the id of the last connection on the page before
 */
export function findConnectionPage(
  db: Db,
  { userId }: Pick<SignedInPerson, 'userId'>,
  before: string | undefined,
) {
  return db.connection.findMany({
    where: { userId: oneRangeOf(userId), ...(before === undefined ? {} : { id: { lt: before } }) },
    select: { ...connectionColumns, id: true, integration: true },
    orderBy: [{ userId: 'asc' }, { id: 'desc' }],
    take: PER_PAGE + 1,
  });
}
