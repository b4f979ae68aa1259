import { z } from 'zod';
import type { RawDatabase } from '../platform/database/raw-database.ts';
import { countRows, FORMAT, FORMAT_VERSION, type Header, type TransferTable } from './header.ts';
import type { OnProgress } from './imported.ts';
import { migrationsOf } from './migration-state.ts';
import { columnsOf, quoted, TABLES } from './tables.ts';
import { TransferError } from './transfer-error.ts';

/** Rows that are in memory at once. */
const PAGE = 500;

const linesSchema = z.array(z.object({ line: z.string() }));
const keyIdsSchema = z.array(z.object({ keyId: z.string() }));

export interface ReadOptions {
  /** The version of this program. */
  readonly version: string;
  /** The key file that belongs to the database, if there is one. */
  readonly keyFile: string | null;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * The lines of a file: the header, and each row as an array of texts and nulls, as PostgreSQL writes its
 * values. All of one moment: they are read in one transaction.
 *
 * @param onHeader called before the first row.
 * @throws TransferError `not_migrated`, `newer`
 */
export async function* readDatabase(
  database: RawDatabase,
  options: ReadOptions,
  onHeader: (header: Header) => void,
): AsyncGenerator<string> {
  await database.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const header = await headerOf(database, options);
  onHeader(header);
  yield JSON.stringify(header);
  const ofRows = countRows(header);
  let rows = 0;
  for (const table of header.tables) {
    for await (const page of pagesOf(database, table)) {
      yield* page;
      rows += page.length;
      options.onProgress?.({ rows, ofRows });
    }
  }
  await database.query('COMMIT');
}

async function headerOf(database: RawDatabase, { version, keyFile }: ReadOptions): Promise<Header> {
  const migrations = await migrationsOf(database);
  if (migrations.length === 0) {
    throw new TransferError('not_migrated', 'The database has no tables of Gatehouse.');
  }
  const tables: TransferTable[] = [];
  const keyIds = new Set<string>();
  for (const name of TABLES) {
    const columns = (await columnsOf(database, name)).map((column) => column.name);
    // The tables of later migrations: the database may be older than this program.
    if (columns.length === 0) continue;
    tables.push({ name, columns, rows: await countOf(database, name) });
    if (!columns.includes('keyId')) continue;
    for (const keyId of await keyIdsOf(database, name)) keyIds.add(keyId);
  }
  return {
    format: FORMAT,
    version: FORMAT_VERSION,
    writtenBy: version,
    writtenAt: new Date().toISOString(),
    migrations,
    tables,
    keyIds: [...keyIds].sort(),
    keyFile,
  };
}

async function countOf(database: RawDatabase, table: string): Promise<number> {
  const [found] = await database.query(`SELECT count(*)::text AS "rows" FROM ${quoted(table)}`);
  return z.object({ rows: z.coerce.number() }).parse(found).rows;
}

/** The keys that rows are sealed with. `KeyCheck` also names keys that no row needs any more. */
async function keyIdsOf(database: RawDatabase, table: string): Promise<string[]> {
  if (table === 'KeyCheck') return [];
  const found = await database.query(
    `SELECT DISTINCT "keyId" FROM ${quoted(table)} WHERE "keyId" IS NOT NULL`,
  );
  return keyIdsSchema.parse(found).map(({ keyId }) => keyId);
}

async function* pagesOf(
  database: RawDatabase,
  { name, columns }: TransferTable,
): AsyncGenerator<readonly string[]> {
  const values = columns.map((column) => `${quoted(column)}::text`).join(', ');
  await database.query(
    `DECLARE "rows" NO SCROLL CURSOR FOR SELECT json_build_array(${values})::text AS "line" FROM ${quoted(name)}`,
  );
  for (;;) {
    const found = linesSchema.parse(await database.query(`FETCH ${PAGE} FROM "rows"`));
    if (found.length === 0) break;
    yield found.map(({ line }) => line);
  }
  await database.query('CLOSE "rows"');
}
