import { asDatabaseUnavailable, failureCode, sqlState } from './database-failure.ts';
import { DatabaseStartError } from './start-error.ts';
import type { Store } from './store.ts';

/** The driver's own message is left out: it may name the user, the host or parts of the URL. */
export function unusable(kind: Store['kind'], code: string, cause: unknown): DatabaseStartError {
  const message =
    kind === 'postgresql'
      ? `The database that DATABASE_URL names cannot be used (${code}). ` +
        'Check that the server runs, and the host, port, user, password and database name.'
      : `The database in GATEHOUSE_DATA_DIR cannot be used (${code}). ` +
        'Check that its disk has room, and that its files belong to the user of this process.';
  return new DatabaseStartError('unreachable', message, { cause });
}

/** SQLSTATE insufficient_privilege. */
export const NOT_PERMITTED = '42501';

export function notPermitted(cause: unknown): DatabaseStartError {
  return new DatabaseStartError(
    'not_permitted',
    `The role that DATABASE_URL names lacks rights in the database (${NOT_PERMITTED}). ` +
      'Use the role that owns the tables of Gatehouse and their schema, or grant it all rights on both.',
    { cause },
  );
}

/**
 * What the operator is told of a step of the start that the database failed; `undefined` when the
 * error is not the database's.
 */
function asStartError(kind: Store['kind'], error: unknown): DatabaseStartError | undefined {
  if (error instanceof DatabaseStartError) return error;
  const state = sqlState(error);
  if (state === NOT_PERMITTED) return notPermitted(error);
  if (state === '55P03') {
    return new DatabaseStartError(
      'locked',
      'Another process holds the lock under which the database is migrated (55P03). ' +
        'Wait until it has started, or end it, and start again.',
      { cause: error },
    );
  }
  if (state === undefined && asDatabaseUnavailable(error) === undefined) return undefined;
  return unusable(kind, failureCode(error) ?? 'no answer in time', error);
}

/** Does a step of the start. @throws DatabaseStartError when the database fails it. */
export async function orStartError<T>(kind: Store['kind'], step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw asStartError(kind, error) ?? error;
  }
}
