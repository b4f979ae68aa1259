import type { Db } from '../../platform/database/store.ts';
import type { ExportLine } from '../export-lines.ts';

type Head = ExportLine['heads'][number];

interface HeadRow extends Omit<Head, 'state'> {
  readonly ends: boolean;
  readonly isRunning: boolean;
}

/**
 * The last block of each run, found from the run before it. A run without a last block is live while a node of its name
 * runs.
 */
export async function readRunHeads(db: Db): Promise<Head[]> {
  const rows = await db.$queryRaw<HeadRow[]>`
    WITH RECURSIVE "runs" ("run") AS (
      (SELECT "run" FROM "AuditBlock" ORDER BY "run" LIMIT 1)
      UNION ALL
      SELECT (SELECT b."run" FROM "AuditBlock" b WHERE b."run" > r."run" ORDER BY b."run" LIMIT 1)
      FROM "runs" r WHERE r."run" IS NOT NULL)
    SELECT h.*, EXISTS (
        SELECT 1 FROM "Node" n WHERE n."name" = h."node" AND n."leaseUntil" > now()) AS "isRunning"
    FROM "runs" r CROSS JOIN LATERAL (
      SELECT b."run", b."node", b."number", b."hash", b."ends"
      FROM "AuditBlock" b WHERE b."run" = r."run" ORDER BY b."number" DESC LIMIT 1) h`;
  return rows.map(({ ends, isRunning, run, node, number, hash }) => ({
    ...{ run, node, number, hash },
    state: ends ? 'ended' : isRunning ? 'live' : 'crashed',
  }));
}
