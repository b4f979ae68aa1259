import { readEnvironment } from './environment.ts';
import { InvalidArgumentError } from './errors/errors.ts';
import { isLogLevel, type LimitedLogger, limitLogger } from './options/logging.ts';
import type { GatehouseOptions } from './options/options.ts';
import { createAccessTokens } from './transport/access-tokens.ts';
import { type Clock, systemClock } from './transport/clock.ts';
import { assertLimits } from './transport/limits.ts';
import type { ResolvedOptions } from './transport/resolved-options.ts';
import { normalizeBaseUrl } from './transport/url.ts';

/** {@link GatehouseOptions} with what tests replace; not public. */
export interface InternalOptions extends GatehouseOptions {
  readonly clock?: Clock | undefined;
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

function resolveLogger({ logger = console, logLevel }: GatehouseOptions): LimitedLogger {
  const word = logLevel ?? readEnvironment('GATEHOUSE_LOG') ?? 'warn';
  if (isLogLevel(word)) return limitLogger(logger, word);
  if (logLevel !== undefined) throw new InvalidArgumentError(`logLevel must be ${LOG_LEVEL_WORDS}`);
  logger.warn(`GATEHOUSE_LOG is ignored: it must be ${LOG_LEVEL_WORDS}`);
  return limitLogger(logger, 'warn');
}
