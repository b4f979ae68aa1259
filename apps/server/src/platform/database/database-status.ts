import { Prisma } from '../../generated/prisma/client.ts';
import type { Store } from './store.ts';

/** The version and state of a database, as it reports them. */
export interface DatabaseStatus {
  readonly kind: Store['kind'];
  /** The version of PostgreSQL, such as 17.2. */
  readonly version: string;
  readonly isReadOnly: boolean;
  /** Milliseconds that the database's clock is ahead of this process's. */
  readonly clockDifference: number;
}

export async function readDatabaseStatus({
  kind,
  db,
}: Pick<Store, 'kind' | 'db'>): Promise<DatabaseStatus> {
  const sentAt = Date.now();
  const [row] = await db.$queryRaw<{ version: string; isReadOnly: boolean; now: number }[]>`
    SELECT split_part(current_setting('server_version'), ' ', 1) AS "version",
      current_setting('transaction_read_only')::boolean AS "isReadOnly",
      (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "now"`;
  const middle = (sentAt + Date.now()) / 2;
  const { version = '', isReadOnly = true, now = middle } = row ?? {};
  return { kind, version, isReadOnly, clockDifference: Math.round(now - middle) };
}

const SETTING = 'transaction_read_only';

/**
 * False for a standby, or a server set to read only. Bypasses Prisma: its errors lack the driver's code.
 *
 * @throws ProblemError `database_unavailable`
 */
export async function isWritable({ statement }: Store): Promise<boolean> {
  const [row] = await statement([], () => ({
    name: 'is_writable',
    sql: Prisma.sql`SELECT current_setting(${SETTING}) = 'off' AS "isWritable"`,
  }));
  return typeof row === 'object' && row !== null && Reflect.get(row, 'isWritable') === true;
}
