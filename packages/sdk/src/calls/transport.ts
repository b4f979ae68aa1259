import { InvalidResponseError } from '../errors/errors.ts';
import { sendRequest } from '../transport/attempts.ts';
import type { ClientRoute } from '../transport/idempotency.ts';
import { type AnyCall, labelOf, prepareRequest } from '../transport/request.ts';
import type { ResolvedOptions } from '../transport/resolved-options.ts';
import { parseBody, type RawResponse, toInvalidResponse } from '../transport/response.ts';
import type { PathParams } from '../transport/url.ts';
import { ApiPromise } from './api-promise.ts';
import { type ListBody, ListPromise } from './pagination.ts';

/** A call with the parameters that its path needs. */
export interface Call<Path extends string> extends AnyCall {
  readonly params: PathParams<Path>;
}

type RouteTo<Path extends string> = ClientRoute & { readonly path: Path };

/** Whether the body is lines of JSON, which are left as they are. */
function isLines({ headers }: RawResponse): boolean {
  return headers.get('content-type')?.startsWith('text/x-ndjson') === true;
}

/** Sends calls of the contract's routes, and turns each response into data or an error. */
export class Transport {
  readonly #options: ResolvedOptions;

  constructor(options: ResolvedOptions) {
    this.#options = options;
  }

  /** A call that gets a JSON object. */
  json<T, Path extends string>(route: RouteTo<Path>, call: Call<Path>): ApiPromise<T> {
    return new ApiPromise(this.#send(route, call), (response) => this.#parse<T>(route, response));
  }

  /** A call that gets no body. */
  empty<Path extends string>(route: RouteTo<Path>, call: Call<Path>): ApiPromise<void> {
    return new ApiPromise(this.#send(route, call), () => undefined);
  }

  /** A call that gets a page of a list. */
  list<T, Path extends string>(route: RouteTo<Path>, call: Call<Path>): ListPromise<T> {
    const { query } = call as { query?: { cursor?: string } };
    const source = {
      fetch: (cursor = query?.cursor) =>
        this.#send(route, { ...call, query: { ...query, cursor } }),
      parse: (response: RawResponse) => {
        const body = this.#parse<ListBody<T>>(route, response);
        if (Array.isArray(body.items)) return body;
        throw toInvalidResponse(response);
      },
    };
    return new ListPromise(source, query?.cursor);
  }

  async #send(route: ClientRoute, call: AnyCall): Promise<RawResponse> {
    return sendRequest(prepareRequest(route, call), this.#options);
  }

  #parse<T>(route: ClientRoute, response: RawResponse): T {
    const body = isLines(response) ? response.text : parseBody(response);
    const { method, path } = route;
    const { status } = response;
    const errors = this.#options.validateResponse?.({ method, route: path, status, body });
    if (errors?.length) {
      const message = `${labelOf(route)} returned an unexpected body: ${errors.join(' ')}`;
      throw new InvalidResponseError(message, response);
    }
    // The only place where a response gets its type. Fields added by later versions are kept.
    return body as T;
  }
}
