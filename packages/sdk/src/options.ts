import { readEnvironment } from './environment.ts';
import { InvalidArgumentError } from './errors.ts';
import { isLogLevel, type Logger, type LogLevel, limitLogger } from './logging.ts';
import { assertTimeout } from './transport/deadline.ts';
import { normalizeBaseUrl } from './transport/url.ts';

/** A function that performs a request: the platform's `fetch` or one with its signature. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Options of a client. An option that is given wins over its environment variable. */
export interface GatehouseOptions {
  /** A personal access token, or an OAuth access token. Default: `GATEHOUSE_ACCESS_TOKEN`. */
  readonly accessToken?: string | undefined;
  /**
   * Where the service is, such as `https://gatehouse.example.com`; `/api/v1` is appended when
   * missing. Default: `GATEHOUSE_BASE_URL`.
   */
  readonly baseUrl?: string | undefined;
  /**
   * Milliseconds until a request fails with `TimeoutError`, the reading of its body included.
   *
   * @defaultValue 30000
   */
  readonly timeout?: number | undefined;
  /** Performs the requests, called without a `this`. Default: the `fetch` of the platform. */
  readonly fetch?: Fetch | undefined;
  /**
   * `debug` logs every request, `info` the failed ones. Default: `GATEHOUSE_LOG`, else `warn`.
   * Neither headers nor bodies are ever logged.
   */
  readonly logLevel?: LogLevel | undefined;
  /** Where log lines go. Default: `console`. */
  readonly logger?: Logger | undefined;
}

/** Options of a single call. */
export interface RequestOptions {
  /** Ends the call with `AbortError` when aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds, in place of the client's `timeout`. */
  readonly timeout?: number | undefined;
  /** Further headers, such as `X-Request-Id`. Those the client sets itself cannot be changed. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of a call that takes effect once per key. */
export interface IdempotentOptions extends RequestOptions {
  /** Repeating the call with the same key within 24 hours returns the first answer again. */
  readonly idempotencyKey?: string | undefined;
}

/** Options of a call that may be bound to a version of the resource. */
export interface ConditionalOptions extends RequestOptions {
  /** The `etag` of an earlier answer; if the resource changed since, `PreconditionFailedError`. */
  readonly ifMatch?: string | undefined;
}

/** Options of a partial update. */
export interface UpdateOptions extends IdempotentOptions, ConditionalOptions {}

/** {@link GatehouseOptions} with the environment and the defaults filled in. */
export interface ResolvedOptions {
  readonly accessToken: string;
  readonly baseUrl: string;
  readonly timeout: number;
  readonly fetch: Fetch | undefined;
  readonly logger: Logger;
}

const DEFAULT_TIMEOUT = 30_000;

/**
 * Fills in the environment and the defaults, and checks everything before a request is made.
 *
 * @throws InvalidArgumentError naming the option, never its value.
 */
export function resolveOptions(options: GatehouseOptions): ResolvedOptions {
  const accessToken = options.accessToken ?? readEnvironment('GATEHOUSE_ACCESS_TOKEN');
  const baseUrl = options.baseUrl ?? readEnvironment('GATEHOUSE_BASE_URL');
  if (accessToken === undefined) {
    throw new InvalidArgumentError('Set accessToken or GATEHOUSE_ACCESS_TOKEN.');
  }
  // A header constructor refusing the token would quote it in its message.
  if (!/^[\x21-\x7e]+$/.test(accessToken)) {
    throw new InvalidArgumentError('accessToken must be non-empty visible ASCII without spaces.');
  }
  if (baseUrl === undefined) {
    throw new InvalidArgumentError('Set baseUrl or GATEHOUSE_BASE_URL.');
  }
  const timeout = options.timeout ?? DEFAULT_TIMEOUT;
  assertTimeout(timeout);
  return {
    accessToken,
    baseUrl: normalizeBaseUrl(baseUrl),
    timeout,
    fetch: options.fetch,
    logger: resolveLogger(options),
  };
}

function resolveLogger({ logger = console, logLevel }: GatehouseOptions): Logger {
  const word = logLevel ?? readEnvironment('GATEHOUSE_LOG');
  if (word === undefined) return limitLogger(logger, 'warn');
  if (isLogLevel(word)) return limitLogger(logger, word);
  if (logLevel !== undefined) {
    throw new InvalidArgumentError('logLevel must be off, error, warn, info or debug.');
  }
  logger.warn('GATEHOUSE_LOG is ignored: it must be off, error, warn, info or debug.');
  return limitLogger(logger, 'warn');
}
