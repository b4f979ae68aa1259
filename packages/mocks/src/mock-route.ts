import type { ContractRequest, ContractResponse, ContractRoute } from '@gatehouse/contract';
import { type HttpHandler, http } from 'msw';
import { readBody } from './http/body.ts';
import { parseResponse } from './http/parse-response.ts';
import { Refusal, refusalResponse } from './http/refusal.ts';
import { parseRequest, queryOf } from './http/validate.ts';
import { apiUrlOf } from './options.ts';

/** The argument of a resolver of {@link mockRoute}: path, query and body, parsed by the contract. */
export type MockRequest<R extends ContractRoute> = ContractRequest<R> & {
  readonly request: Request;
};

/** The result of a resolver of {@link mockRoute}: a status and body that the contract declares. */
export type MockResponse<R extends ContractRoute> = ContractResponse<R> & {
  readonly headers?: Readonly<Record<string, string>>;
};

export interface MockRouteOptions {
  /**
   * The base URL of the API. `/api/v1` is appended when missing; MSW's wildcards are allowed.
   *
   * @defaultValue any origin
   */
  readonly baseUrl?: string | undefined;
}

/**
 * Mocks one route of the contract for MSW. A status or body that the contract does not declare does
 * not compile. A request that does not match the contract gets the same 400 as from the service. A
 * response that does not match is an error of the mock, which MSW turns into a 500 and prints.
 *
 * @example
 * ```ts
 * const limited = mockRoute(contract.integrations.list, () => problem('rate_limited'));
 * ```
 */
export function mockRoute<R extends ContractRoute>(
  route: R,
  resolver: (call: MockRequest<R>) => MockResponse<R> | Promise<MockResponse<R>>,
  { baseUrl = '*' }: MockRouteOptions = {},
): HttpHandler {
  const method = METHODS[route.method];
  return http[method](apiUrlOf(baseUrl) + route.path, async ({ request, params }) => {
    const parts = await parse(route, request, params);
    if (parts instanceof Response) return parts;
    const result = await resolver({ ...parts, request } as unknown as MockRequest<R>);
    return toResponse(route, result);
  });
}

const METHODS = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
} as const;

async function parse(route: ContractRoute, request: Request, params: unknown) {
  try {
    const body = route.method === 'GET' ? undefined : await readBody(request.clone());
    return parseRequest(route, { params, query: queryOf(request.url), body });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { pathname: path } = new URL(request.url);
    return refusalResponse(error, { path, requestId: 'mock' });
  }
}

function toResponse(
  route: ContractRoute,
  result: {
    readonly status: number;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  },
): Response {
  const { status } = result;
  const body = parseResponse(route, status, result.body);
  if (body === undefined) return new Response(null, { status, headers: { ...result.headers } });
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': type, ...result.headers },
  });
}
