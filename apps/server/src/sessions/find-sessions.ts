import type { SessionKind } from '@gatehouse/contract';
import { Prisma } from '../generated/prisma/client.ts';
import { MAX_ID, oneRangeOf } from '../platform/database/index-range.ts';
import type { Db } from '../platform/database/store.ts';
import { isLasting } from './leases.ts';
import {
  type ListedSession,
  type SessionAdmin,
  type SessionView,
  shownLease,
  shownSession,
} from './shown-session.ts';

/** Sessions and leases of an organization: those that match every field. */
export interface SessionsFilter {
  readonly organizationId: string;
  readonly applicationId?: string | undefined;
  readonly integrationId?: string | undefined;
  readonly userId?: string | undefined;
  readonly kind?: SessionKind | undefined;
  readonly state?: ListedSession['state'] | undefined;
}

/** A session or lease with the names that people know. */
export interface FoundSession extends ListedSession {
  readonly applicationName: string;
  readonly integrationName: string;
  /** Null for an application that acted for itself, and for a member who was removed. */
  readonly userName: string | null;
}

export interface FoundSessions {
  readonly rows: readonly FoundSession[];
  /** The search goes on here if it found fewer than `take` rows and further ones may match. */
  readonly reachedId: string | null;
}

export interface FindSessionsRequest {
  readonly filter: SessionsFilter;
  /** Only sessions with a smaller id. */
  readonly before: string | undefined;
  readonly take: number;
}

/** Rows that one statement reads in search of those that match what no index is for. */
const REACH = 5_000;

/** The conditions of a filter that the columns of both tables have. */
export function matches(filter: SessionsFilter): Prisma.Sql {
  const { organizationId, applicationId, integrationId, userId } = filter;
  const columns = Object.entries({ organizationId, applicationId, integrationId, userId });
  const conditions = columns.flatMap(([name, id]) =>
    id === undefined ? [] : [Prisma.sql`${Prisma.raw(`"${name}"`)} = ${id}::uuid`],
  );
  return Prisma.join(conditions, ' AND ');
}

/**
 * Sessions and leases across applications, newest first. They are read from the index of an application, a person or the
 * organization, at most {@link REACH} of them: what is left of the filter is compared with these.
 */
export async function findSessions(
  db: Db,
  { filter, before = MAX_ID, take }: FindSessionsRequest,
  admin: SessionAdmin,
): Promise<FoundSessions> {
  const reach = isByIndexAlone(filter) ? take : REACH;
  const found = await db.$queryRaw<(FoundSession & { readonly reachedId: string | null })[]>`
    WITH "read" AS MATERIALIZED (
      SELECT * FROM (${unionOf(sourcesOf(filter, before, reach, admin.viewOf(filter)))}) "both"
      ORDER BY ${rangeOf(filter).column}, "id" DESC LIMIT ${reach}
    ), "found" AS (
      SELECT * FROM "read" WHERE ${matches(filter)} AND ${stateIs(filter)}
      ORDER BY "id" DESC LIMIT ${take}
    )
    SELECT e."reachedId", n.* FROM (
      SELECT (SELECT "id" FROM "read" ORDER BY "id" DESC OFFSET ${reach - 1} LIMIT 1) AS "reachedId"
    ) e LEFT JOIN (${withNames(Prisma.sql`"found"`)}) n ON true ORDER BY n."id" DESC`;
  const rows = found.filter(({ id }) => id !== null);
  const reachedId = found[0]?.reachedId ?? null;
  return { rows, reachedId: rows.length < take ? reachedId : null };
}

export function findSessionsById(
  db: Db,
  ids: readonly string[],
  of: SessionsFilter,
  admin: SessionAdmin,
): Promise<FoundSession[]> {
  const areThese = Prisma.sql`"id" = ANY(${[...ids]}::uuid[])`;
  const both = Prisma.sql`(
    SELECT s."organizationId", ${shownSession(admin.viewOf(of))} FROM "Session" s WHERE ${areThese}
    UNION ALL SELECT "organizationId", ${shownLease} FROM "CredentialLease" WHERE ${areThese})`;
  return db.$queryRaw<FoundSession[]>`${withNames(both)} ORDER BY "id" DESC`;
}

function withNames(sessions: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT f.*, a."name" AS "applicationName", i."name" AS "integrationName", u."name" AS "userName"
    FROM ${sessions} f
    JOIN "Application" a ON a."id" = f."applicationId"
    JOIN "Integration" i ON i."id" = f."integrationId"
    LEFT JOIN "User" u ON u."id" = f."userId" AND u."organizationId" = f."organizationId"`;
}

/** The index that is read has the whole filter. */
function isByIndexAlone({ applicationId, integrationId, userId, state }: SessionsFilter): boolean {
  const others = [integrationId, state, applicationId === undefined ? undefined : userId];
  return others.every((value) => value === undefined);
}

function stateIs({ state }: SessionsFilter): Prisma.Sql {
  return state === undefined ? Prisma.sql`true` : Prisma.sql`"state" = ${state}`;
}

function unionOf(sources: readonly Prisma.Sql[]): Prisma.Sql {
  return Prisma.join(
    sources.map((source) => Prisma.sql`(${source})`),
    ' UNION ALL ',
  );
}

function sourcesOf(
  filter: SessionsFilter,
  before: string,
  reach: number,
  view: SessionView,
): Prisma.Sql[] {
  const { applicationId, kind, state } = filter;
  const { column, id } = rangeOf(filter);
  const range = Prisma.sql`
    ${column} = ANY(${oneRangeOf(id).in}::uuid[]) AND "id" < ${before}::uuid`;
  const newest = Prisma.sql`ORDER BY ${column}, "id" DESC LIMIT ${reach}`;
  const sessionsThat = (condition: Prisma.Sql) => Prisma.sql`
    SELECT s."organizationId", ${shownSession(view)} FROM "Session" s
    WHERE ${range} AND ${condition} ${newest}`;
  const open = sessionsThat(Prisma.sql`s."state" = 'open'`);
  // An index of both, for a person or an organization, would be written at the beginning of a session in addition to that
  // of open ones, and once more at its end.
  const inAnyState =
    applicationId === undefined
      ? [open, sessionsThat(Prisma.sql`s."state" <> 'open'`)]
      : [sessionsThat(Prisma.sql`true`)];
  const sessions = state === 'open' ? [open] : inAnyState;
  const leases = Prisma.sql`
    SELECT "organizationId", ${shownLease}
    FROM ${state === 'open' ? lastingLeases(filter.organizationId) : Prisma.sql`"CredentialLease"`}
    WHERE ${range} ${newest}`;
  return [...(kind === 'lease' ? [] : sessions), ...(kind === 'session' ? [] : [leases])];
}

/** Leases last five minutes at most. Ended ones are many, so the index by expiry is read. */
function lastingLeases(organizationId: string): Prisma.Sql {
  return Prisma.sql`(
    SELECT * FROM "CredentialLease"
    WHERE "organizationId" = ${organizationId}::uuid AND ${isLasting} OFFSET 0) "lasting"`;
}

function rangeOf({ organizationId, applicationId, userId }: SessionsFilter) {
  if (applicationId !== undefined) {
    return { column: Prisma.sql`"applicationId"`, id: applicationId };
  }
  if (userId !== undefined) return { column: Prisma.sql`"userId"`, id: userId };
  return { column: Prisma.sql`"organizationId"`, id: organizationId };
}
