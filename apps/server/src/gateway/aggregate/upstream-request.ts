import type { CallRequest } from '../client-side.ts';
import type { AggregateAttachment } from './applications.ts';
import type { InSession } from './client-call.ts';

/** Headers of the client that say what its own message is: a request to an integration has its own. */
const OF_MESSAGE = new Set([
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'mcp-session-id',
]);

/** A client's request as it goes to one integration. */
export interface Forwarding {
  readonly method?: 'POST' | 'GET' | 'DELETE';
  readonly body?: Buffer;
  /** The aggregate makes it for itself: limits do not count it. */
  readonly isOwn?: boolean;
  /** The client uses its session with the integration, which is kept from then on. */
  readonly isUse?: boolean;
  /** In place of the client's of the same names, in lower case; undefined takes one away. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** The request of a call to one integration, with the client's headers. */
export function upstreamRequest(
  { call, application, session }: InSession,
  { integrationId }: Pick<AggregateAttachment, 'integrationId'>,
  { method = 'POST', body, isOwn = false, isUse = false, headers = {} }: Forwarding,
): CallRequest {
  const rawHeaders: string[] = [];
  const { req, requestId } = call;
  for (let i = 0; i + 1 < req.rawHeaders.length; i += 2) {
    const name = req.rawHeaders[i] as string;
    const lower = name.toLowerCase();
    if (OF_MESSAGE.has(lower) || lower === 'x-request-id' || lower in headers) continue;
    rawHeaders.push(name, req.rawHeaders[i + 1] as string);
  }
  const own = { 'x-request-id': requestId, ...(body && { 'content-type': 'application/json' }) };
  for (const [name, value] of Object.entries({ ...own, ...headers })) {
    if (value !== undefined) rawHeaders.push(name, value);
  }
  return {
    method,
    url: `/mcp/${application.id}/${integrationId}`,
    headers: headersOf(rawHeaders),
    rawHeaders,
    body,
    isOwn,
    isUse,
    aggregateSession: session,
  };
}

function headersOf(rawHeaders: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    headers[(rawHeaders[i] as string).toLowerCase()] = rawHeaders[i + 1] as string;
  }
  return headers;
}
