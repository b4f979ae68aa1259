import { readEnvironment } from './environment.ts';
import { InvalidArgumentError } from './errors.ts';
import type { Hooks } from './hooks.ts';
import { isLogLevel, type LimitedLogger, limitLogger } from './logging.ts';
import type { Fetch, FetchOptions, GatehouseOptions, ResponseValidator } from './options.ts';
import { type AccessTokens, createAccessTokens } from './transport/access-tokens.ts';
import { type Clock, systemClock } from './transport/clock.ts';
import { assertTimeout } from './transport/deadline.ts';
import { normalizeBaseUrl } from './transport/url.ts';

/** {@link GatehouseOptions} with what tests replace; not public. */
export interface InternalOptions extends GatehouseOptions {
  readonly clock?: Clock | undefined;
}

/** {@link GatehouseOptions} with the environment and the defaults filled in. */
export interface ResolvedOptions extends Limits, Hooks {
  readonly accessTokens: AccessTokens;
  readonly baseUrl: string;
  readonly fetch?: Fetch | undefined;
  readonly fetchOptions?: FetchOptions | undefined;
  readonly logger: LimitedLogger;
  readonly validateResponse?: ResponseValidator | undefined;
  readonly clock: Clock;
}

const DEFAULT_TIMEOUT = 30_000;
const DEFAULT_MAX_RETRIES = 2;
const LOG_LEVEL_WORDS = 'off, error, warn, info or debug.';

/**
 * Fills in the environment and the defaults, and checks everything before a request is made.
 *
 * @throws InvalidArgumentError naming the option, never its value.
 */
export function resolveOptions(options: InternalOptions): ResolvedOptions {
  const accessToken = options.accessToken ?? readEnvironment('GATEHOUSE_ACCESS_TOKEN');
  const baseUrl = options.baseUrl ?? readEnvironment('GATEHOUSE_BASE_URL');
  if (accessToken === undefined) {
    throw new InvalidArgumentError('Set accessToken or GATEHOUSE_ACCESS_TOKEN.');
  }
  const accessTokens = createAccessTokens(accessToken);
  if (baseUrl === undefined) {
    throw new InvalidArgumentError('Set baseUrl or GATEHOUSE_BASE_URL.');
  }
  const limits = {
    timeout: options.timeout ?? DEFAULT_TIMEOUT,
    totalTimeout: options.totalTimeout ?? Number.POSITIVE_INFINITY,
    maxRetries: options.maxRetries ?? DEFAULT_MAX_RETRIES,
  };
  assertLimits(limits);
  return {
    ...options,
    ...limits,
    accessTokens,
    baseUrl: normalizeBaseUrl(baseUrl),
    logger: resolveLogger(options),
    clock: options.clock ?? systemClock,
  };
}

/** How long and how often a call may try. */
export interface Limits {
  readonly timeout: number;
  /** Infinity for none. */
  readonly totalTimeout: number;
  readonly maxRetries: number;
}

/** @throws InvalidArgumentError naming the limit that makes no sense. */
export function assertLimits({ timeout, totalTimeout, maxRetries }: Limits): void {
  assertTimeout(timeout);
  if (totalTimeout !== Number.POSITIVE_INFINITY) assertTimeout(totalTimeout, 'totalTimeout');
  if (Number.isSafeInteger(maxRetries) && maxRetries >= 0) return;
  throw new InvalidArgumentError('maxRetries must be a non-negative integer.');
}

function resolveLogger({ logger = console, logLevel }: GatehouseOptions): LimitedLogger {
  const word = logLevel ?? readEnvironment('GATEHOUSE_LOG') ?? 'warn';
  if (isLogLevel(word)) return limitLogger(logger, word);
  if (logLevel !== undefined) throw new InvalidArgumentError(`logLevel must be ${LOG_LEVEL_WORDS}`);
  logger.warn(`GATEHOUSE_LOG is ignored: it must be ${LOG_LEVEL_WORDS}`);
  return limitLogger(logger, 'warn');
}
