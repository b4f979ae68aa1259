import { type ProblemCode, type ProblemStatus, problemCodes } from '../shared/problem-codes.ts';
import type { Operation } from './operations.ts';

/** Refusals that rest on what the operation does, beside those of {@link requestCodes}. */
const OWN_CODES: Readonly<Record<string, readonly ProblemCode[]>> = {
  'integrations.create': ['egress_denied'],
  'integrations.discover': ['egress_denied'],
  'integrations.update': ['egress_denied', 'archived'],
  'integrations.validate': ['archived'],
  'integrations.getOauth': ['oauth_not_configured', 'auth_mode_mismatch'],
  'integrations.putOauth': ['archived'],
  'connections.set': ['archived', 'auth_mode_mismatch'],
  'connections.authorize': ['oauth_not_configured', 'archived', 'auth_mode_mismatch'],
  'connections.test': ['archived', 'auth_mode_mismatch'],
  'applications.create': ['secret_no_longer_available'],
  'applications.update': ['archived'],
  'applications.rotateSecret': [
    'archived',
    'public_client_has_no_secret',
    'secret_no_longer_available',
  ],
  'applications.updateOauth': ['archived'],
  'applications.setIntegrations': ['archived'],
  'applications.attachIntegration': ['archived', 'attachment_limit_reached'],
  'applications.detachIntegration': ['archived'],
  'tokens.create': ['token_limit_reached', 'invitation_used', 'secret_no_longer_available'],
  'members.create': ['email_taken', 'secret_no_longer_available'],
  'members.update': ['last_owner'],
  'members.remove': ['last_owner'],
  'members.createSignInLink': ['secret_no_longer_available'],
};

/** Refusals that rest on the kind of request: its headers, token, parameters and body. */
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
    // Any write may come with a body, also one that takes none.
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
  const possible = [...requestCodes(operation), ...(OWN_CODES[operation.id] ?? [])];
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
