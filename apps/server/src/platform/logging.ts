import { type DestinationStream, type LogFn, type Logger, pino } from 'pino';
import { standardOutput } from './standard-output.ts';

export type { Logger } from 'pino';

/** The levels of GATEHOUSE_LOG_LEVEL. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Names of values that are or contain secrets, as spelled in headers, bodies, rows and configuration. */
export const SECRET_NAMES: readonly string[] = [
  'authorization',
  'Authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'mcp-session-id',
  'token',
  'accessToken',
  'access_token',
  'refreshToken',
  'refresh_token',
  'id_token',
  'serverToken',
  'clientSecret',
  'client_secret',
  'secret',
  'password',
  'passwordHash',
  'form_token',
  'fields',
  'tokenParams',
  'sealed',
  'hash',
  'secretHash',
  'databaseUrl',
  'bootstrapToken',
  'encryptionKeys',
  'metricsToken',
];

/** The secret names at the first three levels of a log entry. */
const REDACTED_PATHS = SECRET_NAMES.flatMap((name) =>
  ['', '*.', '*.*.'].map((prefix) =>
    /^\w+$/.test(name) ? `${prefix}${name}` : `${prefix.replace(/\.$/, '')}["${name}"]`,
  ),
);

/**
 * The service's logger writes JSON lines to standard output. Errors are passed as `err` and logged
 * without their messages, because fetch, undici and JSON.parse quote header values, URLs and input.
 *
 * @param isCovered whether a line with this error is left out, because other lines say the same.
 */
export function createLogger(
  level: (typeof LOG_LEVELS)[number],
  destination: DestinationStream = standardOutput(),
  isCovered: (error: unknown) => boolean = () => false,
): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
    serializers: { err: describeError },
    hooks: {
      logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn) {
        if (!isCovered(errorOf(args[0]))) method.apply(this, args);
      },
    },
  };
  return pino(options, destination);
}

function errorOf(fields: unknown): unknown {
  return typeof fields === 'object' && fields !== null && 'err' in fields ? fields.err : undefined;
}

/** The safe parts of an error: its type, codes and stack locations. The message may quote a secret. */
function describeError(error: unknown): Record<string, unknown> {
  if (typeof error !== 'object' || error === null) return { type: typeof error };
  const { code, originalCode, kind, cause } = error as Record<string, unknown>;
  const named = Object.entries({ code, originalCode, kind }).filter(
    ([, value]) => typeof value === 'string',
  );
  return {
    type: error instanceof Error ? error.name : 'object',
    ...Object.fromEntries(named),
    ...(error instanceof Error ? { at: stackLocations(error) } : {}),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}

/** The stack begins with the message, which may span several lines. */
function stackLocations({ stack = '', message }: Error): string[] {
  const start = message === '' ? 0 : stack.indexOf(message) + message.length;
  return stack
    .slice(start)
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim());
}
