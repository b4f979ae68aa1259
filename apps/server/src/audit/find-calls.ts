import { type AuditBlock, Prisma } from '../generated/prisma/client.ts';
import type { Db } from '../platform/database/store.ts';
import { blockOfCall } from './block-ids.ts';
import { inflateBody } from './body.ts';
import { decodeCalls } from './decode-calls.ts';
import type { AuditEvent, CallEvent } from './event.ts';
import {
  type EventsFilter,
  type EventsPage,
  type FoundEvents,
  matches,
  rangeOf,
} from './events-filter.ts';

/** Blocks that one request reads: each takes 3 ms. */
const REACH = 20;

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
  let next = end;
  for (let read = 0; read < REACH; read += 1) {
    const [block] = await readBlocks(db, organizationId, filter, { first, end: next });
    if (block === undefined) return { rows: found, reachedId: null };
    next = block.id;
    const events = (await callsOf(block)).filter(
      (event) => event.id >= first && event.id < end && matches(event, filter),
    );
    found.push(...events.reverse());
    if (found.length >= take) break;
  }
  return { rows: found, reachedId: next };
}

/** Undefined for the id of no call of the organization, and after the retention of calls. */
export async function findCall(
  db: Db,
  organizationId: string,
  id: string,
): Promise<AuditEvent | undefined> {
  const { blockId, index } = blockOfCall(id);
  const [block] = await db.$queryRaw<BodyRow[]>`
    SELECT ${COLUMNS} FROM "AuditBlock"
    WHERE "id" = ${blockId}::uuid AND "organizationId" = ${organizationId}::uuid
      AND "body" IS NOT NULL`;
  return block && (await callsOf(block))[index];
}

interface Range {
  readonly first: string;
  readonly end: string;
}

/** The newest block before the end of a range that may have such events. */
function readBlocks(
  db: Db,
  organizationId: string,
  filter: EventsFilter,
  { first, end }: Range,
): Promise<BodyRow[]> {
  return db.$queryRaw<BodyRow[]>`
    SELECT ${COLUMNS} FROM "AuditBlock"
    WHERE "organizationId" = ${organizationId}::uuid AND "id" >= ${blockOfCall(first).blockId}::uuid
      AND "id" < ${end}::uuid AND "body" IS NOT NULL ${concerning(filter)}
    ORDER BY "id" DESC LIMIT 1`;
}

/** The arrays of a block name everything that its calls concern. */
function concerning({ applicationId, integrationId, userId }: EventsFilter): Prisma.Sql {
  const conditions = [
    applicationId && Prisma.sql`AND "applications" @> ${[applicationId]}::uuid[]`,
    integrationId && Prisma.sql`AND "integrations" @> ${[integrationId]}::uuid[]`,
    userId && Prisma.sql`AND "people" @> ${[userId]}::uuid[]`,
  ].filter((condition) => condition !== undefined && condition !== '');
  return conditions.length === 0 ? Prisma.empty : Prisma.join(conditions, ' ');
}

async function callsOf({ body, from, ...block }: BodyRow): Promise<CallEvent[]> {
  return decodeCalls({ ...block, from: from.toISOString() }, await inflateBody(body));
}
