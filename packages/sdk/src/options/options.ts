import type { Hooks } from './hooks.ts';
import type { Logger, LogLevel } from './logging.ts';

/**
 * An access token, or a function that obtains one.
 *
 * @inline
 */
export type AccessTokenOption = string | (() => Promise<string>);

/**
 * A function that performs a request: the platform's `fetch` or one with its signature.
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * A successful answer with a body, as a {@link ResponseValidator} sees it.
 */
export interface ValidatedResponse {
  readonly method: string;
  /** The route, such as `/integrations/:id`. */
  readonly route: string;
  readonly status: number;
  readonly body: unknown;
}

/**
 * Returns what is wrong with an answer; nothing when it is as it should be.
 */
export type ResponseValidator = (response: ValidatedResponse) => readonly string[];

/**
 * Options of the platform's `fetch` that the client does not set itself, such as `cache`,
 * `credentials`, or `dispatcher` for a proxy under Node.
 */
export type FetchOptions = Readonly<
  Omit<RequestInit, 'body' | 'headers' | 'method' | 'redirect' | 'signal'>
> & { readonly [option: string]: unknown };

/**
 * Options of a client. An option that is given wins over its environment variable.
 */
export interface GatehouseOptions extends Hooks {
  /**
   * A personal access token, or an OAuth access token. Default: `GATEHOUSE_ACCESS_TOKEN`.
   *
   * A function is called before the first request, and again once the service refuses the token it
   * gave (401); the refused request is then sent once more. Calls at the same time share one call of
   * the function.
   */
  readonly accessToken?: AccessTokenOption | undefined;
  /**
   * Where the service is, such as `https://gatehouse.example.com`; `/api/v1` is appended when
   * missing. Default: `GATEHOUSE_BASE_URL`.
   */
  readonly baseUrl?: string | undefined;
  /**
   * Milliseconds until an attempt fails with `TimeoutError`, the reading of its body included. An
   * attempt that took too long is not repeated. Unless there is a `totalTimeout`, this is also the
   * longest time the client waits because of a `Retry-After`.
   *
   * @defaultValue 30000
   */
  readonly timeout?: number | undefined;
  /** Milliseconds until a call fails, all its attempts and waits included. Default: no limit. */
  readonly totalTimeout?: number | undefined;
  /**
   * How often a request is repeated after a lost connection and the statuses 408, 429, 500, 502,
   * 503, 504, and 409 while the first request with its idempotency key is still running. The waits
   * are random, up to 0.5 s, 1 s, 2 s and so on to 8 s, and at least what `Retry-After` asks for. A
   * POST or PATCH without an idempotency key is repeated after 429 only.
   *
   * @defaultValue 2
   */
  readonly maxRetries?: number | undefined;
  /** Performs the requests, called without a `this`. Default: the `fetch` of the platform. */
  readonly fetch?: Fetch | undefined;
  /** Passed on to `fetch` with every request. */
  readonly fetchOptions?: FetchOptions | undefined;
  /**
   * `info` logs failed requests and retries, `debug` every request. Default: `GATEHOUSE_LOG`, else
   * `warn`. Texts in headers and bodies are shown only where they are known to be harmless.
   */
  readonly logLevel?: LogLevel | undefined;
  /** Where log lines go. Default: `console`. */
  readonly logger?: Logger | undefined;
  /**
   * Checks the body of every successful answer; by default bodies are taken as they are.
   * `@gatehouse/sdk/validation` makes one from the contract.
   */
  readonly validateResponse?: ResponseValidator | undefined;
}

/**
 * Options of a single call.
 */
export interface RequestOptions {
  /** Ends the call with `AbortError` when aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds, in place of the client's `timeout`. */
  readonly timeout?: number | undefined;
  /** Milliseconds, in place of the client's `totalTimeout`. */
  readonly totalTimeout?: number | undefined;
  /** In place of the client's `maxRetries`. */
  readonly maxRetries?: number | undefined;
  /** Further headers, such as `X-Request-Id`. Those the client sets itself cannot be changed. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Merged over the client's `fetchOptions`. */
  readonly fetchOptions?: FetchOptions | undefined;
}

/**
 * Options of a call that takes effect once per key.
 */
export interface IdempotentOptions extends RequestOptions {
  /**
   * Repeating the call with the same key within 24 hours returns the first answer again. Default: a
   * new UUID for each call, the same over its attempts.
   */
  readonly idempotencyKey?: string | undefined;
}

/**
 * Options of a call that may be bound to a version of the resource.
 */
export interface ConditionalOptions extends RequestOptions {
  /** The `etag` of an earlier answer; if the resource changed since, `PreconditionFailedError`. */
  readonly ifMatch?: string | undefined;
}

/**
 * Options of a partial update.
 */
export interface UpdateOptions extends IdempotentOptions, ConditionalOptions {}
