import type { PGlite } from '@electric-sql/pglite';
import type {
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import { PrismaPGlite } from 'pglite-prisma-adapter';

/**
 * Prisma's adapter factory for PGlite. `executeScript` is replaced because that of
 * pglite-prisma-adapter 0.7.2 does not await: a failing migration would resolve.
 */
export function pgliteAdapter(database: PGlite): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: 'postgres',
    adapterName: 'pglite-prisma-adapter',
    connect: () => connect(database),
    connectToShadowDb: () =>
      Promise.reject(new Error('An embedded database has no shadow database.')),
  };
}

async function connect(database: PGlite): Promise<SqlDriverAdapter> {
  // The cast is needed because it depends on an older, compatible version of driver-adapter-utils.
  const adapter = (await new PrismaPGlite(database).connect()) as unknown as SqlDriverAdapter;
  return Object.assign(adapter, {
    executeScript: async (script: string) => {
      await database.exec(script);
    },
  });
}
