import { describe, expect, it } from 'vitest';
import {
  ApiError,
  ConflictError,
  ConnectionError,
  InvalidResponseError,
  RateLimitError,
  TimeoutError,
} from '../../src/index.ts';
import { backoff, isSafeToRetry, isTransient, parseRetryAfter } from '../../src/transport/retry.ts';

function answer(status: number, code = 'some_code', Class: typeof ApiError = ApiError) {
  const problem = { type: 't', title: 't', status, code, requestId: 'r' };
  return new Class({ status, headers: new Headers(), requestId: undefined, problem });
}

describe('a failure', () => {
  it.each([408, 429, 500, 502, 503, 504])('of status %d may pass', (status) => {
    expect(isTransient(answer(status))).toBe(true);
  });

  it.each([400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 501, 505])(
    'of status %d is final',
    (status) => expect(isTransient(answer(status))).toBe(false),
  );

  it('of status 409 may pass only while the first request with the key is running', () => {
    expect(isTransient(answer(409, 'idempotency_in_progress', ConflictError))).toBe(true);
    expect(isTransient(answer(409, 'archived', ConflictError))).toBe(false);
    expect(isTransient(answer(400, 'idempotency_in_progress'))).toBe(false);
  });

  it('of the connection or of a limit may pass; that of a response or the caller is final', () => {
    expect(isTransient(new ConnectionError('lost'))).toBe(true);
    expect(isTransient(new TimeoutError('late', 1))).toBe(true);
    expect(isTransient(new InvalidResponseError('odd', { status: 200, requestId: 'r' }))).toBe(
      false,
    );
    expect(isTransient(new Error('hook'))).toBe(false);
  });
});

describe('repeating', () => {
  const lost = new ConnectionError('lost');

  it('GET is safe without a key', () => {
    expect(isSafeToRetry('GET', undefined, lost)).toBe(true);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    '%s is safe with a key, and else only after a 429',
    (method) => {
      expect(isSafeToRetry(method, 'key', lost)).toBe(true);
      expect(isSafeToRetry(method, undefined, lost)).toBe(false);
      expect(isSafeToRetry(method, undefined, answer(503))).toBe(false);
      expect(isSafeToRetry(method, undefined, answer(429, 'rate_limited', RateLimitError))).toBe(
        true,
      );
    },
  );
});

describe('the backoff', () => {
  it('doubles from half a second up to eight seconds', () => {
    expect([1, 2, 3, 4, 5, 6, 60].map((retry) => backoff(retry, 1))).toEqual([
      500, 1000, 2000, 4000, 8000, 8000, 8000,
    ]);
  });

  it('is anything between nothing and that', () => {
    expect(backoff(3, 0)).toBe(0);
    expect(backoff(3, 0.25)).toBe(500);
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');

  it.each([
    ['7', 7000],
    [' 0 ', 0],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5000],
    ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
  ])('%j is %d ms', (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });

  it.each([null, '', '-5', '1.5', 'soon', 'tomorrow 5', '2026-01-01', 'not a date GMT'])(
    '%j says nothing',
    (value) => expect(parseRetryAfter(value, now)).toBeUndefined(),
  );
});
