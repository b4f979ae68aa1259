import { Prisma } from '../generated/prisma/client.ts';

/** Which sessions `s` to read, of one application, person or organization. */
export interface SessionRange {
  readonly columns: Prisma.Sql;
  readonly condition: Prisma.Sql;
  /** The column that an index begins with, before the id. */
  readonly by: Prisma.Sql;
  readonly take: number;
}

/** Those in any state, newest first: of an application. */
export function sessionsIn({ columns, condition, by, take }: SessionRange): Prisma.Sql {
  return Prisma.sql`
    SELECT ${columns} FROM "Session" s WHERE ${condition} ORDER BY ${by}, "id" DESC LIMIT ${take}`;
}

/** Those that have not ended, newest first. */
export function openIn(range: SessionRange): Prisma.Sql {
  return sessionsIn({ ...range, condition: Prisma.sql`${range.condition} AND s."state" = 'open'` });
}

/**
 * The open ones and the ended ones, of a person or an organization. They have indexes apart: an index of both would be
 * written at the beginning of a session, in addition to that of open ones, and once more at its end.
 */
export function byState(range: SessionRange): Prisma.Sql[] {
  const hasEnded = Prisma.sql`${range.condition} AND s."state" <> 'open'`;
  return [openIn(range), sessionsIn({ ...range, condition: hasEnded })];
}
