import type { MappedError } from '@prisma/driver-adapter-utils';
import type { DriverCause } from './driver-cause.ts';

/**
 * Prisma's codes: P10xx for a server, database or role that cannot be used, and for a connection or
 * transaction that was lost; P2024 and P2037 for no free connection; P2028 for no transaction in time.
 */
const CODES = /^(?:P1000|P1001|P1002|P1003|P1008|P1010|P1011|P1017|P1018|P2024|P2028|P2037)$/;

/**
 * The driver adapters' kinds of errors, and whether each means that the server is unreachable. For raw
 * queries Prisma reports nothing else. The compiler demands an entry for each kind that an upgrade adds.
 */
const KINDS: Readonly<Record<MappedError['kind'], boolean>> = {
  AuthenticationFailed: true,
  ConnectionClosed: true,
  DatabaseAccessDenied: true,
  DatabaseDoesNotExist: true,
  DatabaseNotReachable: true,
  SocketTimeout: true,
  TlsConnectionError: true,
  TooManyConnections: true,
  TransactionAlreadyClosed: true,
  ColumnNotFound: false,
  DatabaseAlreadyExists: false,
  ForeignKeyConstraintViolation: false,
  GenericJs: false,
  InconsistentColumnData: false,
  InvalidInputValue: false,
  InvalidIsolationLevel: false,
  LengthMismatch: false,
  MissingFullTextSearchIndex: false,
  mssql: false,
  mysql: false,
  NullConstraintViolation: false,
  postgres: false,
  RestrictViolation: false,
  sqlite: false,
  TableDoesNotExist: false,
  TransactionWriteConflict: false,
  UniqueConstraintViolation: false,
  UnsupportedNativeDataType: false,
  ValueOutOfRange: false,
};

/**
 * SQLSTATEs with which a server, or a pooler before it, says that it cannot serve anybody now: classes
 * 08 (connection), 28 and 3D (role, password or database, as seen during a failover or a rotation), 53
 * (resources), 57 (starting, stopping, cancelled), 58 (its disk); 25006 a standby or read-only server,
 * 25P03 and 25P04 a transaction that it ended, 55P03 a lock that was not free in time.
 */
const SQL_STATES = /^(?:08|28|3D|53|57|58)...$|^(?:25006|25P03|25P04|55P03)$/;

/** What Node reports of a socket, a name or TLS. */
const SOCKET_CODES =
  /^(?:E(?:CONN\w+|PIPE|TIMEDOUT|HOST\w+|NET\w+|ADDRNOTAVAIL|AI_\w+|NOTFOUND)|ERR_(?:TLS|SSL)\w+)$/;

/** pg reports these without a code, and some layers keep only the text of a socket error. */
const MESSAGES =
  /Connection (?:terminated|ended)|^timeout expired$|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Cannot use a pool after|socket has been ended|SSL connection|^SASL: |\bE(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT)\b|PGlite is clos|The embedded database can no longer be written/;

/** True for a Prisma code for a missing connection or transaction. */
export function isUnreachableCode(code: string): boolean {
  return CODES.test(code);
}

/** True if the driver could not reach a server that accepts queries. */
export function isUnreachableCause({ code, kind, message }: DriverCause): boolean {
  if (kind !== undefined && isMappedKind(kind) && KINDS[kind]) return true;
  if (code !== undefined && (SQL_STATES.test(code) || SOCKET_CODES.test(code))) return true;
  return MESSAGES.test(message);
}

function isMappedKind(kind: string): kind is MappedError['kind'] {
  return Object.hasOwn(KINDS, kind);
}
