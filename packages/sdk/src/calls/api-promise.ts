import type { RawResponse } from '../transport/response.ts';

/**
 * A successful response: its body, status and headers.
 */
export interface ApiResponse<T> {
  /** The value that awaiting the call returns. */
  readonly data: T;
  readonly status: number;
  readonly headers: Headers;
  /** `X-Request-Id` of the response. */
  readonly requestId: string | undefined;
  /** `ETag` of the response, for `ifMatch` of a later write. Present for integrations and applications, which have versions. */
  readonly etag: string | undefined;
}

/** What a promise rejects with, as the platform types it: a handler may say `(error: Error) => …`. */
type Reason = Parameters<NonNullable<Parameters<Promise<unknown>['catch']>[0]>>[0];

/**
 * Returned by every method. Await it for the body, or use its methods for the headers or the response.
 *
 * @example
 * ```ts
 * const { integration } = await gatehouse.integrations.get(id);
 * const { etag } = await gatehouse.integrations.get(id).withResponse();
 * ```
 */
export class ApiPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'ApiPromise';
  readonly #raw: Promise<RawResponse>;
  readonly #parse: (response: RawResponse) => T;
  #parsed: Promise<ApiResponse<T>> | undefined;

  /** @internal */
  constructor(raw: Promise<RawResponse>, parse: (response: RawResponse) => T) {
    this.#raw = raw;
    this.#parse = parse;
  }

  /**
   * The body together with status, headers, request id and `ETag`; rejects as the call does.
   *
   * @example
   * ```ts
   * const { data, requestId, headers } = await gatehouse.me().withResponse();
   * console.log(data.user.name, requestId, headers.get('ratelimit'));
   * ```
   */
  withResponse(): Promise<ApiResponse<T>> {
    this.#parsed ??= this.#raw.then((raw) => {
      const { status, headers, requestId } = raw;
      const etag = headers.get('etag') ?? undefined;
      return { data: this.#parse(raw), status, headers, requestId, etag };
    });
    return this.#parsed;
  }

  /**
   * The successful response as a `Response`. Its body has arrived, and is not parsed or checked.
   * Rejects as the call does, except for an unexpected body.
   *
   * @example
   * ```ts
   * const response = await gatehouse.integrations.get(id).asResponse();
   * console.log(response.status, await response.text());
   * ```
   */
  asResponse(): Promise<Response> {
    return this.#raw.then(
      // An empty body must be null for the statuses without a body.
      ({ text, status, statusText, headers }) =>
        new Response(text || null, { status, statusText, headers }),
    );
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is awaited directly.
  then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: Reason) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(onFulfilled, onRejected);
  }

  catch<B = never>(onRejected?: ((reason: Reason) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally);
  }
}
