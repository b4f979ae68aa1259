import type { Route } from '@gatehouse/contract/routes';
import { ApiPromise, type ApiResponse } from '../api-promise.ts';
import {
  ConnectionError,
  type GatehouseError,
  InvalidResponseError,
  isApiError,
  isGatehouseError,
} from '../errors.ts';
import type { ResolvedOptions } from '../options.ts';
import { type ListBody, ListPromise } from '../pagination.ts';
import { assertTimeout, withDeadline } from './deadline.ts';
import { toApiError } from './problem.ts';
import { buildRequest, type CallOptions } from './request.ts';
import { parseBody, type RawResponse, readResponse, toApiResponse } from './response.ts';
import { buildPath, buildQuery, type PathParams, type Query } from './url.ts';

/** What a method passes on: the template's parameters, the query or body, the caller's options. */
export interface Call<Path extends string> {
  readonly params: PathParams<Path>;
  /** An object whose values are those of {@link Query}. */
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly options?: CallOptions | undefined;
}

type RouteTo<Path extends string> = Route & { readonly path: Path };

/** Turns a route of the contract and a call into a request, and its answer into data or an error. */
export class Transport {
  readonly #options: ResolvedOptions;

  constructor(options: ResolvedOptions) {
    this.#options = options;
  }

  /** A call answered with a JSON object. */
  json<T, Path extends string>(route: RouteTo<Path>, call: Call<Path>): ApiPromise<T> {
    return new ApiPromise(this.#json<T>(route, call));
  }

  /** A call answered without a body. */
  empty<Path extends string>(route: RouteTo<Path>, call: Call<Path>): ApiPromise<void> {
    return new ApiPromise(
      this.#send(route, call).then((response) => toApiResponse(response, undefined)),
    );
  }

  /** A call answered with a page of a list. */
  list<T, Path extends string>(route: RouteTo<Path>, call: Call<Path>): ListPromise<T> {
    const query = call.query as Query | undefined;
    const start = query?.cursor;
    const fetchPage = async (cursor?: string) => {
      const page = await this.#json<ListBody<T>>(route, { ...call, query: { ...query, cursor } });
      if (Array.isArray(page.data.items)) return page;
      throw new InvalidResponseError(`${label(route)} was answered without items.`, page);
    };
    return new ListPromise(fetchPage, start === undefined ? undefined : String(start));
  }

  async #json<T>(route: Route, call: Call<string>): Promise<ApiResponse<T>> {
    const response = await this.#send(route, call);
    // The one place where an answer gets its type; bodies are not validated at run time.
    return toApiResponse(response, parseBody(label(route), response) as T);
  }

  async #send(route: Route, call: Call<string>): Promise<RawResponse> {
    const { baseUrl, accessToken, logger } = this.#options;
    const { query, body, options = {} } = call;
    const path = buildPath(route.path, call.params);
    const url = `${baseUrl}${path}${buildQuery({ ...query })}`;
    const init = buildRequest({ method: route.method, accessToken, body, options });
    const timeout = options.timeout ?? this.#options.timeout;
    assertTimeout(timeout);
    const deadline = { label: label(route), timeout, signal: options.signal };
    try {
      const response = await withDeadline(deadline, (signal) =>
        this.#exchange(label(route), url, { ...init, signal }),
      );
      const { status, requestId } = response;
      logger.debug(`${route.method} ${path}`, { status, requestId });
      return response;
    } catch (error) {
      if (isGatehouseError(error)) logger.info(`${route.method} ${path} failed`, facts(error));
      throw error;
    }
  }

  async #exchange(name: string, url: string, init: RequestInit): Promise<RawResponse> {
    // Not called as a method: some platforms refuse a `fetch` with another `this`.
    const send = this.#options.fetch ?? globalThis.fetch;
    let response: RawResponse;
    try {
      response = await readResponse(await send(url, init));
    } catch (cause) {
      throw new ConnectionError(`${name}: the connection to the service failed.`, { cause });
    }
    if (response.redirected) {
      throw new InvalidResponseError(`${name} was redirected; baseUrl must be final.`, response);
    }
    if (response.status >= 200 && response.status < 300) return response;
    throw toApiError(response);
  }
}

function label(route: Route): string {
  return `${route.method} ${route.path}`;
}

/** What may be logged of an error: not its cause and not the answer's headers or body. */
function facts(error: GatehouseError): object {
  const { code } = error;
  return isApiError(error) ? { code, status: error.status, requestId: error.requestId } : { code };
}
