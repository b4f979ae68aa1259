import type { HeaderPairs } from '../egress/sender.ts';

/**
 * Whether white space would split a bearer token: the upstream would read another one than was entered
 * (RFC 6750 section 2.1).
 */
export function splitsBearerToken(headers: HeaderPairs): boolean {
  return headers.some(([, value]) => /^bearer \S*\s/i.test(value));
}
