import type { Open } from '../types/open.ts';
import type { Problem, ProblemCode } from '../types/problem.ts';
import { GatehouseError, isBranded } from './errors.ts';

const brand = Symbol.for('gatehouse.error.api');

/**
 * The arguments of {@link ApiError}.
 *
 * @inline
 */
export interface ApiErrorInit {
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string | undefined;
  readonly problem: Problem | undefined;
  readonly unexpected?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly body?: string | undefined;
  readonly hasLostAttempt?: boolean | undefined;
}

const LOST_ATTEMPT = ' An earlier attempt was sent, and may have succeeded.';

/**
 * The API responded with an error status. Most statuses have a subclass; the others use this class.
 *
 * @example
 * ```ts
 * if (error instanceof ApiError) console.error(error.status, error.problem?.detail);
 * ```
 */
export class ApiError extends GatehouseError {
  override readonly name: string = 'ApiError';
  /** The `code` of the problem, or `unexpected_response` when the body is not a problem document. */
  readonly code: Open<ProblemCode>;
  readonly status: number;
  /** `X-Request-Id` of the response. Quote it when you report a failure. */
  readonly requestId: string | undefined;
  /** The problem document (RFC 9457). Absent when a proxy responded instead of the service. */
  readonly problem: Problem | undefined;
  /** The headers of the response, such as `Retry-After` and `RateLimit`. */
  readonly headers: Headers;
  /** Milliseconds to wait before trying again, from `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** The method of the request. */
  readonly method: string | undefined;
  /** The URL of the request, without its query. */
  readonly url: string | undefined;
  /**
   * Whether the response to an earlier attempt of this call was lost. The earlier attempt may have taken effect,
   * and this response may be due to it. Only set for a 404 or 412 of a write.
   */
  readonly hasLostAttempt: boolean;
  readonly #body: string | undefined;

  constructor(init: ApiErrorInit) {
    const code = init.problem?.code ?? 'unexpected_response';
    const { hasLostAttempt = false } = init;
    const text = init.problem ? describe(init.problem) : init.unexpected;
    super(`${init.status} ${code}: ${text}${hasLostAttempt ? LOST_ATTEMPT : ''}`);
    this.code = code;
    this.status = init.status;
    this.requestId = init.requestId;
    this.problem = init.problem;
    this.headers = init.headers;
    this.retryAfter = init.retryAfter;
    this.method = init.method;
    this.url = init.url;
    this.hasLostAttempt = hasLostAttempt;
    this.#body = init.body;
  }

  /**
   * The body of a response that is no problem document, such as the page of a proxy; otherwise absent.
   * It is not shown when the error is logged, because it may hold anything.
   */
  get body(): string | undefined {
    return this.#body;
  }

  /** @internal */
  get [brand](): true {
    return true;
  }
}

/**
 * 400: the request is malformed; `problem.errors` names the fields.
 *
 * @example
 * ```ts
 * if (error instanceof BadRequestError) console.error(error.problem?.errors);
 * ```
 */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
}

/**
 * 401: the access token is missing, unknown, expired or revoked.
 *
 * @example
 * ```ts
 * if (error instanceof AuthenticationError) console.error('Set a new access token.');
 * ```
 */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/**
 * 403: the token's user may not do this.
 *
 * @example
 * ```ts
 * if (error instanceof PermissionDeniedError) console.error('Ask an admin.');
 * ```
 */
export class PermissionDeniedError extends ApiError {
  override readonly name = 'PermissionDeniedError';
}

/**
 * 404: there is no such resource in the organization, or the caller may not see it.
 *
 * @example
 * ```ts
 * if (error instanceof NotFoundError) console.error('Not found, or not yours.');
 * ```
 */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/**
 * 409: the state of the resource does not allow this, for example because it is archived.
 *
 * @example
 * ```ts
 * if (error instanceof ConflictError && error.code === 'archived') console.error('Restore it.');
 * ```
 */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}

/**
 * 412: the resource changed since the `ETag` given as `ifMatch` was read. `etag` is the present one.
 *
 * @example
 * ```ts
 * if (error instanceof PreconditionFailedError) console.error('It is now', error.etag);
 * ```
 */
export class PreconditionFailedError extends ApiError {
  override readonly name = 'PreconditionFailedError';

  /** The present `ETag` of the resource. Absent when a proxy responded. */
  get etag(): string | undefined {
    return this.headers.get('etag') ?? undefined;
  }
}

/**
 * 413: the body is larger than 1 MiB.
 *
 * @example
 * ```ts
 * if (error instanceof PayloadTooLargeError) console.error('Send less than 1 MiB.');
 * ```
 */
export class PayloadTooLargeError extends ApiError {
  override readonly name = 'PayloadTooLargeError';
}

/**
 * 422: the idempotency key was already used with another body.
 *
 * @example
 * ```ts
 * if (error instanceof UnprocessableContentError) console.error('Use a new idempotency key.');
 * ```
 */
export class UnprocessableContentError extends ApiError {
  override readonly name = 'UnprocessableContentError';
}

/**
 * 429: too many requests. `retryAfter` is how long to wait.
 *
 * @example
 * ```ts
 * if (error instanceof RateLimitError) console.error('Try again in', error.retryAfter, 'ms');
 * ```
 */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}

/**
 * 5xx: the service, or something in front of it, failed.
 *
 * @example
 * ```ts
 * if (error instanceof ServerError) console.error('Report', error.requestId);
 * ```
 */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

/**
 * True for every {@link ApiError}, including errors thrown by another copy of this package.
 *
 * @example
 * ```ts
 * if (isApiError(error)) console.error(error.status, error.code, error.requestId);
 * ```
 */
export function isApiError(value: unknown): value is ApiError {
  return isBranded(value, brand);
}

/** A detail that only repeats the message of a field is left out. */
function describe({ title, detail = title, errors = [] }: Problem): string {
  const fields = errors.map(
    (error) => `${error.pointer ?? error.parameter ?? '/'}: ${error.message}`,
  );
  if (!errors.some(({ message }) => message === detail)) fields.unshift(detail);
  return fields.join(' ');
}
