import type { PGlite } from '@electric-sql/pglite';
import { openPreparedPglite } from './database.ts';

/** Each takes some 200 MB, and few tests close two databases before they open another. */
const MOST_KEPT = 2;

const kept: PGlite[] = [];

/** Everything that a migration can name, as one digest. PostgreSQL's own objects have lower ids. */
const SCHEMA = `
  SELECT md5(string_agg(name, ',' ORDER BY name)) AS "digest" FROM (
    SELECT concat('relation ', relname, relpersistence) FROM pg_class WHERE oid > 16383
    UNION ALL
    SELECT concat('column ', attrelid, attname, atttypid) FROM pg_attribute WHERE attrelid > 16383
    UNION ALL SELECT concat('constraint ', conname, conrelid) FROM pg_constraint WHERE oid > 16383
    UNION ALL SELECT concat('function ', proname, oid) FROM pg_proc WHERE oid > 16383
    UNION ALL SELECT concat('trigger ', tgname, tgrelid) FROM pg_trigger WHERE oid > 16383
  ) AS object(name)`;

/** Foreign keys are triggers, which do not run for a replica. Four times as fast as TRUNCATE where few rows are. */
const EMPTY = `
  DO $$ DECLARE "table" text; BEGIN
    SET LOCAL session_replication_role = replica;
    FOR "table" IN
      SELECT tablename FROM pg_tables
      WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'
    LOOP EXECUTE format('DELETE FROM %I', "table"); END LOOP;
  END $$`;

/** Of the database that all begin with. */
let migrated: string | undefined;

/**
 * An empty, migrated PGlite in memory. Closing it empties it for the next caller, because another one takes half a
 * second of CPU; one with a changed schema is closed. A caller that still uses it then fails as with a closed one.
 */
export async function borrowPglite(): Promise<PGlite> {
  const database = kept.pop() ?? (await openPreparedPglite());
  migrated ??= await schemaOf(database);
  return lend(database, async () => {
    if (kept.length === MOST_KEPT || (await schemaOf(database)) !== migrated) {
      return database.close();
    }
    await database.exec('DISCARD ALL');
    await database.exec(EMPTY);
    kept.push(database);
  });
}

async function schemaOf(database: PGlite): Promise<string | undefined> {
  return (await database.query<{ digest: string }>(SCHEMA)).rows[0]?.digest;
}

/** The database until it is given back. Properties that a caller sets are the caller's. */
function lend(database: PGlite, giveBack: () => Promise<void>): PGlite {
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await giveBack();
  };
  return new Proxy({ close } as unknown as PGlite, {
    get: (own, key) => {
      if (Object.hasOwn(own, key)) return Reflect.get(own, key);
      if (isClosed) throw new Error('PGlite is closed');
      const value: unknown = Reflect.get(database, key, database);
      return typeof value === 'function' ? value.bind(database) : value;
    },
  });
}
