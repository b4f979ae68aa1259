import type { RawResponse } from '../transport/response.ts';

/**
 * A successful answer with what came beside its body.
 */
export interface ApiResponse<T> {
  /** What awaiting the call gives. */
  readonly data: T;
  readonly status: number;
  readonly headers: Headers;
  /** `X-Request-Id` of the answer. */
  readonly requestId: string | undefined;
  /** `ETag` of the answer, for `ifMatch` of a later write; present where one resource is returned. */
  readonly etag: string | undefined;
}

/**
 * What every method returns: await it for the body, or ask for the headers or the response too.
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
   * The successful answer as a `Response` with its body unread but arrived, and not looked at by the
   * client. Rejects as the call does, except that the body may be anything.
   *
   * @example
   * ```ts
   * const response = await gatehouse.integrations.get(id).asResponse();
   * console.log(response.status, await response.text());
   * ```
   */
  asResponse(): Promise<Response> {
    return this.#raw.then(
      // An empty body must be null for the statuses that have none.
      ({ text, status, statusText, headers }) =>
        new Response(text === '' ? null : text, { status, statusText, headers }),
    );
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is awaited directly.
  then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(onFulfilled, onRejected);
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally);
  }
}
