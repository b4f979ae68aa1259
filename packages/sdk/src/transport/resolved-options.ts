import type { Hooks } from '../options/hooks.ts';
import type { LimitedLogger } from '../options/logging.ts';
import type { Fetch, FetchOptions, ResponseValidator } from '../options/options.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { Clock } from './clock.ts';
import type { Limits } from './limits.ts';

/** The options of a client, with environment variables and defaults applied. */
export interface ResolvedOptions extends Limits, Hooks {
  readonly accessTokens: AccessTokens;
  readonly baseUrl: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly fetch?: Fetch | undefined;
  readonly fetchOptions?: FetchOptions | undefined;
  readonly logger: LimitedLogger;
  readonly validateResponse?: ResponseValidator | undefined;
  readonly clock: Clock;
}
