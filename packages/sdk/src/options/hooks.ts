import type { GatehouseError } from '../errors/errors.ts';

/**
 * One attempt of a call.
 */
export interface AttemptEvent {
  readonly method: string;
  /** The route, such as `/integrations/:id`: few values, so fit for a metric's label. */
  readonly route: string;
  /** The path below `/api/v1`, with its ids and without its query. */
  readonly path: string;
  /** 1 for the first. */
  readonly attempt: number;
}

/**
 * What `onRequest` is given, before each attempt.
 */
export interface RequestEvent extends AttemptEvent {
  /**
   * The headers to be sent, `Authorization` excepted. What is set here is sent, such as
   * `traceparent`; the headers that the client sets itself cannot be changed.
   */
  readonly headers: Headers;
}

/**
 * What `onResponse` is given, once an answer has arrived with its whole body, whatever its status.
 */
export interface ResponseEvent extends AttemptEvent {
  readonly status: number;
  readonly headers: Headers;
  /** `X-Request-Id` of the answer. */
  readonly requestId: string | undefined;
  /** Milliseconds from the sending to the end of the body. */
  readonly duration: number;
}

/**
 * What `onRetry` is given, after an attempt that failed and will be followed by another.
 */
export interface RetryEvent extends AttemptEvent {
  /** Why the attempt failed. */
  readonly error: GatehouseError;
  /** Milliseconds until the next attempt; 0 when the access token is refreshed. */
  readonly delay: number;
}

/**
 * Functions called along each request, for traces and metrics. They are called synchronously; what
 * one of them throws rejects the call.
 */
export interface Hooks {
  /** Before each attempt; may add headers. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /** After each answer with its whole body, whatever its status. */
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** After an attempt that failed and will be followed by another. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
}
