import { Prisma } from '../generated/prisma/client.ts';

/** Which sessions `s` to read, of one application, person or organization. */
export interface SessionRange {
  readonly columns: Prisma.Sql;
  readonly condition: Prisma.Sql;
  /** The column that an index begins with, before the id. */
  readonly by: Prisma.Sql;
  readonly take: number;
}

/** Those that have not ended, newest first. */
export function openIn({ columns, condition, by, take }: SessionRange): Prisma.Sql {
  return Prisma.sql`
    SELECT ${columns} FROM "Session" s WHERE ${condition} AND s."state" = 'open'
    ORDER BY ${by}, s."id" DESC LIMIT ${take}`;
}

/**
 * Those in any state, newest first. Open ones and ended ones have an index each: one of both would be written at the
 * beginning of a session and once more at its end, in addition to the one of open rows.
 */
export function newestIn(range: SessionRange): Prisma.Sql {
  const { columns, condition, by, take } = range;
  return Prisma.sql`
    SELECT * FROM (
      (${openIn(range)}) UNION ALL (
        SELECT ${columns} FROM "Session" s WHERE ${condition} AND s."state" <> 'open'
        ORDER BY ${by}, s."id" DESC LIMIT ${take})
    ) "newest" ORDER BY "id" DESC LIMIT ${take}`;
}
