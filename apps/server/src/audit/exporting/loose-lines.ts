import { Prisma } from '../../generated/prisma/client.ts';
import { NIL } from '../../platform/database/index-range.ts';
import type { Db } from '../../platform/database/store.ts';
import type { ExportRequest } from './export-request.ts';
import { eventLine } from './run-lines.ts';

const BATCH = 500;

/** Management events that are in no block: those of the last second, and those that name a block which is not there. */
export async function* looseLines(
  db: Db,
  { organizationId, to }: ExportRequest,
): AsyncGenerator<string> {
  if (to !== undefined) return;
  const ofOrganization =
    organizationId === null
      ? Prisma.empty
      : Prisma.sql`AND e."organizationId" = ${organizationId}::uuid`;
  let after = NIL;
  for (;;) {
    const rows = await db.$queryRaw<{ readonly id: string; readonly event: string }[]>`
      SELECT e."id", e."event" FROM "AuditEvent" e
      WHERE e."id" > ${after}::uuid ${ofOrganization} AND (e."blockNumber" IS NULL OR NOT EXISTS (
        SELECT 1 FROM "AuditBlock" b WHERE b."run" = e."blockRun" AND b."number" = e."blockNumber"))
      ORDER BY e."id" LIMIT ${BATCH}`;
    for (const { event } of rows) yield eventLine(event);
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last.id;
  }
}
