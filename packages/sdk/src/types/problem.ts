import type { Open } from './open.ts';
import type { PolicyReason } from './policy-reason.ts';

/**
 * The error codes of the API; a code never changes its meaning or its status.
 */
export type ProblemCode =
  // 400
  | 'validation_failed'
  | 'unknown_field'
  | 'invalid_cursor'
  | 'malformed_json'
  | 'egress_denied'
  // 401
  | 'unauthenticated'
  // 403
  | 'forbidden'
  | 'policy_refused'
  | 'insufficient_scope'
  | 'host_not_allowed'
  | 'origin_not_allowed'
  // 404
  | 'not_found'
  | 'oauth_not_configured'
  | 'not_proxied'
  | 'session_not_found'
  // 405
  | 'method_not_allowed'
  // 409
  | 'archived'
  | 'auth_mode_mismatch'
  | 'connection_required'
  | 'integration_misconfigured'
  | 'not_credential_only'
  | 'public_client_has_no_secret'
  | 'attachment_limit_reached'
  | 'alias_taken'
  | 'token_limit_reached'
  | 'last_owner'
  | 'email_taken'
  | 'group_name_taken'
  | 'group_in_use'
  | 'group_limit_reached'
  | 'policy_unreadable'
  | 'tools_changed'
  | 'managed_by_provider'
  | 'invitation_used'
  | 'idempotency_in_progress'
  | 'secret_no_longer_available'
  // 412, 413, 415, 422, 429, 431
  | 'precondition_failed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'headers_too_large'
  // 5xx
  | 'internal_error'
  | 'upstream_unreachable'
  | 'upstream_redirected'
  | 'upstream_unreadable'
  | 'upstream_response_too_large'
  | 'credential_unavailable'
  | 'database_unavailable'
  | 'overloaded'
  | 'upstream_timeout'
  | 'loop_detected';

/**
 * One validation error of a request.
 */
export interface ProblemError {
  /** JSON pointer (RFC 6901) into the body. */
  pointer?: string;
  /** Name of the path, query or header parameter. */
  parameter?: string;
  code: string;
  message: string;
}

/**
 * A problem document (RFC 9457) of the API.
 */
export interface Problem {
  /** `urn:gatehouse:problem:<code>`. */
  type: string;
  title: string;
  status: number;
  detail?: string;
  /** The path of the request. */
  instance?: string;
  /** Later versions of the API may add codes. */
  code: Open<ProblemCode>;
  requestId: string;
  errors?: ProblemError[];
  /** With `connection_required`: where the person connects an account. */
  connectUrl?: string;
  /** With `policy_refused`: why, and the level of each rule that says so. */
  reasons?: PolicyReason[];
  /** With `tools_changed`: the names of the tools to read again, at most 100. */
  tools?: string[];
}
