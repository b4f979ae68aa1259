import { failureCode } from './database-failure.ts';
import { driverCause } from './driver-cause.ts';

/** Why a PostgreSQL cannot be used. */
export interface OutageCause {
  /** The driver's: an SQLSTATE, a socket error code or a Prisma code. */
  readonly code: string | undefined;
  /** In words, from a closed list. */
  readonly reason: string;
  /** What to check. */
  readonly advice: string;
  /** False when the server may only be slow, or one statement has waited for another. */
  readonly isCertain: boolean;
}

interface Rule {
  /** Of the code, or else of the message. */
  readonly pattern: RegExp;
  readonly reason: string;
  readonly advice: string;
}

const RULES: readonly Rule[] = [
  {
    pattern: /\bECONNREFUSED\b/,
    reason: 'the connection is refused',
    advice: 'Check that the server runs, and that host and port are correct.',
  },
  {
    pattern: /^(?:ENOTFOUND|EAI_\w+)$/,
    reason: 'the name of its host is unknown',
    advice: 'Check the host, and that this machine resolves names.',
  },
  {
    pattern: /^E(?:HOST|NET)\w+$|^EADDRNOTAVAIL$|^DatabaseNotReachable$|^P1001$/,
    reason: 'its host cannot be reached',
    advice: 'Check the host, and the network in between.',
  },
  {
    pattern: /^28P01$|^AuthenticationFailed$|^P1000$|^SASL: /,
    reason: 'the user or the password is wrong',
    advice: 'Check user and password.',
  },
  {
    pattern: /^28...$|^DatabaseAccessDenied$|^P1010$/,
    reason: 'it does not let the user in',
    advice: 'Check that the role exists and may log in, and what pg_hba.conf says of it.',
  },
  {
    pattern: /^3D...$|^DatabaseDoesNotExist$|^P1003$/,
    reason: 'it has no database of that name',
    advice: 'Check the name of the database, or create it.',
  },
  {
    pattern: /^ERR_(?:TLS|SSL)\w+$|^TlsConnectionError$|^P1011$|SSL connection/,
    reason: 'the TLS connection fails',
    advice: 'Check sslmode, and the certificate of the server.',
  },
  {
    pattern: /^53300$|^TooManyConnections$|^P2037$/,
    reason: 'it has no connection left',
    advice: 'Check max_connections, and the limits of role and database: a node takes up to 12.',
  },
  {
    pattern: /^57P0.$/,
    reason: 'it is starting or stopping',
    advice: 'Look at the log of the server.',
  },
  {
    pattern: /^25006$/,
    reason: 'it takes no writes',
    advice: 'Set DATABASE_URL to the primary server.',
  },
  {
    pattern: /^53...$|^58...$/,
    reason: 'it lacks memory or disk',
    advice: 'Look at the log of the server.',
  },
  {
    pattern:
      /^08...$|\b(?:ECONNRESET|EPIPE)\b|^ConnectionClosed$|^P1017$|Connection (?:terminated(?! due to)|ended)|socket has been ended|not queryable/,
    reason: 'the connection was lost',
    advice: 'Look at the log of the server, and at what is between.',
  },
];

const NO_RESPONSE = {
  reason: 'there is no response in time',
  advice: 'Check that the server runs, and that host and port are correct.',
};

/** What an error of the driver says about the server. */
export function outageCause(error: unknown): OutageCause {
  const code = failureCode(error);
  const rule =
    RULES.find(({ pattern }) => code !== undefined && pattern.test(code)) ??
    RULES.find(({ pattern }) => pattern.test(driverCause(error)?.message ?? ''));
  const { reason, advice } = rule ?? NO_RESPONSE;
  return { code, reason, advice, isCertain: rule !== undefined };
}
