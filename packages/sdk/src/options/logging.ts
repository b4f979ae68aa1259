/**
 * How much is logged: each level includes those before it.
 */
export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug';

/**
 * Where log lines go; `console` is one.
 */
export interface Logger {
  /** Not used at present: the client throws errors instead of logging them. */
  error(message: string, details?: object): void;
  /** Problems with the configuration. */
  warn(message: string, details?: object): void;
  /** Failed requests and retries. */
  info(message: string, details?: object): void;
  /** Every request and its response. */
  debug(message: string, details?: object): void;
}

const LEVELS: readonly LogLevel[] = ['off', 'error', 'warn', 'info', 'debug'];

/** The end of a message about a value that is no level. */
export const ONE_OF_LEVELS = `must be one of ${LEVELS.join(', ')}.`;

/** Whether a value from the environment is a log level. */
export function isLogLevel(value: unknown): value is LogLevel {
  return LEVELS.some((level) => level === value);
}

/** A logger without the methods above a level, so that their arguments are never computed. */
export type LimitedLogger = Partial<Logger>;

/** The methods of the logger up to `level`. */
export function limitLogger(logger: Logger, level: LogLevel): LimitedLogger {
  const limited: LimitedLogger = {};
  for (const name of LEVELS.slice(0, LEVELS.indexOf(level) + 1)) {
    if (name !== 'off') limited[name] = (message, details) => logger[name](message, details);
  }
  return limited;
}
