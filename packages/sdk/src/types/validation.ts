import type { Open } from './open.ts';

/**
 * The stages of a validation, in the order in which they are listed.
 */
export type ValidationStageName =
  | 'address'
  | 'tls'
  | 'http'
  | 'mcp'
  | 'challenge'
  | 'discovery'
  | 'registration'
  | 'credential'
  | 'tools';

/**
 * How a stage ended. `skipped`: not needed, or not reached because of an earlier stage.
 */
export type StageStatus = 'passed' | 'failed' | 'skipped';

/**
 * Why a stage failed or was skipped.
 */
export type StageCode =
  | 'address_not_allowed'
  | 'plain_http_with_credentials'
  | 'name_not_found'
  | 'name_server_failed'
  | 'name_server_silent'
  | 'too_many_lookups'
  | 'out_of_files'
  | 'refused'
  | 'connection_lost'
  | 'unreachable'
  | 'timed_out'
  | 'response_invalid'
  | 'certificate_expired'
  | 'certificate_name'
  | 'certificate_untrusted'
  | 'handshake'
  | 'redirected'
  | 'old_transport'
  | 'not_found'
  | 'rate_limited'
  | 'server_error'
  | 'not_mcp'
  | 'challenge_missing'
  | 'credential_required'
  | 'credential_rejected'
  | 'permission_denied'
  | 'connection_required'
  | 'needs_reauth'
  | 'expired'
  | 'server_token_missing'
  | 'server_token_misfit'
  | 'oauth_not_configured'
  | 'refresh_failed'
  | 'key_not_loaded'
  | 'decryption_failed'
  | 'metadata_not_found'
  | 'metadata_invalid'
  | 'issuer_mismatch'
  | 'resource_mismatch'
  | 'pkce_not_supported'
  | 'insecure_endpoint'
  | 'no_client'
  | 'shared_redirect_uri'
  | 'client_rejected'
  | 'no_tools'
  | 'tools_refused'
  | 'not_reached'
  | 'not_needed';

/**
 * One stage of a validation.
 */
export interface ValidationStage {
  stage: Open<ValidationStageName>;
  status: Open<StageStatus>;
  /** Why it failed or was skipped. */
  code?: Open<StageCode>;
  /** How long it took; 0 when it was skipped. */
  milliseconds: number;
  /** What to do about it. */
  hint?: string;
  /** When the certificate of the server expires, in a stage `tls` that has passed. ISO 8601. */
  certificateExpiresAt?: string;
}
