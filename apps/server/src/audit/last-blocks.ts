import { Prisma } from '../generated/prisma/client.ts';

/** `SELECT` of the last block `b` of each run, found from the run before it: the log is not read as a whole. */
export function selectLastBlocks(columns: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    WITH RECURSIVE "runs" ("run") AS (
      (SELECT "run" FROM "AuditBlock" ORDER BY "run" LIMIT 1)
      UNION ALL
      SELECT (SELECT b."run" FROM "AuditBlock" b WHERE b."run" > r."run" ORDER BY b."run" LIMIT 1)
      FROM "runs" r WHERE r."run" IS NOT NULL)
    SELECT last.* FROM "runs" r CROSS JOIN LATERAL (
      SELECT ${columns}
      FROM "AuditBlock" b WHERE b."run" = r."run" ORDER BY b."number" DESC LIMIT 1) last`;
}
