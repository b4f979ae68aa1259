import type { Store } from './store.ts';

/** What a database says of itself. */
export interface DatabaseStatus {
  readonly kind: Store['kind'];
  /** Of PostgreSQL, such as 17.2. */
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
