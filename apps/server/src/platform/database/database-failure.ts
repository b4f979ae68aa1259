import { Prisma } from '../../generated/prisma/client.ts';
import { ProblemError } from '../problem-error.ts';

/** Seconds after which a caller may retry when the database is unavailable. */
const RETRY_AFTER = '1';

/** Prisma codes: no transaction in time; connection refused, lost, closed or timed out; pool exhausted. */
const UNAVAILABLE_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037']);

/** SQLSTATE classes 08 (connection), 53 (resources), 57 (operator intervention), and Node's socket errors. */
const UNAVAILABLE_CAUSE =
  /^(?:08|53|57)|^E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND)|^E[MN]FILE/;

/** pg reports these without a code, and some layers keep only the text of a socket error. */
const UNAVAILABLE_MESSAGE =
  /Connection (?:terminated|ended)|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|socket has been ended|\bE(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT)\b|PGlite is clos/;

/** How Node, the system and the embedded database's file layer say that no file can be opened. */
const OUT_OF_FILES = /\bE[MN]FILE\b|[Tt]oo many open files|No file descriptors available/;

/** The driver's own error: its SQLSTATE or socket error code, and its message. */
interface DriverCause {
  readonly code: string | undefined;
  readonly message: string;
}

/** The SQLSTATE of a failed statement, on either store. */
export function sqlState(error: unknown): string | undefined {
  const cause = driverCause(error);
  return cause?.code !== undefined && /^[0-9A-Z]{5}$/.test(cause.code) ? cause.code : undefined;
}

/** The code of a failure: an SQLSTATE, a socket error code or a Prisma code. */
export function failureCode(error: unknown): string | undefined {
  return driverCause(error)?.code;
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

/**
 * `database_unavailable` (503 with Retry-After) when the database could not be reached in time, or
 * when retries did not resolve a conflict; `undefined` for every other error.
 */
export function toDatabaseUnavailable(error: unknown): ProblemError | undefined {
  if (!isUnavailable(error) && !isConflict(error)) return undefined;
  return new ProblemError(
    'database_unavailable',
    'The database is not available at the moment. Try again shortly.',
    {
      headers: { 'Retry-After': RETRY_AFTER },
      cause: error,
    },
  );
}

function isUnavailable(error: unknown): boolean {
  if (isKnown(error) && UNAVAILABLE_CODES.has(error.code)) return true;
  if (error instanceof Prisma.PrismaClientInitializationError) return true;
  const cause = driverCause(error);
  if (cause === undefined) return false;
  return (
    (cause.code !== undefined && UNAVAILABLE_CAUSE.test(cause.code)) ||
    UNAVAILABLE_MESSAGE.test(cause.message) ||
    isOutOfFiles(error)
  );
}

/** Whether something failed because the process or the system has no file descriptors left. */
export function isOutOfFiles(error: unknown): boolean {
  const cause = driverCause(error);
  return cause !== undefined && OUT_OF_FILES.test(`${cause.code} ${cause.message}`);
}

function isKnown(error: unknown): error is Prisma.PrismaClientKnownRequestError {
  return error instanceof Prisma.PrismaClientKnownRequestError;
}

function driverCause(error: unknown): DriverCause | undefined {
  const seen = new Set<unknown>();
  let current = error;
  while (isObject(current) && !seen.has(current)) {
    seen.add(current);
    if (typeof current.originalMessage === 'string') {
      return { code: textOf(current.originalCode), message: current.originalMessage };
    }
    const next = isObject(current.meta) ? current.meta.driverAdapterError : current.cause;
    if (next === undefined) break;
    current = next;
  }
  if (!isObject(current)) return undefined;
  return { code: textOf(current.code), message: textOf(current.message) ?? '' };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
