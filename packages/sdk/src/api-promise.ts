/** A successful answer with what came beside its body. */
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

/** What every method returns: await it for the body, or ask for the headers too. */
export class ApiPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'ApiPromise';
  readonly #response: Promise<ApiResponse<T>>;

  /** @internal */
  constructor(response: Promise<ApiResponse<T>>) {
    this.#response = response;
  }

  /** The body together with status, headers, request id and `ETag`; rejects as the call does. */
  withResponse(): Promise<ApiResponse<T>> {
    return this.#response;
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is awaited directly.
  then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#response.then(({ data }) => data).then(onFulfilled, onRejected);
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally);
  }
}
