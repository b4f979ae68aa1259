import type { Problem, ProblemCode } from './types/problem.ts';

/** Registry symbols, so that the guards recognise errors of another copy of this package. */
const brand = Symbol.for('gatehouse.error');
const apiBrand = Symbol.for('gatehouse.error.api');

/** The `code` of an error raised by the client itself. */
export type ClientErrorCode =
  | 'invalid_argument'
  | 'invalid_response'
  | 'repeated_cursor'
  | 'connection_failed'
  | 'timeout'
  | 'aborted';

/** Every error this package throws. `code` is stable and may be switched on. */
export abstract class GatehouseError extends Error {
  abstract readonly code: ClientErrorCode | ProblemCode;

  /** @internal */
  get [brand](): true {
    return true;
  }
}

/** An option, a path id or a header the client refuses. Nothing was sent; the value is not quoted. */
export class InvalidArgumentError extends GatehouseError {
  override readonly name = 'InvalidArgumentError';
  readonly code = 'invalid_argument';
}

/** The answer is not one of the API: a redirect, or a success whose body is not the expected JSON. */
export class InvalidResponseError extends GatehouseError {
  override readonly name = 'InvalidResponseError';
  readonly code = 'invalid_response';
  readonly status: number;
  readonly requestId: string | undefined;

  constructor(message: string, response: { status: number; requestId: string | undefined }) {
    super(message);
    this.status = response.status;
    this.requestId = response.requestId;
  }
}

/** A list handed out a cursor it had handed out before; going on would never end. */
export class RepeatedCursorError extends GatehouseError {
  override readonly name = 'RepeatedCursorError';
  readonly code = 'repeated_cursor';
}

/** The connection failed before the whole answer arrived. `cause` is the error of `fetch`. */
export class ConnectionError extends GatehouseError {
  override readonly name = 'ConnectionError';
  readonly code = 'connection_failed';
}

/** The answer, body included, did not arrive within `timeout` milliseconds. */
export class TimeoutError extends GatehouseError {
  override readonly name = 'TimeoutError';
  readonly code = 'timeout';
  /** The limit that passed, in milliseconds. */
  readonly timeout: number;

  constructor(message: string, timeout: number) {
    super(message);
    this.timeout = timeout;
  }
}

/** The caller's `signal` was aborted. `cause` is the reason of the signal. */
export class AbortError extends GatehouseError {
  override readonly name = 'AbortError';
  readonly code = 'aborted';
}

/** What an {@link ApiError} is made of. */
export interface ApiErrorInit {
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string | undefined;
  readonly problem: Problem | undefined;
}

/**
 * The API answered with a status other than success. Subclasses exist per status; a status without
 * one of its own is this class.
 */
export class ApiError extends GatehouseError {
  override readonly name: string = 'ApiError';
  /** The problem's `code`, or `unexpected_response` when the body is no problem document. */
  readonly code: ProblemCode;
  readonly status: number;
  /** `X-Request-Id` of the answer: quote it when reporting a failure. */
  readonly requestId: string | undefined;
  /** The problem document (RFC 9457), unless something in between answered. */
  readonly problem: Problem | undefined;
  /** The answer's headers, such as `Retry-After` and `RateLimit`. */
  readonly headers: Headers;

  constructor(init: ApiErrorInit) {
    const code = init.problem?.code ?? 'unexpected_response';
    super(`${init.status} ${code}${describe(init.problem)}`);
    this.code = code;
    this.status = init.status;
    this.requestId = init.requestId;
    this.problem = init.problem;
    this.headers = init.headers;
  }

  /** @internal */
  get [apiBrand](): true {
    return true;
  }
}

/** 400: the request is malformed; `problem.errors` names the fields. */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
}

/** 401: no access token, or one that is unknown, expired or revoked. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** 403: the token's user may not do this. */
export class PermissionDeniedError extends ApiError {
  override readonly name = 'PermissionDeniedError';
}

/** 404: there is no such resource in the organization, or it is not the caller's to see. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** 409: the resource's state does not allow this, such as an archived one. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}

/** 412: the resource changed since the `ETag` given as `ifMatch` was read. */
export class PreconditionFailedError extends ApiError {
  override readonly name = 'PreconditionFailedError';
}

/** 413: the body is larger than 1 MiB. */
export class PayloadTooLargeError extends ApiError {
  override readonly name = 'PayloadTooLargeError';
}

/** 422: the idempotency key was used before with another body. */
export class UnprocessableContentError extends ApiError {
  override readonly name = 'UnprocessableContentError';
}

/** 429: too many requests; `headers.get('retry-after')` says for how long to wait. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}

/** 5xx: the service, or something in front of it, failed. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

/** True for every error of this package, also one thrown by another copy of it. */
export function isGatehouseError(value: unknown): value is GatehouseError {
  return isBranded(value, brand);
}

/** True for every {@link ApiError}, also one thrown by another copy of this package. */
export function isApiError(value: unknown): value is ApiError {
  return isBranded(value, apiBrand);
}

function isBranded(value: unknown, symbol: symbol): boolean {
  return typeof value === 'object' && value !== null && Reflect.get(value, symbol) === true;
}

function describe(problem: Problem | undefined): string {
  if (problem === undefined) return '';
  const fields = (problem.errors ?? []).map(
    (error) => `${error.pointer ?? error.parameter ?? '/'}: ${error.message}`,
  );
  return `: ${[problem.detail ?? problem.title, ...fields].join(' ')}`;
}
