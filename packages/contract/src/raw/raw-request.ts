import type { AppRoute, ClientInferRequest, ClientInferResponses } from '@ts-rest/core';
import { PROBLEM_CONTENT_TYPE } from '../shared/problem.ts';
import { parseRawResponse } from './raw-response.ts';
import { rawUrl } from './raw-url.ts';

/** What a request needs besides its route: `params`, `query` and `body` are those of the route. */
export type RawRequestOptions<R extends AppRoute> = {
  /** Where the service is; `/api/v1` is appended when missing. */
  readonly baseUrl: string;
  /** Sent as the bearer. */
  readonly accessToken?: string | undefined;
  /** Such as `Idempotency-Key` or `If-Match`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
} & Omit<
  ClientInferRequest<R>,
  'headers' | 'extraHeaders' | 'fetchOptions' | 'overrideClientOptions' | 'cache' | 'next'
>;

/** An answer that the contract declares, told apart by `status`. */
export type RawResponse<R extends AppRoute> = ClientInferResponses<R>;

/** A request to hand to `fetch` or to any other HTTP client. */
export interface RawRequest<R extends AppRoute> {
  readonly url: string;
  readonly init: {
    readonly method: R['method'];
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  /**
   * Reads the answer and checks it by the contract; problem documents are answers too.
   *
   * @throws RawRequestError `unexpected_response`
   */
  parse(response: Response): Promise<RawResponse<R>>;
}

/**
 * Makes the request of one route of the contract, for the endpoints that the SDK leaves to HTTP and
 * for clients of your own. A parameter or body that the contract does not declare does not compile.
 *
 * @example
 * ```ts
 * const { url, init, parse } = rawRequest(contract.connections.set, {
 *   baseUrl: 'https://gatehouse.example.com',
 *   accessToken,
 *   params: { id: integration.id },
 *   body: { token: 'their-token-at-the-tracker' },
 * });
 * const answer = await parse(await fetch(url, init));
 * if (answer.status === 200) console.log(answer.body.connection.status);
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

/** What the options of all routes have in common. */
interface Loose {
  readonly baseUrl: string;
  readonly accessToken?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}
