import { Prisma } from '../../generated/prisma/client.ts';
import { NIL } from '../../platform/database/index-range.ts';
import type { Db } from '../../platform/database/store.ts';
import { smallestIdAt } from '../../platform/ids.ts';
import type { ExportLine } from '../export-lines.ts';
import type { ExportRequest } from './export-request.ts';

const BATCH = 500;

/** Milliseconds by which clocks of nodes may differ. */
const SKEW = 120_000;

interface EventRow {
  readonly id: string;
  readonly event: string;
}

/**
 * Management events that are in no block of an export: those of the last second, also if a block has taken them in since
 * the first line was written, and those that name a block which is not there.
 */
export async function* looseEvents(
  db: Db,
  request: ExportRequest,
  first: Pick<ExportLine, 'at' | 'heads'>,
): AsyncGenerator<string> {
  if (request.to !== undefined) return;
  const wanted = wantedBy(request);
  const told = new Set<string>();
  for await (const { id, event } of inNoBlock(db, wanted)) {
    told.add(id);
    yield event;
  }
  for (const { id, event } of await takenSince(db, wanted, first)) {
    if (!told.has(id)) yield event;
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
      SELECT e."id", e."event" FROM "AuditEvent" e
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
  const rows = await db.$queryRaw<(EventRow & { readonly run: string; readonly number: number })[]>`
    SELECT e."id", e."event", b."run", b."number" FROM "AuditBlock" b
    JOIN "AuditEvent" e ON e."blockRun" = b."run" AND e."blockNumber" = b."number"
    WHERE b."id" >= ${began}::uuid AND b."managed" <> '[]' ${wanted}
    ORDER BY e."id"`;
  const last = new Map(heads.map(({ run, number }) => [run, number]));
  return rows.filter(({ run, number }) => number > (last.get(run) ?? 0));
}
