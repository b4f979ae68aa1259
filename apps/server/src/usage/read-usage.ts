import type { UsageGrouping, UsageStep } from '@gatehouse/contract';
import { Prisma } from '../generated/prisma/client.ts';
import { NIL } from '../platform/database/index-range.ts';
import type { Db } from '../platform/database/store.ts';
import { counts, summed } from './columns.ts';

/** What is read. The ids are of any organization: those of others match nothing. */
export interface UsageRead {
  readonly organizationId: string;
  /** Only the calls of this person. Minutes are not kept by person. */
  readonly userId: string | undefined;
  readonly applicationIds: readonly string[] | undefined;
  readonly integrationIds: readonly string[] | undefined;
  readonly step: UsageStep;
  readonly groupBy: UsageGrouping | undefined;
  /** The most series. */
  readonly series: number;
  readonly from: Date;
  readonly to: Date;
}

/** Calls together. */
export interface UsageCounts {
  readonly calls: number;
  readonly refusals: number;
  readonly errors: number;
  readonly upstreamErrors: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly latency: readonly number[];
  readonly lastErrorAt: Date | null;
}

/** A point that has calls. */
export interface UsageRow extends UsageCounts {
  /** Null for everything together. */
  readonly key: string | null;
  readonly at: Date;
}

/**
 * The points of the series with the most calls, series by series, the largest first. Which these are is found by one sum:
 * summing everything for all of them would take several times as long.
 */
export function readUsage(db: Db, read: UsageRead): Promise<UsageRow[]> {
  const kept = Prisma.sql`(${rowsOf(read)}) AS "kept"`;
  const { groupBy } = read;
  if (groupBy === undefined || groupBy === 'outcome') {
    return db.$queryRaw<UsageRow[]>`
      SELECT NULL::text AS "key", "at", ${summed} FROM ${kept} GROUP BY "at" ORDER BY "at"`;
  }
  const key = KEYS[groupBy];
  return db.$queryRaw<UsageRow[]>`
    WITH "largest" AS MATERIALIZED (
      SELECT ${key} AS "key", sum("calls") AS "all" FROM ${kept}
      GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${read.series}
    )
    SELECT l."key"::text AS "key", "at", ${summed}
    FROM ${kept} JOIN "largest" l ON l."key" = ${key}
    GROUP BY l."all", l."key", "at" ORDER BY l."all" DESC, l."key", "at"`;
}

/** Not a parameter: the planner must see that the indexes on these sums have all rows that are read. */
const LITERAL_NIL = Prisma.raw(`'${NIL}'::uuid`);

const KEYS: Readonly<Record<Exclude<UsageGrouping, 'outcome'>, Prisma.Sql>> = {
  application: Prisma.raw('"applicationId"'),
  integration: Prisma.raw('"integrationId"'),
  tool: Prisma.raw('"tool"'),
  person: Prisma.raw('"userId"'),
};

function rowsOf(read: UsageRead): Prisma.Sql {
  const within = Prisma.sql`"organizationId" = ${read.organizationId}::uuid
    AND "at" >= ${read.from} AND "at" < ${read.to} AND ${isNamed(read)}`;
  if (read.step === 'minute') return Prisma.sql`SELECT * FROM "UsageMinute" WHERE ${within}`;
  const rows = Prisma.sql`${within} AND ${isOfKind(read)}`;
  if (read.step === 'hour') return Prisma.sql`SELECT * FROM "UsageHour" WHERE ${rows}`;
  const key = Prisma.raw('"organizationId", "applicationId", "integrationId", "tool", "userId"');
  // The days have their condition outside: inside, the planner copies each row once more.
  return Prisma.sql`
    SELECT * FROM (
      SELECT ${key}, "at", ${counts} FROM "UsageDay"
      UNION ALL SELECT ${key}, date_trunc('day', "at", 'UTC'), ${counts} FROM "UsageHour"
      WHERE NOT "isInDay" AND ${rows}
    ) AS "days" WHERE ${rows}`;
}

function isNamed({ applicationIds, integrationIds, groupBy }: UsageRead): Prisma.Sql {
  const conditions = [
    ...(applicationIds ? [Prisma.sql`"applicationId" = ANY(${[...applicationIds]}::uuid[])`] : []),
    ...(integrationIds ? [Prisma.sql`"integrationId" = ANY(${[...integrationIds]}::uuid[])`] : []),
    ...(groupBy === 'tool' ? [Prisma.sql`"tool" <> ''`] : []),
  ];
  return conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, ' AND ');
}

/** Of the rows of hours and days, the shortest kind that has what is asked for. */
function isOfKind({ userId, applicationIds, groupBy }: UsageRead): Prisma.Sql {
  if (userId !== undefined) return Prisma.sql`"userId" = ${userId}::uuid`;
  const isByApplication = applicationIds !== undefined || groupBy === 'application';
  if (groupBy === 'person' || (groupBy === 'tool' && isByApplication)) {
    return Prisma.sql`"userId" <> ${NIL}::uuid`;
  }
  return isByApplication
    ? Prisma.sql`"userId" = ${NIL}::uuid AND "applicationId" <> ${NIL}::uuid`
    : Prisma.sql`"applicationId" = ${LITERAL_NIL}`;
}
