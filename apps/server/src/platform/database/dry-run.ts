import type { PrismaClient } from '../../generated/prisma/client.ts';
import { ProblemError } from '../problem-error.ts';
import { isOutOfTime } from './database-failure.ts';
import type { Tx } from './store.ts';
import { retryConflicts, type TransactionLimits } from './transaction.ts';

/** Prisma ends what takes longer, at its next statement. */
const LIMITS: TransactionLimits = { maxWait: 5_000, timeout: 3_000 };

/** Implements `Store.dryRun`. */
export function dryRun<T>(
  client: PrismaClient,
  work: (tx: Tx) => Promise<T>,
  limits = LIMITS,
): Promise<T> {
  return retryConflicts(() => attemptOnce(client, work, limits));
}

async function attemptOnce<T>(
  client: PrismaClient,
  work: (tx: Tx) => Promise<T>,
  limits: TransactionLimits,
): Promise<T> {
  let result: { readonly value: T } | undefined;
  const run = client.$transaction(
    async (db) => {
      // PostgreSQL looks for deadlocks after a second: until then this transaction has given up.
      await db.$executeRaw`
      SELECT set_config('lock_timeout', '200', true), set_config('statement_timeout', '500', true)`;
      result = { value: await work({ db, announce: () => {}, record: () => {} }) };
      throw new Error('A dry run is rolled back.');
    },
    { ...limits, isolationLevel: 'RepeatableRead' },
  );
  return run.catch((error: unknown) => {
    if (result !== undefined) return result.value;
    throw isOutOfTime(error) ? busy() : error;
  });
}

function busy(): ProblemError {
  const message = 'The changes could not be tried in time. Ask about fewer, or try again soon.';
  return new ProblemError('overloaded', message, { headers: { 'Retry-After': '5' } });
}
