import { setImmediate as nextTurn } from 'node:timers/promises';
import { fittingApplications, limits } from '@gatehouse/contract';
import { Prisma } from '../../generated/prisma/client.ts';
import { oneRangeOf } from '../../platform/database/index-range.ts';
import type { Db } from '../../platform/database/store.ts';
import { countAttachments } from '../applications/repository.ts';
import type { GraphFilter, Part } from './repository.ts';

interface Row {
  readonly id: string;
}

/** Applications that one statement looks at: many may be archived and attached to nothing. */
const WINDOW = 1_000;

/** The newest applications of the graph: those that are not archived, and archived ones with integrations. */
export async function listApplicationIds(
  db: Db,
  organizationId: string,
  filter: GraphFilter,
  { before, take }: Part,
): Promise<Row[]> {
  if (filter.integrationId !== undefined) {
    return listAttachedTo(db, organizationId, filter, { before, take });
  }
  const found: Row[] = [];
  let from = before;
  for (;;) {
    const window = { before: from, take: take - found.length };
    found.push(...(await listShownOf(db, organizationId, filter, window)));
    if (found.length === take || filter.applicationId !== undefined) return found;
    from = await findEndOfWindow(db, organizationId, from);
    if (from === undefined) return found;
    await nextTurn();
  }
}

/** How many applications of a page have at most 5,000 integrations together. */
export async function countFittingEdges(
  db: Db,
  { integrationId }: GraphFilter,
  applications: readonly Row[],
): Promise<number> {
  if (integrationId !== undefined) return applications.length;
  const ids = applications.map(({ id }) => id);
  const counts = await countAttachments(db, ids);
  return fittingApplications(
    ids.map((id) => counts.get(id) ?? 0),
    limits.accessGraphEdges,
  );
}

/** The applications that the integration of the filter is attached to. */
function listAttachedTo(
  db: Db,
  organizationId: string,
  { applicationId, integrationId }: GraphFilter,
  { before, take }: Part,
): Promise<Row[]> {
  return db.$queryRaw<Row[]>`
    SELECT a."applicationId" AS "id" FROM "Attachment" a
    WHERE a."integrationId" = ${integrationId}::uuid
      AND a."organizationId" = ${organizationId}::uuid
      ${applicationId === undefined ? ANY_ROW : Prisma.sql`AND a."applicationId" = ${applicationId}::uuid`}
      ${before === undefined ? ANY_ROW : Prisma.sql`AND a."applicationId" < ${before}::uuid`}
    ORDER BY a."applicationId" DESC LIMIT ${take}`;
}

function listShownOf(
  db: Db,
  organizationId: string,
  { applicationId }: GraphFilter,
  { before, take }: Part,
): Promise<Row[]> {
  const only =
    applicationId === undefined ? ANY_ROW : Prisma.sql`AND "id" = ${applicationId}::uuid`;
  // A lookup for each row: instead of EXISTS, the planner would read all attachments.
  return db.$queryRaw<Row[]>`
    SELECT w."id" FROM (
      SELECT "id", "archivedAt" FROM "Application"
      WHERE "organizationId" IN (${range(organizationId)}) ${only} ${olderThan(before)}
      ORDER BY "organizationId", "id" DESC LIMIT ${WINDOW}) w
    LEFT JOIN LATERAL (
      SELECT a."id" FROM "Attachment" a
      WHERE w."archivedAt" IS NOT NULL AND a."applicationId" = w."id" LIMIT 1) a ON true
    WHERE w."archivedAt" IS NULL OR a."id" IS NOT NULL
    ORDER BY w."id" DESC LIMIT ${take}`;
}

/** The last application of a window, undefined if there is no further one. */
async function findEndOfWindow(
  db: Db,
  organizationId: string,
  before: string | undefined,
): Promise<string | undefined> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT "id" FROM "Application"
    WHERE "organizationId" IN (${range(organizationId)}) ${olderThan(before)}
    ORDER BY "organizationId", "id" DESC OFFSET ${WINDOW - 1} LIMIT 1`;
  return rows[0]?.id;
}

const ANY_ROW = Prisma.empty;

function range(organizationId: string): Prisma.Sql {
  return Prisma.join(oneRangeOf(organizationId).in.map((id) => Prisma.sql`${id}::uuid`));
}

function olderThan(before: string | undefined): Prisma.Sql {
  return before === undefined ? ANY_ROW : Prisma.sql`AND "id" < ${before}::uuid`;
}
