import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { RawDatabase } from '../../../src/platform/database/raw-database.ts';
import { TABLES } from '../../../src/transfer/tables.ts';

const ROWS = 3;

/** Rows that {@link fillTables} writes. */
export const SMALL_ROWS = ROWS * TABLES.length;

const columnsSchema = z.array(
  z.object({
    table: z.string(),
    name: z.string(),
    type: z.string(),
    nullable: z.boolean(),
    references: z.string().nullable(),
    values: z.array(z.string()).nullable(),
  }),
);

const COLUMNS = `
  SELECT t.relname::text AS "table", a.attname::text AS "name", NOT a.attnotnull AS "nullable",
    format_type(a.atttypid, a.atttypmod) AS "type",
    (SELECT f.relname::text FROM pg_constraint c JOIN pg_class f ON f.oid = c.confrelid
      WHERE c.contype = 'f' AND c.conrelid = t.oid AND c.conkey = ARRAY[a.attnum]) AS "references",
    (SELECT array_agg(e.enumlabel::text ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = a.atttypid) AS "values"
  FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid
  WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
  ORDER BY a.attnum`;

type Column = z.output<typeof columnsSchema>[number];

/** Texts that a careless format would change. */
const TEXTS = ['', '"a", \\b\n\'c\'\t{}', 'Zoë 🗝️ [null] \\x00 %s'];

/** Writes rows with values of every type, and nulls, into every table that is taken along. */
export async function fillTables(database: RawDatabase): Promise<void> {
  const columns = columnsSchema.parse(await database.query(COLUMNS));
  const ids = new Map<string, string[]>();
  for (const table of TABLES) {
    const own = columns.filter((column) => column.table === table);
    const made = Array.from({ length: ROWS }, () => randomUUID());
    ids.set(table, made);
    for (const [row, id] of made.entries()) {
      const values = own.map((column) => sampleOf(column, row, id, ids));
      const places = own.map(({ type }, index) => `$${index + 1}::text::${type}`);
      await database.query(
        `INSERT INTO "${table}" (${own.map(({ name }) => `"${name}"`).join()}) VALUES (${places.join()})`,
        values as string[],
      );
    }
  }
}

function sampleOf(
  { name, type, nullable, references, values }: Column,
  row: number,
  id: string,
  ids: ReadonlyMap<string, readonly string[]>,
): string | null {
  if (name === 'id' && type === 'uuid') return id;
  if (references !== null) return ids.get(references)?.[row] ?? null;
  if (nullable && row === 0) return null;
  if (values !== null) return values[row % values.length] ?? null;
  if (type === 'text') return `${TEXTS[row]}${name === 'keyId' ? '' : randomUUID()}`;
  if (type === 'text[]') return ['{}', '{"","a,b"}', '{"\\"q\\"",NULL}'][row] ?? null;
  if (type === 'uuid[]') return `{${randomUUID()}}`;
  if (type === 'uuid') return randomUUID();
  if (type === 'bytea') return `\\x00ff${randomBytes(16).toString('hex')}`;
  if (type === 'jsonb') return ['null', '{"a":[1.50,null,"\\n"]}', '"x"'][row] ?? null;
  if (type === 'boolean') return String(row % 2 === 0);
  if (type === 'integer') return String(row + 7);
  if (type === 'integer[]') return `{${row},7}`;
  // Beyond what a double holds.
  if (type === 'bigint') return String(2n ** 53n + 1n + BigInt(row));
  if (type.startsWith('timestamp')) return `2026-03-0${row + 1} 02:03:04.56${row}+05:30`;
  throw new Error(`There is no value for ${type} yet.`);
}

/** Every row of every table that is taken along, as PostgreSQL writes it. */
export async function contentsOf(database: RawDatabase): Promise<Record<string, string[]>> {
  const contents: Record<string, string[]> = {};
  const schema = z.array(z.object({ row: z.string() }));
  for (const table of TABLES) {
    const rows = await database.query(`SELECT t::text AS "row" FROM "${table}" t ORDER BY 1`);
    contents[table] = schema.parse(rows).map(({ row }) => row);
  }
  return contents;
}
