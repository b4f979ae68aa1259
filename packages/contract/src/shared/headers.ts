import * as z from 'zod';
import { limits } from './limits.ts';
import { atMost } from './text.ts';

/** An `X-Request-Id` that matches is echoed; otherwise the server generates one. */
export const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/;

/** `Idempotency-Key`: 1 to 255 visible ASCII characters. */
export const idempotencyKeyPattern = /^[!-~]{1,255}$/;

/** RFC 9110 section 5.6.2 `token`. */
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** RFC 9110 section 5.5 `field-value` without obs-text, and without leading or trailing whitespace. */
const FIELD_VALUE = /^[!-~](?:[\t -~]*[!-~])?$/;

/** Fields that belong to the connection, to routing or to the MCP transport. */
const RESERVED = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'cookie',
  'cookie2',
  'expect',
  'host',
  'keep-alive',
  'last-event-id',
  'origin',
  'referer',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Fields that proxies use to forward the client and the target of a request. Upstreams trust them. */
const FORWARDING = new Set([
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'cf-pseudo-ipv4',
  'client-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'forwarded',
  'true-client-ip',
  'via',
  'x-azure-clientip',
  'x-azure-socketip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'x-forwarded',
  'x-original-forwarded-for',
  'x-original-host',
  'x-original-url',
  'x-originating-ip',
  'x-real-ip',
  'x-remote-addr',
  'x-remote-ip',
  'x-rewrite-url',
]);
const RESERVED_PREFIXES = ['content-', 'mcp-', 'proxy-', 'sec-', 'x-forwarded-'];

/** True when a credential may be sent in the header field of that name. */
export function isCredentialHeader(name: string): boolean {
  const lower = name.toLowerCase();
  if (name.length > limits.headerName || !FIELD_NAME.test(name)) return false;
  if (RESERVED.has(lower) || FORWARDING.has(lower)) return false;
  return !RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

/** True when text can be sent in a header field unchanged. */
export function isHeaderValue(text: string): boolean {
  return FIELD_VALUE.test(text);
}

/** A secret that is sent upstream in a header: at most 8 KiB of valid header characters. */
export const credentialValueSchema = atMost(z.string().min(1), limits.credential).regex(
  FIELD_VALUE,
  'Must be visible ASCII without leading or trailing spaces.',
);
