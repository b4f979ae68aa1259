import { MORE_FILES, OUT_OF_FILES } from '../operator-error.ts';
import { failureCode, sqlState, toDatabaseUnavailable } from './database-failure.ts';
import { DiskError } from './disk-guard.ts';
import { outageCause } from './outage-cause.ts';
import { DatabaseStartError, LockLostError } from './start-error.ts';
import type { Store } from './store.ts';

/** SQLSTATE insufficient_privilege. */
export const INSUFFICIENT_PRIVILEGE = '42501';

/** SQLSTATE lock_not_available: `lock_timeout` has passed. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Shown when the driver reports no code. */
const NO_CODE = 'no response in time';

/** Runs one step of the start. @throws DatabaseStartError when the database makes the step fail. */
export async function runStartStep<T>(kind: Store['kind'], step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw toStartError(kind, error) ?? error;
  }
}

/** `undefined` when the error does not come from the database. */
function toStartError(kind: Store['kind'], error: unknown): DatabaseStartError | undefined {
  if (error instanceof DatabaseStartError) return error;
  if (error instanceof DiskError)
    return new DatabaseStartError('disk_failed', error.message, { cause: error });
  if (error instanceof LockLostError)
    return new DatabaseStartError('lock_lost', error.message, { cause: error });
  const state = sqlState(error);
  if (state === INSUFFICIENT_PRIVILEGE) return notPermitted(error);
  if (state === LOCK_NOT_AVAILABLE) return locked(error);
  if (state === undefined && toDatabaseUnavailable(error) === undefined) return undefined;
  return unreachable(kind, error);
}

/** The driver's own message is left out: it may contain the user, the host or parts of the URL. */
export function unreachable(kind: Store['kind'], cause: unknown): DatabaseStartError {
  const message = kind === 'postgresql' ? postgresqlMessage(cause) : embeddedMessage(cause);
  return new DatabaseStartError('unreachable', message, { cause });
}

function postgresqlMessage(cause: unknown): string {
  const { code, reason, advice } = outageCause(cause);
  const known = code === undefined ? '' : ` (${code})`;
  // Any other statement that fails at the start has a code that says more than words for outages.
  return toDatabaseUnavailable(cause) === undefined
    ? `The database in DATABASE_URL cannot be used${known}. Check that it is the one of Gatehouse, as Gatehouse left it.`
    : `The database in DATABASE_URL cannot be used: ${reason}${known}. ${advice}`;
}

function embeddedMessage(cause: unknown): string {
  const code = failureCode(cause);
  const advice = OUT_OF_FILES.has(code)
    ? `${MORE_FILES}, and start again.`
    : 'Check that the disk is not full, and that the files belong to the user that runs Gatehouse.';
  return `The database in GATEHOUSE_DATA_DIR cannot be used (${code ?? NO_CODE}). ${advice}`;
}

export function notPermitted(cause: unknown): DatabaseStartError {
  return new DatabaseStartError(
    'not_permitted',
    `The role in DATABASE_URL lacks privileges in the database (${INSUFFICIENT_PRIVILEGE}). ` +
      'Use the role that owns the tables of Gatehouse and their schema, or grant it all privileges on both.',
    { cause },
  );
}

export function noNotifications(cause: unknown): DatabaseStartError {
  return new DatabaseStartError(
    'no_notifications',
    'The server in DATABASE_URL does not deliver notifications (LISTEN and NOTIFY), as is the case behind a pooler in transaction mode. ' +
      'Connect to PostgreSQL directly, or through a pooler in session mode.',
    { cause },
  );
}

function locked(cause: unknown): DatabaseStartError {
  return new DatabaseStartError(
    'locked',
    `Another Gatehouse process is migrating the database and has not finished (${LOCK_NOT_AVAILABLE}). ` +
      'Wait until it has started, or stop it, and start again.',
    { cause },
  );
}
