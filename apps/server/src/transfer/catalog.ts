import { z } from 'zod';
import type { RawDatabase } from '../platform/database/raw-database.ts';

/** One column: its name, and its type as it is written in a cast. */
export interface Column {
  readonly name: string;
  readonly type: string;
}

const columnsSchema = z.array(z.object({ name: z.string(), type: z.string() }));

/** The columns of a table in their order, from PostgreSQL's own catalog; none when there is no such table. */
export async function columnsOf(database: RawDatabase, table: string): Promise<readonly Column[]> {
  return columnsSchema.parse(
    await database.query(
      `SELECT "attname"::text AS "name", format_type("atttypid", "atttypmod") AS "type"
       FROM "pg_attribute"
       WHERE "attrelid" = to_regclass($1::text) AND "attnum" > 0 AND NOT "attisdropped"
       ORDER BY "attnum"`,
      [quoted(table)],
    ),
  );
}

/** A name as SQL quotes it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
