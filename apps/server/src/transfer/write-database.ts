import { z } from 'zod';
import type { RawDatabase } from '../platform/database/raw-database.ts';
import { countRows, type Header, type TransferTable } from './header.ts';
import type { OnProgress } from './imported.ts';
import { migrationsOf } from './migration-state.ts';
import type { TransferFile } from './read-transfer-file.ts';
import { recordImport } from './record-import.ts';
import { columnsOf, LEFT_OUT, quoted, TABLES } from './tables.ts';
import { TransferError } from './transfer-error.ts';

/** The most rows, and characters, in one statement. */
const BATCH_ROWS = 500;
const BATCH_LENGTH = 1_000_000;

/**
 * Writes the rows of a file into a database that has exactly the migrations of the file and no rows.
 * One transaction: all or nothing.
 *
 * @param rows the lines after the header; read to the end, so that a file that was cut off is noticed.
 * @param command that does so; an event tells of it
 * @throws TransferError `newer`, `not_empty`, `damaged`
 */
export async function writeDatabase(
  database: RawDatabase,
  { header, rows }: Pick<TransferFile, 'header' | 'rows'>,
  command: string,
  onProgress?: OnProgress,
): Promise<void> {
  await database.query('BEGIN');
  try {
    // The lock under which a server creates its first owner.
    await database.query(
      `SELECT pg_advisory_xact_lock(hashtextextended('gatehouse:bootstrap', 0))`,
    );
    await checkMigrations(database, header);
    await checkEmpty(database);
    const ofRows = countRows(header);
    let written = 0;
    for (const table of header.tables) {
      await writeTable(database, table, rows, (count) => {
        written += count;
        onProgress?.({ rows: written, ofRows });
      });
    }
    if ((await rows.next()).done !== true) throw damaged();
    await recordImport(database, header, command);
    await database.query('COMMIT');
  } catch (error) {
    await database.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function checkMigrations(database: RawDatabase, { migrations }: Header): Promise<void> {
  const found = await migrationsOf(database);
  if (found.join() === migrations.join()) return;
  throw new TransferError(
    'newer',
    'The database has tables of a newer version of Gatehouse than the file. Use a database without any tables.',
  );
}

async function checkEmpty(database: RawDatabase): Promise<void> {
  const names = [...TABLES, ...Object.keys(LEFT_OUT)].filter((name) => !name.startsWith('_'));
  for (const name of names) {
    if ((await columnsOf(database, name)).length === 0) continue;
    const found = await database.query(`SELECT 1 FROM ${quoted(name)} LIMIT 1`);
    if (found.length === 0) continue;
    throw new TransferError(
      'not_empty',
      `The database is not empty: its table ${name} has rows. Use an empty database, which no server has been started with.`,
    );
  }
}

async function writeTable(
  database: RawDatabase,
  { name, columns, rows: count }: TransferTable,
  rows: AsyncIterator<string>,
  onWritten: (count: number) => void,
): Promise<void> {
  const sql = await insertOf(database, name, columns);
  let left = count;
  while (left > 0) {
    const batch = await takeBatch(rows, Math.min(left, BATCH_ROWS));
    await insert(database, sql, batch);
    left -= batch.length;
    onWritten(batch.length);
  }
}

/** PostgreSQL reads the values back from the texts that it has written. */
async function insertOf(
  database: RawDatabase,
  table: string,
  names: readonly string[],
): Promise<string> {
  const types = new Map((await columnsOf(database, table)).map(({ name, type }) => [name, type]));
  const values = names.map((name, index) => {
    const type = types.get(name);
    if (type === undefined) throw damaged();
    return `("r"->>${index})::${type}`;
  });
  return `INSERT INTO ${quoted(table)} (${names.map(quoted).join(', ')})
    SELECT ${values.join(', ')} FROM json_array_elements($1::text::json) AS "r"`;
}

async function takeBatch(rows: AsyncIterator<string>, most: number): Promise<string[]> {
  const batch: string[] = [];
  let length = 0;
  while (batch.length < most && length < BATCH_LENGTH) {
    const next = await rows.next();
    if (next.done) throw damaged();
    batch.push(next.value);
    length += next.value.length;
  }
  return batch;
}

async function insert(database: RawDatabase, sql: string, batch: readonly string[]): Promise<void> {
  const found = await database.query(
    `WITH "written" AS (${sql} RETURNING 1) SELECT count(*)::text AS "rows" FROM "written"`,
    [`[${batch.join(',')}]`],
  );
  const { rows } = z.object({ rows: z.coerce.number() }).parse(found[0]);
  if (rows !== batch.length) throw damaged();
}

function damaged(): TransferError {
  return new TransferError('damaged', 'The file does not hold what its first line says.');
}
