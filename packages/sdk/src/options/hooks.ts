import type { GatehouseError } from '../errors/errors.ts';

/**
 * One attempt of a call.
 */
export interface AttemptEvent {
  readonly method: string;
  /** The route, such as `/integrations/:id`: has few values, so it can label a metric. */
  readonly route: string;
  /** The path below `/api/v1`, with its ids and without its query. */
  readonly path: string;
  /** 1 for the first. */
  readonly attempt: number;
}

/**
 * The argument of `onRequest`, called before each attempt.
 */
export interface RequestEvent extends AttemptEvent {
  /**
   * The headers to send, without `Authorization`. Headers set here are sent, such as `traceparent`;
   * headers that the client sets itself cannot be changed.
   */
  readonly headers: Headers;
}

/**
 * The argument of `onResponse`, called once a response of any status has arrived with its whole body.
 */
export interface ResponseEvent extends AttemptEvent {
  readonly status: number;
  readonly headers: Headers;
  /** `X-Request-Id` of the response. */
  readonly requestId: string | undefined;
  /** Milliseconds from sending the request to the end of the body. */
  readonly duration: number;
}

/**
 * The argument of `onRetry`, called after a failed attempt that will be retried.
 */
export interface RetryEvent extends AttemptEvent {
  /** Why the attempt failed. */
  readonly error: GatehouseError;
  /** Milliseconds until the next attempt; 0 when the access token is refreshed. */
  readonly delay: number;
}

/**
 * Functions called during each request, for traces and metrics. They are called synchronously. An
 * error thrown by one of them rejects the call.
 */
export interface Hooks {
  /** Before each attempt. May add headers. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /** After each response of any status has arrived with its whole body. */
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** After a failed attempt that will be retried. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
}
