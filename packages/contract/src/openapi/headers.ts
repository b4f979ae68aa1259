import type { JsonObject } from '../shared/json.ts';

const text = (description: string): JsonObject => ({ description, schema: { type: 'string' } });

/** Every response header of the API under its component name. */
export const headers: JsonObject = {
  'X-Request-Id': text('The id of the request: the caller’s if it sent a well-formed one.'),
  ETag: text('A strong tag of the configuration version, for `If-Match`.'),
  Location: {
    description: 'The absolute URL of what was created.',
    schema: { type: 'string', format: 'uri' },
  },
  RateLimit: text(
    'What is left of the quota and when it is renewed, in seconds. Missing when the limit is off, and for a caller who is not known.',
  ),
  'RateLimit-Policy': text(
    'The quota and its window in seconds. Missing when the limit is off, and for a caller who is not known.',
  ),
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 0 },
  },
  'WWW-Authenticate': text('The challenge: `Bearer`, with an error code if a token was sent.'),
};

/** References to response headers by name. */
export function headerReferences(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Headers of every response of the management API. */
export const COMMON_HEADERS = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];
