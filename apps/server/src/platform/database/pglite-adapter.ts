import type { PGlite } from '@electric-sql/pglite';
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  Transaction,
} from '@prisma/driver-adapter-utils';
import { PrismaPGlite } from 'pglite-prisma-adapter';

/** Prisma's adapter factory for PGlite. */
export function pgliteAdapter(database: PGlite): SqlDriverAdapterFactory {
  return {
    provider: 'postgres',
    adapterName: 'pglite-prisma-adapter',
    connect: () => connect(database),
  };
}

/** Why a transaction failed, by its handle. */
const failures = new WeakMap<object, unknown>();

const reporting = new WeakSet<PGlite>();

async function connect(database: PGlite): Promise<SqlDriverAdapter> {
  reportTransactions(database);
  // The cast is needed because it depends on an older, compatible version of driver-adapter-utils.
  const adapter = (await new PrismaPGlite(database).connect()) as unknown as SqlDriverAdapter;
  const { startTransaction } = adapter;
  return Object.assign(adapter, {
    startTransaction: async (...args: Parameters<SqlDriverAdapter['startTransaction']>) =>
      withCommitErrors(await startTransaction.apply(adapter, args)),
  });
}

/**
 * Notes why a transaction failed. pglite-prisma-adapter 0.7.2 drops the error of a `COMMIT`, so a lost
 * write would be acknowledged, and does not wait for a `ROLLBACK`, so its error would end the process.
 */
function reportTransactions(database: PGlite): void {
  if (reporting.has(database)) return;
  reporting.add(database);
  const run = database.transaction.bind(database);
  const transaction: PGlite['transaction'] = (work) => {
    let handle: object = {};
    const result = run((tx) => {
      handle = tx;
      const { rollback } = tx;
      return work(Object.assign(tx, { rollback: () => rollback.call(tx).catch(() => undefined) }));
    });
    return result.catch((error: unknown) => {
      failures.set(handle, error);
      throw error;
    });
  };
  Object.assign(database, { transaction });
}

function withCommitErrors(tx: Transaction): Transaction {
  const { commit } = tx;
  return Object.assign(tx, {
    commit: async () => {
      await commit.call(tx);
      const handle: unknown = Reflect.get(tx, 'client');
      const failure =
        typeof handle === 'object' && handle !== null ? failures.get(handle) : undefined;
      if (failure !== undefined) throw failure;
    },
  });
}
