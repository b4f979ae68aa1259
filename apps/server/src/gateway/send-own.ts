import type { ServerResponse } from 'node:http';
import { OWN_HEADERS } from './response-head.ts';

/** What every response to a call carries. */
export interface ResponseContext {
  readonly requestId: string;
  readonly corsHeaders: readonly string[];
}

/** The headers of a response of our own in the place of an upstream's, as name, value, name, value … */
export function ownHeaders({ requestId, corsHeaders }: ResponseContext): string[] {
  const caching = ['Cache-Control', 'no-store'];
  return [...caching, ...OWN_HEADERS, 'X-Request-Id', requestId, ...corsHeaders];
}

/** Sends JSON, or no body if there is none. @param extraHeaders name, value, name, value … */
export function sendOwn(
  res: ServerResponse,
  status: number,
  body: string | undefined,
  context: ResponseContext,
  extraHeaders: readonly string[] = [],
): void {
  const headers = ownHeaders(context);
  if (body !== undefined) headers.push('Content-Type', 'application/json');
  // RFC 9110 section 8.6: none with 204.
  if (status !== 204) headers.push('Content-Length', String(Buffer.byteLength(body ?? '')));
  res.writeHead(status, [...headers, ...extraHeaders]);
  res.end(body);
}
