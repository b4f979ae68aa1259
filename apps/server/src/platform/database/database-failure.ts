import { Prisma } from '../../generated/prisma/client.ts';
import { ProblemError } from '../problem-error.ts';
import { driverCause } from './driver-cause.ts';
import { isUnreachableCause, isUnreachableCode } from './unreachable.ts';

/** Seconds after which a caller may retry when the database is unavailable. */
const RETRY_AFTER = '1';

/** How Node, the system and the embedded database's file layer say that no file can be opened. */
const OUT_OF_FILES = /\bE[MN]FILE\b|[Tt]oo many open files|No file descriptors available/;

/** A connection that was lost in use, as Node, Prisma and the driver adapters call it. */
const LOST_CODES = /^(?:ECONNRESET|EPIPE|ETIMEDOUT|P1008|P1017|ConnectionClosed|SocketTimeout)$/;
const LOST_MESSAGES = /Connection (?:terminated|ended)|Query read timeout|socket has been ended/;

/** The SQLSTATE of a failed statement, on either store. */
export function sqlState(error: unknown): string | undefined {
  const cause = driverCause(error);
  return cause?.code !== undefined && /^[0-9A-Z]{5}$/.test(cause.code) ? cause.code : undefined;
}

/**
 * The code of a failure: its SQLSTATE, socket error code or Prisma code, else the driver adapter's kind.
 */
export function failureCode(error: unknown): string | undefined {
  const cause = driverCause(error);
  return cause?.code ?? cause?.kind;
}

/**
 * The name of the unique constraint that a write violated (P2002), else `undefined`. It is read from
 * PostgreSQL's message, because the two driver adapters report the columns in different forms.
 */
export function violatedConstraint(error: unknown): string | undefined {
  if (sqlState(error) !== '23505') return undefined;
  return /unique constraint "([^"]+)"/.exec(driverCause(error)?.message ?? '')?.[1];
}

/** True for a serialization failure (40001) or a deadlock (40P01): the transaction can be retried. */
export function isConflict(error: unknown): boolean {
  if (isKnown(error) && error.code === 'P2034') return true;
  const state = sqlState(error);
  return state === '40001' || state === '40P01';
}

/** True when a lock (55P03), a statement (57014) or a transaction took longer than it may. */
export function isOutOfTime(error: unknown): boolean {
  if (isKnown(error) && error.code === 'P2028') return true;
  const state = sqlState(error);
  return state === '55P03' || state === '57014';
}

/**
 * `database_unavailable` (503 with Retry-After) when the database could not be reached in time, or
 * when retries did not resolve a conflict; `undefined` for every other error.
 */
export function toDatabaseUnavailable(error: unknown): ProblemError | undefined {
  return isUnavailable(error) || isConflict(error) ? databaseUnavailable(error) : undefined;
}

export function databaseUnavailable(cause?: unknown): ProblemError {
  return new ProblemError(
    'database_unavailable',
    'The database is not available at the moment. Try again shortly.',
    { headers: { 'Retry-After': RETRY_AFTER }, ...(cause === undefined ? {} : { cause }) },
  );
}

function isUnavailable(error: unknown): boolean {
  if (isKnown(error) && isUnreachableCode(error.code)) return true;
  if (error instanceof Prisma.PrismaClientInitializationError) return true;
  const cause = driverCause(error);
  return cause !== undefined && (isUnreachableCause(cause) || isOutOfFiles(error));
}

/**
 * Whether a statement outside a transaction may have been committed although it failed: the connection was lost before the answer
 * came. An answer of the server, and a connection that was not made, mean that it was not.
 */
export function mayBeCommitted(error: unknown): boolean {
  if (isKnown(error) && LOST_CODES.test(error.code)) return true;
  const { code = '', kind = '', message = '' } = driverCause(error) ?? {};
  return LOST_CODES.test(code) || LOST_CODES.test(kind) || LOST_MESSAGES.test(message);
}

/** Whether something failed because the process or the system has no file descriptors left. */
export function isOutOfFiles(error: unknown): boolean {
  const cause = driverCause(error);
  return cause !== undefined && OUT_OF_FILES.test(`${cause.code} ${cause.message}`);
}

function isKnown(error: unknown): error is Prisma.PrismaClientKnownRequestError {
  return error instanceof Prisma.PrismaClientKnownRequestError;
}
