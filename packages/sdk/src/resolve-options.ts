import { readEnvironment } from './environment.ts';
import { InvalidArgumentError } from './errors/errors.ts';
import { isLogLevel, type LimitedLogger, limitLogger, ONE_OF_LEVELS } from './options/logging.ts';
import type { GatehouseOptions } from './options/options.ts';
import { type AccessTokens, createAccessTokens } from './transport/access-tokens.ts';
import { type Clock, systemClock } from './transport/clock.ts';
import { assertLimits } from './transport/limits.ts';
import type { ResolvedOptions } from './transport/resolved-options.ts';
import { normalizeBaseUrl } from './transport/url.ts';

/** {@link GatehouseOptions} with a clock for tests. Not public. */
export interface InternalOptions extends GatehouseOptions {
  readonly clock?: Clock | undefined;
  /** Of another client. */
  readonly accessTokens?: AccessTokens | undefined;
}

const DEFAULT_TIMEOUT = 30_000;
const DEFAULT_MAX_RETRIES = 2;

/**
 * Adds the environment variables and the defaults, and checks all options.
 *
 * @throws InvalidArgumentError naming the option, never its value.
 */
export function resolveOptions(options: InternalOptions): ResolvedOptions {
  const accessTokens = options.accessTokens ?? accessTokensOf(options);
  const baseUrl = options.baseUrl ?? readEnvironment('GATEHOUSE_BASE_URL');
  if (baseUrl === undefined) {
    throw new InvalidArgumentError('Set baseUrl or GATEHOUSE_BASE_URL.');
  }
  const limits = {
    timeout: options.timeout ?? DEFAULT_TIMEOUT,
    totalTimeout: options.totalTimeout ?? Infinity,
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

function accessTokensOf(options: GatehouseOptions): AccessTokens {
  const accessToken = options.accessToken ?? readEnvironment('GATEHOUSE_ACCESS_TOKEN');
  if (accessToken !== undefined) return createAccessTokens(accessToken);
  throw new InvalidArgumentError('Set accessToken or GATEHOUSE_ACCESS_TOKEN.');
}

function resolveLogger({ logger = console, logLevel }: GatehouseOptions): LimitedLogger {
  const level = logLevel ?? readEnvironment('GATEHOUSE_LOG') ?? 'warn';
  if (isLogLevel(level)) return limitLogger(logger, level);
  if (logLevel !== undefined) throw new InvalidArgumentError(`logLevel ${ONE_OF_LEVELS}`);
  logger.warn(`GATEHOUSE_LOG is ignored: it ${ONE_OF_LEVELS}`);
  return limitLogger(logger, 'warn');
}
