import { Prisma } from '../../generated/prisma/client.ts';
import { NIL } from '../../platform/database/index-range.ts';
import type { Db } from '../../platform/database/store.ts';
import type { EventRow } from '../../platform/events/write-events.ts';
import { smallestIdAt } from '../../platform/ids.ts';
import type { ExportLine } from '../export-lines.ts';
import type { ExportRequest } from './export-request.ts';

const BATCH = 500;

/** Milliseconds by which clocks of nodes may differ. */
const SKEW = 120_000;

const COLUMNS = Prisma.sql`
  e."id", e."organizationId", e."action", e."actorId", e."concerns", e."event", e."run"`;

/**
 * Management events that are in no block of an export: those of the last second, also if a block has taken them in since
 * the first line was written, and those that name a block which is not there.
 */
export async function* looseEvents(
  db: Db,
  request: ExportRequest,
  first: Pick<ExportLine, 'at' | 'heads'>,
): AsyncGenerator<EventRow> {
  if (request.to !== undefined) return;
  const wanted = wantedBy(request);
  const told = new Set<string>();
  for await (const row of inNoBlock(db, wanted)) {
    told.add(row.id);
    yield row;
  }
  for (const row of await takenSince(db, wanted, first)) {
    if (!told.has(row.id)) yield row;
  }
}

/** By when they were recorded. */
function wantedBy({ organizationId, from }: ExportRequest): Prisma.Sql {
  const ofOrganization =
    organizationId === null
      ? Prisma.empty
      : Prisma.sql`AND e."organizationId" = ${organizationId}::uuid`;
  if (from === undefined) return ofOrganization;
  return Prisma.sql`${ofOrganization} AND e."id" >= ${smallestIdAt(Date.parse(from))}::uuid`;
}

async function* inNoBlock(db: Db, wanted: Prisma.Sql): AsyncGenerator<EventRow> {
  let after = NIL;
  for (;;) {
    const rows = await db.$queryRaw<EventRow[]>`
      SELECT ${COLUMNS} FROM "AuditEvent" e
      WHERE e."id" > ${after}::uuid ${wanted} AND (e."blockNumber" IS NULL OR NOT EXISTS (
        SELECT 1 FROM "AuditBlock" b WHERE b."run" = e."blockRun" AND b."number" = e."blockNumber"))
      ORDER BY e."id" LIMIT ${BATCH}`;
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last.id;
  }
}

/** Events in blocks that were made since the first line was written. */
async function takenSince(
  db: Db,
  wanted: Prisma.Sql,
  { at, heads }: Pick<ExportLine, 'at' | 'heads'>,
): Promise<EventRow[]> {
  const began = smallestIdAt(Date.parse(at) - SKEW);
  const rows = await db.$queryRaw<
    (EventRow & { readonly blockRun: string; readonly blockNumber: number })[]
  >`
    SELECT ${COLUMNS}, e."blockRun", e."blockNumber" FROM "AuditBlock" b
    JOIN "AuditEvent" e ON e."blockRun" = b."run" AND e."blockNumber" = b."number"
    WHERE b."id" >= ${began}::uuid AND b."managed" <> '[]' ${wanted}
    ORDER BY e."id"`;
  const last = new Map(heads.map(({ run, number }) => [run, number]));
  return rows
    .filter(({ blockRun, blockNumber }) => blockNumber > (last.get(blockRun) ?? 0))
    .map(({ blockRun: _run, blockNumber: _number, ...row }) => row);
}
