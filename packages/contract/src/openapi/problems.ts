import type { JsonObject } from '../shared/json.ts';
import { PROBLEM_CONTENT_TYPE } from '../shared/problem.ts';
import { problemCodes } from '../shared/problem-codes.ts';
import { COMMON_HEADERS, headerReferences } from './headers.ts';
import type { Operation } from './operations.ts';
import { schemaReference } from './schemas.ts';

/** Component names of the problem responses of the management API by status. */
const NAMES = {
  400: 'BadRequest',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'IdempotencyKeyReused',
  429: 'RateLimited',
  500: 'InternalError',
  503: 'Unavailable',
} as const;

type Status = keyof typeof NAMES;
const STATUSES: readonly Status[] = [400, 401, 403, 404, 409, 412, 413, 415, 422, 429, 500, 503];

/** Codes that only the gateway returns. */
const GATEWAY_CODES = new Set(['credential_unavailable', 'not_proxied']);

const EXTRA_HEADERS: Partial<Record<Status, string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function problemResponse(status: Status): JsonObject {
  const codes = Object.entries(problemCodes)
    .filter(([code, problem]) => problem.status === status && !GATEWAY_CODES.has(code))
    .map(([code, problem]) => `- \`${code}\`: ${problem.title}`);
  return {
    description: `One of these codes:\n\n${codes.join('\n')}`,
    headers: headerReferences([...COMMON_HEADERS, ...(EXTRA_HEADERS[status] ?? [])]),
    content: { [PROBLEM_CONTENT_TYPE]: { schema: schemaReference('Problem') } },
  };
}

/** The problem responses under their component names. */
export function problemResponses(): JsonObject {
  return Object.fromEntries(STATUSES.map((status) => [NAMES[status], problemResponse(status)]));
}

/** Operations without `Idempotency-Key` that can still be a conflict with the resource's state. */
const CONFLICTING = new Set([
  'connections.test',
  'integrations.validate',
  'integrations.getOauth',
  'integrations.putOauth',
  'applications.setIntegrations',
  'applications.detachIntegration',
  'members.remove',
]);

/** Invalid `Host`, `Authorization` or `Origin` headers give 400 or 403 on any operation. */
function canReturn({ id, route, takesIfMatch }: Operation, status: Status): boolean {
  const isWrite = route.method !== 'GET';
  const isPublic = route.access === 'public';
  switch (status) {
    case 401:
    case 429:
    case 503:
      return !isPublic;
    case 404:
      return route.path.includes(':');
    case 409:
      return route.idempotency === 'key' || CONFLICTING.has(id);
    case 412:
      return takesIfMatch;
    case 413:
    case 415:
      return isWrite;
    case 422:
      return route.idempotency === 'key';
    default:
      return true;
  }
}

/** References to the problem responses of an operation, by status. */
export function problemReferences(operation: Operation): JsonObject {
  const entries = STATUSES.filter((status) => canReturn(operation, status)).map((status) => [
    String(status),
    { $ref: `#/components/responses/${NAMES[status]}` },
  ]);
  return Object.fromEntries(entries);
}
