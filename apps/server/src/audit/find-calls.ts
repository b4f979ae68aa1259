import { type AuditBlock, Prisma } from '../generated/prisma/client.ts';
import type { Db } from '../platform/database/store.ts';
import { blockOfCall } from './block.ts';
import { decodeCalls } from './decode-calls.ts';
import { type AuditEvent, BEGUN, type CallEvent } from './event.ts';
import {
  type EventsFilter,
  type EventsPage,
  type FoundEvents,
  matches,
  rangeOf,
} from './events-filter.ts';
import { inflateBody } from './stored-block.ts';

/** Blocks that one request decodes: each takes 3 ms. */
const REACH = 20;

/** Blocks among which one request looks for those: their arrays name everything that their calls concern. */
const LOOKED_AT = 2_000;

type BodyRow = Pick<AuditBlock, 'id' | 'from' | 'applications' | 'integrations' | 'people'> & {
  readonly body: string;
};

const COLUMNS = Prisma.sql`"id", "from", "applications", "integrations", "people", "body"`;

/** Call events of an organization, the newest first: block by block, until there are enough. */
export async function findCalls(
  db: Db,
  organizationId: string,
  filter: EventsFilter,
  { before, take }: EventsPage,
): Promise<FoundEvents> {
  const { first, end } = rangeOf(filter, before);
  const found: AuditEvent[] = [];
  const { ids, reachedId } = await findBlocks(db, organizationId, filter, { first, end });
  for (const id of ids) {
    const events = (await readCalls(db, organizationId, id)).filter(
      (event) => event.id >= first && event.id < end && matches(event, filter),
    );
    found.push(...(await withoutEnded(db, organizationId, events)).reverse());
    if (found.length >= take) return { rows: found, reachedId: id };
  }
  return { rows: found, reachedId };
}

/** A call that was stored when it began is listed once: when it has ended, by its end. */
async function withoutEnded(
  db: Db,
  organizationId: string,
  events: readonly CallEvent[],
): Promise<CallEvent[]> {
  const begun = events.flatMap(({ id, outcome }) => (outcome === BEGUN ? [id] : []));
  if (begun.length === 0) return [...events];
  const rows = await db.$queryRaw<{ readonly ended: readonly string[] }[]>`
    SELECT "ended" FROM "AuditBlock"
    WHERE "organizationId" = ${organizationId}::uuid AND "ended" && ${begun}::uuid[] AND "ended" <> '{}'`;
  const ended = new Set(rows.flatMap((row) => row.ended));
  return events.filter(({ id }) => !ended.has(id));
}

/** Undefined for the id of no call of the organization, and after the retention of calls. */
export async function findCall(
  db: Db,
  organizationId: string,
  id: string,
): Promise<AuditEvent | undefined> {
  const { blockId, index } = blockOfCall(id);
  return (await readCalls(db, organizationId, blockId))[index];
}

/** Empty for the id of no block of the organization, and after the retention of calls. */
async function readCalls(db: Db, organizationId: string, id: string): Promise<CallEvent[]> {
  const [block] = await db.$queryRaw<BodyRow[]>`
    SELECT ${COLUMNS} FROM "AuditBlock"
    WHERE "id" = ${id}::uuid AND "organizationId" = ${organizationId}::uuid AND "body" IS NOT NULL`;
  return block === undefined ? [] : callsOf(block);
}

interface Range {
  readonly first: string;
  readonly end: string;
}

interface FoundBlocks {
  /** The newest first. */
  readonly ids: readonly string[];
  /** Every block from this id on has been looked at; null if there are no others. */
  readonly reachedId: string | null;
}

/** The newest blocks of a range that may have such events. */
async function findBlocks(
  db: Db,
  organizationId: string,
  filter: EventsFilter,
  { first, end }: Range,
): Promise<FoundBlocks> {
  const rows = await db.$queryRaw<{ readonly id: string; readonly isLast: boolean }[]>`
    WITH "seen" AS MATERIALIZED (
      SELECT "id", ${concerning(filter)} AS "isWanted", row_number() OVER (ORDER BY "id" DESC) AS "place"
      FROM "AuditBlock"
      WHERE "organizationId" = ${organizationId}::uuid AND "id" < ${end}::uuid
        AND "id" >= ${blockOfCall(first).blockId}::uuid AND "body" IS NOT NULL
      ORDER BY "id" DESC LIMIT ${LOOKED_AT})
    SELECT "id", "place" = ${LOOKED_AT} AS "isLast" FROM "seen"
    WHERE "isWanted" OR "place" = ${LOOKED_AT} ORDER BY "id" DESC LIMIT ${REACH}`;
  const ids = rows.map(({ id }) => id);
  const isCut = rows.length === REACH || rows.some(({ isLast }) => isLast);
  return { ids, reachedId: isCut ? (ids.at(-1) ?? null) : null };
}

function concerning({ applicationId, integrationId, userId }: EventsFilter): Prisma.Sql {
  const conditions = [
    applicationId && Prisma.sql`"applications" @> ${[applicationId]}::uuid[]`,
    integrationId && Prisma.sql`"integrations" @> ${[integrationId]}::uuid[]`,
    userId && Prisma.sql`"people" @> ${[userId]}::uuid[]`,
  ].filter((condition) => condition !== undefined && condition !== '');
  return conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, ' AND ');
}

async function callsOf({ body, from, ...block }: BodyRow): Promise<CallEvent[]> {
  return decodeCalls({ ...block, from: from.toISOString() }, await inflateBody(body));
}
