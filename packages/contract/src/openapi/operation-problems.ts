import { type ProblemCode, type ProblemStatus, problemCodes } from '../shared/problem-codes.ts';
import type { Operation } from './operations.ts';

/** The refusals that follow from the kind of request: its headers, token, parameters and body. */
function requestCodes({ id, route, body, queryNames, takesIfMatch }: Operation): ProblemCode[] {
  const isPublic = route.access === 'public';
  const isWrite = route.method !== 'GET';
  const groups: [applies: boolean, codes: ProblemCode[]][] = [
    [
      true,
      [
        'validation_failed',
        'host_not_allowed',
        'origin_not_allowed',
        'internal_error',
        'overloaded',
      ],
    ],
    [!isPublic, ['unauthenticated', 'forbidden', 'rate_limited', 'database_unavailable']],
    [!isPublic && id !== 'me.get', ['insufficient_scope']],
    [queryNames.includes('cursor'), ['invalid_cursor']],
    // Any write may come with a body, even if the operation takes no body.
    [isWrite, ['malformed_json', 'payload_too_large', 'unsupported_media_type']],
    [body !== undefined, ['unknown_field']],
    [route.path.includes(':'), ['not_found']],
    [route.idempotency === 'key', ['idempotency_in_progress', 'idempotency_key_reused']],
    [takesIfMatch, ['precondition_failed']],
  ];
  return groups.flatMap(([applies, codes]) => (applies ? codes : []));
}

/** The codes that an operation can return by status, each list in the order of the closed list. */
export function problemsOf(operation: Operation): Map<ProblemStatus, ProblemCode[]> {
  const possible = [...requestCodes(operation), ...operation.codes];
  const inOrder = Object.keys(problemCodes).flatMap((code) =>
    possible.filter((candidate) => candidate === code),
  );
  const statuses = [...new Set(inOrder.map((code) => problemCodes[code].status))].sort();
  return new Map(
    statuses.map((status) => [
      status,
      inOrder.filter((code) => problemCodes[code].status === status),
    ]),
  );
}
