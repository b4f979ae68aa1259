import type { AppRoute, ClientInferRequest, ClientInferResponses } from '@ts-rest/core';
import { PROBLEM_CONTENT_TYPE } from '../shared/problem.ts';
import { parseRawResponse } from './raw-response.ts';
import { rawUrl } from './raw-url.ts';

/** The parameters of a request. `params`, `query` and `body` depend on the route. */
export type RawRequestOptions<R extends AppRoute> = {
  /** Where the service is; `/api/v1` is appended when missing. */
  readonly baseUrl: string;
  /** Sent as the bearer token. */
  readonly accessToken?: string | undefined;
  /** Such as `Idempotency-Key` or `If-Match`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
} & Omit<
  ClientInferRequest<R>,
  'headers' | 'extraHeaders' | 'fetchOptions' | 'overrideClientOptions' | 'cache' | 'next'
>;

/** A response that the contract declares; `status` determines the type of its body. */
export type RawResponse<R extends AppRoute> = ClientInferResponses<R>;

/** A request for `fetch` or any other HTTP client. */
export interface RawRequest<R extends AppRoute> {
  readonly url: string;
  readonly init: {
    readonly method: R['method'];
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  /**
   * Reads the response and checks it against the contract. Problem documents are responses too.
   *
   * @throws RawRequestError `unexpected_response`
   */
  parse(response: Response): Promise<RawResponse<R>>;
}

/**
 * Builds the request of one route of the contract, for endpoints that the SDK does not cover and for
 * your own clients. A parameter or body that the contract does not declare does not compile.
 *
 * @example
 * ```ts
 * const { url, init, parse } = rawRequest(contract.connections.set, {
 *   baseUrl: 'https://gatehouse.example.com',
 *   accessToken,
 *   params: { id: integration.id },
 *   body: { token: 'their-token-at-the-tracker' },
 * });
 * const response = await parse(await fetch(url, init));
 * if (response.status === 200) console.log(response.body.connection.status);
 * ```
 *
 * @throws RawRequestError `invalid_argument`
 */
export function rawRequest<R extends AppRoute>(
  route: R,
  options: RawRequestOptions<R>,
): RawRequest<R> {
  const { baseUrl, accessToken, headers = {}, params = {}, query = {}, body }: Loose = options;
  return {
    url: rawUrl(baseUrl, route.path, params, query),
    init: {
      method: route.method,
      headers: {
        Accept: `application/json, ${PROBLEM_CONTENT_TYPE}`,
        ...(accessToken !== undefined && { Authorization: `Bearer ${accessToken}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
    parse: (response) => parseRawResponse(route, response),
  };
}

/** The options of any route. */
interface Loose {
  readonly baseUrl: string;
  readonly accessToken?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}
