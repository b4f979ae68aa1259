import { gatewayChanges } from '@gatehouse/contract';
import { isEventStream } from '../mcp/media-type.ts';
import type { JsonAnswer } from './own-answer.ts';
import type { Answered, ResponseSink } from './ports.ts';

/** A response's headers as undici reports them: names in lower case, repeated ones as an array. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Sent with every relayed response and every refusal of a call: nothing an upstream sends may act in
 * a browser as if it came from our origin. As name, value.
 */
export const sandboxHeader = ['Content-Security-Policy', "sandbox; default-src 'none'"] as const;

/** Added to every relayed response. */
export const OWN_HEADERS: readonly string[] = [
  'X-Content-Type-Options',
  'nosniff',
  ...sandboxHeader,
];

const BUFFERING = 'x-accel-buffering';

const PASSED: ReadonlySet<string> = new Set(gatewayChanges.response.passed);

/** Header values that may be written unchanged: visible ASCII, obs-text, blank and tab (RFC 9110 section 5.5). */
const LEGAL_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** A valid `Mcp-Session-Id`: visible ASCII (2025-11-25 transports, "Session Management"). */
const SESSION_ID = /^[\x21-\x7e]{1,1024}$/;

/**
 * The upstream's headers that are relayed, as name, value, name, value …; all others are dropped,
 * including cookies, challenges, redirects, and its own CORS and security policies. An event stream is
 * always marked as one that proxies must not buffer.
 */
export function passedHeaders(headers: ResponseHeaders): string[] {
  const isStream = isEventStream(headers['content-type']);
  const passed: string[] = isStream ? [BUFFERING, 'no'] : [];
  let hasCacheControl = false;
  for (const name in headers) {
    if (!PASSED.has(name) && !(name.startsWith('mcp-') && name !== 'mcp-session-id')) continue;
    if (isStream && name === BUFFERING) continue;
    const value = headers[name];
    if (typeof value !== 'string' || !LEGAL_VALUE.test(value)) continue;
    if (name === 'cache-control') hasCacheControl = true;
    passed.push(name, value);
  }
  if (!hasCacheControl) passed.push('Cache-Control', 'no-store');
  return passed;
}

/** The session id that an upstream issued; an invalid one is ignored. */
export function upstreamSessionIdOf(headers: ResponseHeaders): string | undefined {
  const id = headers['mcp-session-id'];
  return typeof id === 'string' && SESSION_ID.test(id) ? id : undefined;
}

/** The declared length in bytes, if there is one. */
export function contentLengthOf(headers: ResponseHeaders): number | undefined {
  const length = headers['content-length'];
  return typeof length === 'string' ? Number(length) : undefined;
}

/** The headers of a response that the gateway sends instead of the upstream's, as name, value, name, value … */
export function ownHeaders({
  requestId,
  corsHeaders,
}: Pick<Answered, 'requestId' | 'corsHeaders'>): string[] {
  const caching = ['Cache-Control', 'no-store'];
  return [...caching, ...OWN_HEADERS, 'X-Request-Id', requestId, ...corsHeaders];
}

/** The headers of an answer of ours, as name, value, name, value … */
export function headersOf(
  { status, json, headers = [] }: Pick<JsonAnswer, 'status' | 'json' | 'headers'>,
  answered: Pick<Answered, 'requestId' | 'corsHeaders'>,
): string[] {
  const own = ownHeaders(answered);
  if (json !== undefined) own.push('Content-Type', 'application/json');
  // RFC 9110 section 8.6: no length with 204.
  if (status !== 204) own.push('Content-Length', String(Buffer.byteLength(json ?? '')));
  own.push(...headers);
  return own;
}

/** Begins an event stream of ours, which no proxy must hold back. */
export function beginStream(
  call: Pick<Answered, 'requestId' | 'corsHeaders'> & { readonly response: ResponseSink },
): void {
  call.response.begin(200, [
    ...['Content-Type', 'text/event-stream'],
    ...['X-Accel-Buffering', 'no'],
    ...ownHeaders(call),
  ]);
  call.response.flush();
}
