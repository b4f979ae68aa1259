/**
 * The closed list of error codes, each with its HTTP status and title. The code is also the last
 * part of the problem's `type`, `urn:gatehouse:problem:<code>`. A code never changes its status.
 */
export const problemCodes = {
  validation_failed: { status: 400, title: 'The request is not valid.' },
  unknown_field: { status: 400, title: 'The request body has an unknown field.' },
  invalid_cursor: { status: 400, title: 'The cursor is not valid for this list.' },
  malformed_json: { status: 400, title: 'The request body is not valid JSON.' },
  egress_denied: { status: 400, title: 'The address may not be reached from this server.' },

  unauthenticated: { status: 401, title: 'A valid bearer token is required.' },

  forbidden: { status: 403, title: 'The caller may not do this.' },
  policy_refused: { status: 403, title: 'Rules do not allow the caller to use it.' },
  insufficient_scope: { status: 403, title: 'The token lacks a required scope.' },
  host_not_allowed: { status: 403, title: 'The Host header is not one of this server.' },
  origin_not_allowed: { status: 403, title: 'The Origin header is not allowed.' },

  not_found: { status: 404, title: 'There is no such resource.' },
  oauth_not_configured: { status: 404, title: 'The integration has no OAuth configuration.' },
  not_proxied: { status: 404, title: 'The integration is not proxied.' },
  session_not_found: { status: 404, title: 'There is no such open session.' },

  method_not_allowed: { status: 405, title: 'The method is not allowed on this path.' },

  archived: { status: 409, title: 'The resource is archived.' },
  auth_mode_mismatch: { status: 409, title: 'The authentication mode does not allow this.' },
  connection_required: { status: 409, title: 'The person has to connect an account first.' },
  integration_misconfigured: { status: 409, title: 'An admin has to complete the integration.' },
  not_credential_only: { status: 409, title: 'The integration is used through the gateway.' },
  public_client_has_no_secret: { status: 409, title: 'A public client has no secret.' },
  attachment_limit_reached: { status: 409, title: 'No more integrations can be attached.' },
  alias_taken: { status: 409, title: 'Another attached integration has the alias.' },
  token_limit_reached: { status: 409, title: 'A member has as many tokens as allowed.' },
  last_owner: { status: 409, title: 'An organization keeps at least one owner.' },
  email_taken: { status: 409, title: 'A member with this e-mail address exists.' },
  group_name_taken: { status: 409, title: 'A group with this name or external id exists.' },
  group_in_use: { status: 409, title: 'A policy names the group.' },
  group_limit_reached: {
    status: 409,
    title: 'There are as many groups or members of one as allowed.',
  },
  policy_unreadable: { status: 409, title: 'This version cannot read the stored rules.' },
  tools_changed: { status: 409, title: 'Some tools have changed since they were read.' },
  managed_by_provider: { status: 409, title: 'The identity provider decides who is in the group.' },
  invitation_used: { status: 409, title: 'The invitation was already used.' },
  idempotency_in_progress: { status: 409, title: 'A request with this key is still running.' },
  secret_no_longer_available: { status: 409, title: 'The secret can no longer be delivered.' },

  precondition_failed: { status: 412, title: 'The resource was changed in the meantime.' },
  payload_too_large: { status: 413, title: 'The request body is too large.' },
  unsupported_media_type: { status: 415, title: 'The request body must be JSON.' },
  idempotency_key_reused: { status: 422, title: 'The key was used for another request.' },
  rate_limited: { status: 429, title: 'Too many requests.' },
  headers_too_large: { status: 431, title: 'The headers of the request are too large.' },

  internal_error: { status: 500, title: 'The server failed.' },
  upstream_unreachable: { status: 502, title: 'The integration cannot be reached.' },
  upstream_redirected: { status: 502, title: 'The integration redirects elsewhere.' },
  upstream_unreadable: {
    status: 502,
    title: 'The response of the integration cannot be read.',
  },
  upstream_response_too_large: {
    status: 502,
    title: 'The response of the integration is too large.',
  },
  credential_unavailable: { status: 503, title: 'The stored credential cannot be read.' },
  database_unavailable: { status: 503, title: 'The database cannot be reached.' },
  overloaded: { status: 503, title: 'The server cannot take the request now.' },
  upstream_timeout: { status: 504, title: 'The integration did not answer in time.' },
  loop_detected: { status: 508, title: 'The call came back to the gateway.' },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>;

export type ProblemCode = keyof typeof problemCodes;

/** The HTTP statuses a problem can have. */
export type ProblemStatus = (typeof problemCodes)[ProblemCode]['status'];

/** True for a code of the closed list. */
export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problemCodes, code);
}
