import type { Open } from '../types/open.ts';
import type { ProblemCode } from '../types/problem.ts';

/** A global symbol, so that the guard recognizes errors of another copy of this package. */
const brand = Symbol.for('gatehouse.error');

/**
 * The `code` of an error that the client itself throws.
 */
export type ClientErrorCode =
  | 'invalid_argument'
  | 'invalid_response'
  | 'repeated_cursor'
  | 'access_token_failed'
  | 'connection_failed'
  | 'timeout'
  | 'aborted';

/**
 * The base class of every error of this package. `code` is stable: programs may depend on it.
 *
 * @example
 * ```ts
 * try {
 *   await gatehouse.integrations.get(id);
 * } catch (error) {
 *   if (!(error instanceof GatehouseError)) throw error;
 *   if (error.code === 'not_found') console.log('not found');
 * }
 * ```
 */
export abstract class GatehouseError extends Error {
  abstract readonly code: ClientErrorCode | Open<ProblemCode>;

  /**
   * The fields of the error and its message, for `JSON.stringify`, which would leave the message out.
   *
   * @example
   * ```ts
   * if (isGatehouseError(error)) console.error(JSON.stringify({ error }));
   * ```
   */
  toJSON(): object {
    return { ...this, message: this.message };
  }

  /** @internal */
  get [brand](): true {
    return true;
  }
}

/**
 * An invalid option, path id or header. Nothing was sent. The message does not quote the value.
 *
 * @example
 * ```ts
 * if (error instanceof InvalidArgumentError) console.error('Nothing was sent:', error.message);
 * ```
 */
export class InvalidArgumentError extends GatehouseError {
  override readonly name = 'InvalidArgumentError';
  readonly code = 'invalid_argument';
}

/**
 * The response that an {@link InvalidResponseError} is about.
 *
 * @inline
 */
export interface UnexpectedResponse {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly text?: string | undefined;
}

/**
 * The response is not from the API: a redirect, or a success without the expected JSON body.
 *
 * @example
 * ```ts
 * if (error instanceof InvalidResponseError) console.error(error.status, error.message);
 * ```
 */
export class InvalidResponseError extends GatehouseError {
  override readonly name = 'InvalidResponseError';
  readonly code = 'invalid_response';
  readonly status: number;
  readonly requestId: string | undefined;
  /** The method of the request. */
  readonly method: string | undefined;
  /** The URL of the request, without its query. */
  readonly url: string | undefined;
  readonly #body: string | undefined;

  constructor(message: string, { status, requestId, method, url, text }: UnexpectedResponse) {
    super(message);
    this.status = status;
    this.requestId = requestId;
    this.method = method;
    this.url = url;
    this.#body = text;
  }

  /** The body. It is not shown when the error is logged, because it may hold anything. */
  get body(): string | undefined {
    return this.#body;
  }
}

/**
 * A list returned a cursor that it had returned before, so iterating it would never end.
 *
 * @example
 * ```ts
 * if (error instanceof RepeatedCursorError) console.error('Report', error.message);
 * ```
 */
export class RepeatedCursorError extends GatehouseError {
  override readonly name = 'RepeatedCursorError';
  readonly code = 'repeated_cursor';
}

/**
 * The `accessToken` function failed. `cause` is what it threw.
 *
 * @example
 * ```ts
 * if (error instanceof AccessTokenError) console.error('No access token:', error.cause);
 * ```
 */
export class AccessTokenError extends GatehouseError {
  override readonly name = 'AccessTokenError';
  readonly code = 'access_token_failed';
}

/**
 * The connection failed before the whole response arrived. `cause` is the error from `fetch`.
 *
 * @example
 * ```ts
 * if (error instanceof ConnectionError) console.error(error.message, error.cause);
 * ```
 */
export class ConnectionError extends GatehouseError {
  override readonly name = 'ConnectionError';
  readonly code = 'connection_failed';
}

/**
 * The response did not arrive within `timeout`, or the call did not finish within `totalTimeout` or before the
 * caller's `AbortSignal.timeout()`.
 *
 * @example
 * ```ts
 * if (error instanceof TimeoutError) console.error('Took longer than', error.timeout, 'ms');
 * ```
 */
export class TimeoutError extends GatehouseError {
  override readonly name = 'TimeoutError';
  readonly code = 'timeout';
  /** The limit that was exceeded, in milliseconds. Absent for that of a signal, which does not tell it. */
  readonly timeout: number | undefined;

  constructor(message: string, timeout?: number, options?: ErrorOptions) {
    super(message, options);
    this.timeout = timeout;
  }
}

/**
 * The caller's `signal` was aborted. `cause` is the reason of the signal.
 *
 * @example
 * ```ts
 * if (error instanceof AbortError) console.error('Aborted because of', error.cause);
 * ```
 */
export class AbortError extends GatehouseError {
  override readonly name = 'AbortError';
  readonly code = 'aborted';
}

/**
 * True for every error of this package, including errors thrown by another copy of it.
 *
 * @example
 * ```ts
 * if (isGatehouseError(error)) console.error(error.code, error.message);
 * ```
 */
export function isGatehouseError(value: unknown): value is GatehouseError {
  return isBranded(value, brand);
}

/** Whether a value carries a brand, whichever copy of this package made it. */
export function isBranded(value: unknown, symbol: symbol): boolean {
  return typeof value === 'object' && value !== null && Reflect.get(value, symbol) === true;
}
