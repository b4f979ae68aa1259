/** How much is logged: each level includes those before it. */
export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug';

/** Where log lines go; `console` is one. */
export interface Logger {
  error(message: string, details?: object): void;
  warn(message: string, details?: object): void;
  info(message: string, details?: object): void;
  debug(message: string, details?: object): void;
}

const LEVELS: readonly LogLevel[] = ['off', 'error', 'warn', 'info', 'debug'];

/** Narrows a word of the environment to a level. */
export function isLogLevel(value: unknown): value is LogLevel {
  return LEVELS.some((level) => level === value);
}

/** The logger, with every method above `level` silenced. */
export function limitLogger(logger: Logger, level: LogLevel): Logger {
  const limit = LEVELS.indexOf(level);
  const pass = (name: Exclude<LogLevel, 'off'>) =>
    LEVELS.indexOf(name) <= limit
      ? (message: string, details?: object) => logger[name](message, details)
      : () => {};
  return { error: pass('error'), warn: pass('warn'), info: pass('info'), debug: pass('debug') };
}
