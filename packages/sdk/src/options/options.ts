import type { Hooks } from './hooks.ts';
import type { Logger, LogLevel } from './logging.ts';

/**
 * An access token, or a function that obtains one.
 *
 * @inline
 */
export type AccessTokenOption = string | (() => Promise<string>);

/**
 * A function that sends a request: the `fetch` of the platform, or one with its signature.
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * A successful response with a body, as passed to a {@link ResponseValidator}.
 */
export interface ValidatedResponse {
  readonly method: string;
  /** The route, such as `/integrations/:id`. */
  readonly route: string;
  readonly status: number;
  readonly body: unknown;
}

/** Returns the errors of a response, or an empty list. */
export type ResponseValidator = (response: ValidatedResponse) => readonly string[];

/**
 * Options of the platform's `fetch` that the client does not set itself, such as `cache`,
 * `credentials`, or `dispatcher` for a proxy under Node.
 */
export type FetchOptions = Readonly<
  Omit<RequestInit, 'body' | 'headers' | 'method' | 'redirect' | 'signal'>
> & { readonly [option: string]: unknown };

/**
 * Options of a client. An option takes precedence over its environment variable.
 */
export interface GatehouseOptions extends Hooks {
  /**
   * A personal access token, or an OAuth access token. Default: `GATEHOUSE_ACCESS_TOKEN`.
   *
   * A function is called before the first request, and again when the service rejects the token it
   * returned (401). The rejected request is then sent once more. Concurrent requests share one call
   * of the function. So a function is what refreshes OAuth tokens, as the example of `Gatehouse` shows.
   */
  readonly accessToken?: AccessTokenOption | undefined;
  /**
   * Where the service is, such as `https://gatehouse.example.com`; `/api/v1` is appended when
   * missing. Default: `GATEHOUSE_BASE_URL`.
   */
  readonly baseUrl?: string | undefined;
  /**
   * Milliseconds until an attempt fails with `TimeoutError`, including the time to read the body.
   * Without a `totalTimeout`, this is also the longest `Retry-After` that the client waits for.
   *
   * @defaultValue 30000
   */
  readonly timeout?: number | undefined;
  /** Milliseconds until a call fails, including all its attempts and waits. Default: no limit. */
  readonly totalTimeout?: number | undefined;
  /**
   * How often a request is retried after a lost connection or a timeout, after the statuses 408, 429,
   * 500, 502, 503 and 504, and after 409 while the first request with its idempotency key is still running.
   * The waits are random, up to 0.5 s, 1 s, 2 s and so on to 8 s, and at least as long as
   * `Retry-After`. A write without an idempotency key, such as `validate`, is retried after 429 only.
   *
   * @defaultValue 2
   */
  readonly maxRetries?: number | undefined;
  /** Sent with every request. Headers that the client sets itself cannot be changed, but for `User-Agent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sends the requests; called without a `this`. Default: the `fetch` of the platform. */
  readonly fetch?: Fetch | undefined;
  /** Passed to `fetch` with every request. */
  readonly fetchOptions?: FetchOptions | undefined;
  /**
   * `info` logs failed requests and retries, `debug` every request. Default: `GATEHOUSE_LOG`, else
   * `warn`. Values of headers and bodies are logged only where they are known to be harmless.
   */
  readonly logLevel?: LogLevel | undefined;
  /** Where log lines go. Default: `console`. */
  readonly logger?: Logger | undefined;
  /**
   * Checks the body of every successful response. Default: bodies are not checked.
   * `@gatehouse/sdk/validation` creates a validator from the contract.
   */
  readonly validateResponse?: ResponseValidator | undefined;
}

/**
 * Options of a single call.
 */
export interface RequestOptions {
  /** Ends the call with `AbortError` when aborted, and with `TimeoutError` if it is an `AbortSignal.timeout()`. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds, instead of the client's `timeout`. */
  readonly timeout?: number | undefined;
  /** Milliseconds, instead of the client's `totalTimeout`. */
  readonly totalTimeout?: number | undefined;
  /** Instead of the client's `maxRetries`. */
  readonly maxRetries?: number | undefined;
  /**
   * More headers, such as `X-Request-Id`, over the client's `headers`. Headers that the client sets
   * itself cannot be changed, but for `User-Agent`.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Merged over the client's `fetchOptions`. */
  readonly fetchOptions?: FetchOptions | undefined;
}

/**
 * Options of a call that takes effect once per key.
 */
export interface IdempotentOptions extends RequestOptions {
  /**
   * Repeating the call with the same key within 24 hours returns the first response again. Default:
   * a new UUID for each call, the same for all its attempts.
   */
  readonly idempotencyKey?: string | undefined;
}

/**
 * Options of a call that may depend on the version of the resource.
 */
export interface ConditionalOptions extends RequestOptions {
  /** The `etag` of an earlier response. If the resource has changed since, `PreconditionFailedError`. */
  readonly ifMatch?: string | undefined;
}

/**
 * Options of a write that takes effect once per key and may depend on the version of the resource.
 */
export interface UpdateOptions extends IdempotentOptions, ConditionalOptions {}
