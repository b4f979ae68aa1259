import { connectionColumns } from '../credentials/connections.ts';
import type { SignedInPerson } from '../identity/browser-sessions.ts';
import { oneRangeOf } from '../platform/database/index-range.ts';
import type { Db } from '../platform/database/store.ts';

export const PER_PAGE = 20;

/**
 * What a person has connected, newest first: a page, and one row more if there is another page. It
 * reads no more rows than that, however many this person or others have connected.
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
