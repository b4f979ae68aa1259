import {
  createPostgresqlDatabase,
  isPostgresqlReachable,
  type TestDatabase,
} from '../../support/database.ts';

/** True when PostgreSQL for tests answers; the suites that need it are skipped otherwise. */
export const hasPostgresql = await isPostgresqlReachable();

/** The stores that servers can be started on here. */
export const storeKinds: readonly ('pglite' | 'postgresql')[] = hasPostgresql
  ? ['pglite', 'postgresql']
  : ['pglite'];

/** An unmigrated database. */
export function createEmptyPostgresql(): Promise<
  TestDatabase & { readonly config: { readonly databaseUrl: string } }
> {
  return createPostgresqlDatabase({ empty: true });
}
