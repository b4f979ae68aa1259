import { Prisma } from '../generated/prisma/client.ts';
import type { Store } from '../platform/database/store.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { hashSecret, newSecret } from '../platform/secrets.ts';
import type { OpeningAggregateSession } from './aggregate-session.ts';
import {
  endAggregateSessions,
  type FoundAggregateSession,
  findAggregateSession,
} from './aggregate-session-repository.ts';
import { insertionOf } from './aggregate-session-writer.ts';
import { lockApplication } from './repository.ts';

/**
 * The open session of that hash, or this one, which is thereby opened. Nodes that need it at the same moment open one
 * between them.
 *
 * @param ttl milliseconds of silence after which a session expires
 * @throws ProblemError `not_found` when the application is gone or archived
 */
export function openForToken(
  store: Store,
  ttl: number,
  opening: OpeningAggregateSession,
): Promise<FoundAggregateSession> {
  const { id, hash, place, caller, hello } = opening;
  return store.transaction(async (tx) => {
    const { db } = tx;
    await lockApplication(db, place.applicationId);
    const found = await findAggregateSession(db, hash);
    if (found !== undefined && found.silentFor < ttl) return found;
    const before = await db.aggregateSession.findUnique({ where: { hash }, select: { id: true } });
    if (before !== null) {
      await endAggregateSessions(tx, [before.id]);
      // Its hash is for the session that follows it.
      const data = { hash: hashSecret(newSecret()) };
      await db.aggregateSession.update({ where: { id: before.id }, data });
    }
    const opened = await db.$queryRaw<unknown[]>(insertionOf([opening], Prisma.empty));
    if (opened.length === 0) throw new ProblemError('not_found', 'The application was archived.');
    const { subjectId } = caller;
    const session = { id, ...place, subjectId, hello, logLevel: undefined, subscriptions: [] };
    return { session, silentFor: 0 };
  });
}
