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
import { notGatehouse, type RawResponse } from './response.ts';
import { parseRetryAfter } from './retry.ts';

type ApiErrorClass = new (init: ApiErrorInit) => ApiError;

function errorClass(status: number): ApiErrorClass {
  if (status >= 500) return ServerError;
  switch (status) {
    case 400:
      return BadRequestError;
    case 401:
      return AuthenticationError;
    case 403:
      return PermissionDeniedError;
    case 404:
      return NotFoundError;
    case 409:
      return ConflictError;
    case 412:
      return PreconditionFailedError;
    case 413:
      return PayloadTooLargeError;
    case 422:
      return UnprocessableContentError;
    case 429:
      return RateLimitError;
    default:
      return ApiError;
  }
}

/** The error for a response with an error status, whether or not its body is a problem document. */
export function toApiError(response: RawResponse, now: number): ApiError {
  const { status, headers, text, method, url } = response;
  const problem = parseProblem(text);
  const requestId = response.requestId ?? problem?.requestId;
  const retryAfter = parseRetryAfter(headers.get('retry-after'), now);
  const unexpected = problem ? undefined : notGatehouse(response);
  const body = problem ? undefined : text;
  const init = { status, headers, requestId, problem, unexpected, retryAfter, method, url, body };
  return new (errorClass(status))(init);
}

/** JSON without the members of RFC 9457, as a proxy may send, is not a problem document. */
function parseProblem(text: string): Problem | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isProblem(body) ? body : undefined;
}

function isProblem(body: unknown): body is Problem {
  if (typeof body !== 'object' || body === null) return false;
  const { type, title, code, errors } = body as Record<string, unknown>;
  const strings = [type, title, code].every((member) => typeof member === 'string');
  return strings && (errors === undefined || Array.isArray(errors));
}
