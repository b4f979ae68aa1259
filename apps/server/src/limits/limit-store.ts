import { Prisma } from '../generated/prisma/client.ts';
import type { Store } from '../platform/database/store.ts';
import type { Limit } from './counter.ts';

/** Milliseconds for which a node may use slots without a word to the database. */
export const LEASE = 5_000;

/** What a node has taken of a limit a minute. */
export interface TakenBudget {
  /** Epoch milliseconds of its begin. */
  readonly minute: number;
  readonly taken: number;
  /** Nothing is left for anyone. */
  readonly isSpent: boolean;
  /** Milliseconds until the minute ends. */
  readonly endsIn: number;
}

/** How many slots a node has in use, and how many it would like to have in all. */
export interface WantedSlots {
  readonly used: number;
  readonly wanted: number;
}

/** What all nodes have taken of limits. Each method is one statement, and rejects like `Store.statement`. */
export interface LimitStore {
  /** Takes up to `wanted` of what is left in the database's minute. */
  takeBudget(limit: Limit, wanted: number): Promise<TakenBudget>;
  /** Leases as many slots as other nodes leave, those in use in any case. @returns how many the node has now */
  takeSlots(limit: Limit, slots: WantedSlots): Promise<number>;
  /** Renews leases, with fewer slots where fewer are given. @returns those that the node still has, by key */
  keepSlots(slots: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>>;
}

/** @param node the id of this run of a node among all others */
export function createLimitStore(store: Pick<Store, 'statement'>, node: string): LimitStore {
  const run = async <Row>(name: string, sql: Prisma.Sql): Promise<readonly Row[]> =>
    (await store.statement([], () => ({ name, sql }))) as readonly Row[];
  return {
    async takeBudget(limit, wanted) {
      const [row] = await run<TakenBudget>('take-call-budget', budgetSql(limit, wanted));
      if (row === undefined) throw new Error('The budget of a limit was not written.');
      return row;
    },
    async takeSlots(limit, slots) {
      const sql = slotsSql(limit, slots, node);
      const [row] = await run<{ slots: number }>('take-call-slots', sql);
      return row?.slots ?? 0;
    },
    async keepSlots(slots) {
      const sql = keepSql(slots, node);
      const rows = await run<{ key: string; slots: number }>('keep-call-slots', sql);
      return new Map(rows.map((row) => [row.key, row.slots]));
    },
  };
}

/**
 * A statement that waited for another node's may have read the clock in an earlier minute than the row's: it takes from
 * the row's. A row of a later minute than that was written by a clock that has been set back since.
 */
function budgetSql({ key, limit }: Limit, wanted: number): Prisma.Sql {
  const isPast = Prisma.sql`
    b."minute" NOT BETWEEN EXCLUDED."minute" AND EXCLUDED."minute" + interval '1 minute'`;
  const most = numberOf(limit);
  return Prisma.sql`
    INSERT INTO "CallBudget" AS b ("id", "minute", "used", "taken")
    SELECT ${key}, date_trunc('minute', clock_timestamp()), n."first", n."first"
    FROM (SELECT LEAST(${numberOf(wanted)}, ${most}) AS "first") n
    ON CONFLICT ("id") DO UPDATE SET ("minute", "used", "taken") = (
      SELECT o."minute", o."used" + o."taken", o."taken" FROM (
        SELECT
          CASE WHEN ${isPast} THEN EXCLUDED."minute" ELSE b."minute" END AS "minute",
          CASE WHEN ${isPast} THEN 0 ELSE b."used" END AS "used",
          CASE WHEN ${isPast} THEN EXCLUDED."used"
            ELSE GREATEST(0, LEAST(${numberOf(wanted)}, ${most} - b."used")) END AS "taken") o)
    RETURNING
      (extract(epoch FROM "minute") * 1000)::float8 AS "minute",
      "taken",
      "used" >= ${most} AS "isSpent",
      (extract(epoch FROM "minute" + interval '1 minute' - clock_timestamp()) * 1000)::float8 AS "endsIn"`;
}

const NOW = Prisma.sql`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;
const UNTIL = Prisma.sql`clock_timestamp() + ${Prisma.raw(String(LEASE))} * interval '1 millisecond'`;

function leaseOf(node: string, slots: Prisma.Sql): Prisma.Sql {
  const until = Prisma.sql`${NOW} + ${Prisma.raw(String(LEASE))}`;
  return Prisma.sql`jsonb_build_object(${node}::text, jsonb_build_array(${slots}, ${until}))`;
}

function slotsSql({ key, limit }: Limit, { used, wanted }: WantedSlots, node: string): Prisma.Sql {
  const leased = (others: Prisma.Sql) =>
    leaseOf(
      node,
      Prisma.sql`GREATEST(${numberOf(used)}, LEAST(${numberOf(wanted)}, ${numberOf(limit)} - ${others}))`,
    );
  return Prisma.sql`
    INSERT INTO "CallSlot" AS s ("id", "leases", "until")
    VALUES (${key}, ${leased(Prisma.sql`0`)}, ${UNTIL})
    ON CONFLICT ("id") DO UPDATE SET "until" = ${UNTIL}, "leases" = (
      SELECT COALESCE(jsonb_object_agg(l."key", l."value"), '{}'::jsonb)
        || ${leased(Prisma.sql`COALESCE(sum((l."value" ->> 0)::int), 0)::int`)}
      FROM jsonb_each(s."leases") l
      WHERE l."key" <> ${node}::text AND (l."value" ->> 1)::bigint > ${NOW})
    RETURNING ("leases" -> ${node}::text ->> 0)::int AS "slots"`;
}

/** The rows are locked in one order on every node. */
function keepSql(slots: ReadonlyMap<string, number>, node: string): Prisma.Sql {
  const own = Prisma.sql`s."leases" -> ${node}::text`;
  const slotsLeft = Prisma.sql`
    CASE WHEN (${own} ->> 1)::bigint > ${NOW} THEN LEAST(k."slots", (${own} ->> 0)::int) ELSE 0 END`;
  return Prisma.sql`
    WITH "kept" AS (
      SELECT "key", "value"::int AS "slots"
      FROM json_each_text(${JSON.stringify(Object.fromEntries(slots))}::json)
    ), "locked" AS MATERIALIZED (
      SELECT s."id" FROM "CallSlot" s WHERE s."id" IN (SELECT "key" FROM "kept")
      ORDER BY s."id" FOR UPDATE
    )
    UPDATE "CallSlot" s SET
      "until" = ${UNTIL},
      "leases" = CASE WHEN ${slotsLeft} > 0
        THEN s."leases" || ${leaseOf(node, slotsLeft)} ELSE s."leases" - ${node}::text END
    FROM "locked" l JOIN "kept" k ON k."key" = l."id"
    WHERE s."id" = l."id"
    RETURNING s."id" AS "key", COALESCE((${own} ->> 0)::int, 0) AS "slots"`;
}

/** The values of a statement are strings. */
function numberOf(value: number): Prisma.Sql {
  return Prisma.sql`${String(value)}::int`;
}
