import { z } from 'zod';
import { migrationNames } from '../platform/database/migrate.ts';
import { migrationsDirectory } from '../platform/database/package-files.ts';
import type { RawDatabase } from '../platform/database/raw-database.ts';
import { TransferError } from './transfer-error.ts';

const rowsSchema = z.array(z.object({ name: z.string(), done: z.boolean() }));

/**
 * The migrations that a database has, oldest first; empty for a database without Gatehouse's tables.
 *
 * @throws TransferError `not_migrated` when one has not been finished, `newer` when this program does
 *   not have all of them.
 */
export async function migrationsOf(database: RawDatabase): Promise<string[]> {
  const [found] = await database.query(
    `SELECT to_regclass('"_prisma_migrations"')::text AS "table"`,
  );
  if (z.object({ table: z.string().nullable() }).parse(found).table === null) return [];
  const rows = rowsSchema.parse(
    await database.query(
      `SELECT "migration_name" AS "name", "finished_at" IS NOT NULL AS "done"
       FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL ORDER BY 1`,
    ),
  );
  if (rows.some(({ done }) => !done)) {
    throw new TransferError(
      'not_migrated',
      'A migration of the database has not been finished. Start the server, which tries it again.',
    );
  }
  const names = rows.map(({ name }) => name);
  if (!isKnown(names)) {
    throw new TransferError(
      'newer',
      'The database was changed by a newer version of Gatehouse. Use that version.',
    );
  }
  return names;
}

/** Whether this program has these migrations, with no others in between. */
export function isKnown(names: readonly string[]): boolean {
  const known = migrationNames(migrationsDirectory());
  return names.every((name, index) => known[index] === name);
}
