import {
  type AppRoute,
  type ClientInferResponses,
  isAppRouteNoBody,
  isAppRouteOtherResponse,
  validateIfSchema,
} from '@ts-rest/core';
import { RawRequestError } from './raw-request-error.ts';

/**
 * Reads a response and checks it against the schema that the route declares for its status.
 *
 * @throws RawRequestError `unexpected_response`
 */
export async function parseRawResponse<R extends AppRoute>(
  route: R,
  response: Response,
): Promise<ClientInferResponses<R>> {
  const { status, headers } = response;
  const body = parseBody(route, status, await response.text());
  return { status, headers, body } as ClientInferResponses<R>;
}

function parseBody(route: AppRoute, status: number, text: string): unknown {
  const declared = route.responses[status];
  if (declared === undefined)
    throw unexpected(route, status, 'which the contract does not declare');
  if (isAppRouteNoBody(declared)) return undefined;
  const schema = isAppRouteOtherResponse(declared) ? declared.body : declared;
  const { value, error } = validateIfSchema(parseJson(route, status, text), schema);
  if (error) throw unexpected(route, status, 'with a body that does not match the contract');
  return value;
}

/** The error of the platform is dropped, because it quotes the text. */
function parseJson(route: AppRoute, status: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unexpected(route, status, 'with a body that is not JSON');
  }
}

function unexpected({ method, path }: AppRoute, status: number, how: string): RawRequestError {
  return new RawRequestError(
    'unexpected_response',
    `${method} ${path} responded ${status}, ${how}.`,
  );
}
