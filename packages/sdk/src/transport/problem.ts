import {
  ApiError,
  type ApiErrorInit,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionDeniedError,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
  UnprocessableContentError,
} from '../errors/api-errors.ts';
import type { Problem } from '../types/problem.ts';
import { notGatehouse, parseObject, type RawResponse } from './response.ts';
import { parseRetryAfter } from './retry.ts';

type ApiErrorClass = new (init: ApiErrorInit) => ApiError;

const ERRORS: Readonly<Record<number, ApiErrorClass>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  413: PayloadTooLargeError,
  422: UnprocessableContentError,
  429: RateLimitError,
};

/** Statuses that a write also gets because an earlier attempt of it took effect. */
const AFTER_EFFECT = [404, 412];

/** The circumstances of a response. */
export interface Circumstances {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly isAfterLost: boolean;
}

/** The error for a response with an error status, whether or not its body is a problem document. */
export function toApiError(response: RawResponse, { now, isAfterLost }: Circumstances): ApiError {
  const { status, headers, text, method, url } = response;
  const problem = parseProblem(text);
  const requestId = response.requestId ?? problem?.requestId;
  const retryAfter = parseRetryAfter(headers.get('retry-after'), now);
  const unexpected = problem ? undefined : notGatehouse(response);
  const body = problem ? undefined : text;
  const hasLostAttempt = isAfterLost && AFTER_EFFECT.includes(status);
  const init = {
    ...{ status, headers, requestId, problem, unexpected, retryAfter, method, url, body },
    hasLostAttempt,
  };
  const ErrorClass = status >= 500 ? ServerError : (ERRORS[status] ?? ApiError);
  return new ErrorClass(init);
}

/** JSON without the members of RFC 9457, as a proxy may send, is not a problem document. */
function parseProblem(text: string): Problem | undefined {
  const body = parseObject(text);
  return body && isProblem(body) ? body : undefined;
}

function isProblem(body: object): body is Problem {
  const { type, title, code, errors = [] } = body as Record<string, unknown>;
  return [type, title, code].every((member) => typeof member === 'string') && Array.isArray(errors);
}
