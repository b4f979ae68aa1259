import type { ReadyCredential, UnusableCredential } from '../credentials/outcome.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { ConsentRequired } from './authorize-call.ts';

/** A call has no credential that the upstream accepts. */
export interface CredentialError {
  readonly code: 'connection_required' | 'credential_rejected';
  /** What to do, in one sentence. */
  readonly message: string;
  readonly integrationId: string;
  /** The exact cause, if it helps. */
  readonly reason?: string;
}

const CONNECT = {
  connection_required: 'Connect to this integration first: no credential of yours is stored for it',
  needs_reauth: 'Connect to this integration again: its address or authentication has changed',
  expired: 'Connect to this integration again: your credential has expired',
} as const;

const CONSENT_REQUIRED =
  'This integration was attached to the application after you agreed to it. Sign in again from your MCP client, and agree to this integration too.';

const ADMINISTER = {
  server_token_missing: 'An administrator must store a server token for this integration.',
  server_token_misfit:
    'An administrator must make the credential schema of this integration fit its server token.',
  oauth_not_configured: 'An administrator must configure OAuth for this integration.',
  client_rejected:
    'The authorization server of this integration does not accept our client: an administrator must check its OAuth configuration.',
} as const;

const UNREADABLE = {
  key_not_loaded:
    'The encryption key of the stored credential is not loaded: the operator must add it. Nobody needs to enter the credential again.',
  decryption_failed: 'The stored credential cannot be read: it must be entered again.',
} as const;

const REFRESH_FAILED =
  'The authorization server of this integration did not renew your access. It is tried again: nobody needs to connect again.';

const REJECTED = {
  connection: 'The integration rejected your credential: connect to it again.',
  server_token: 'The integration rejected the server token: an administrator must replace it.',
  none: 'The integration asks for a credential: an administrator must change its authentication mode.',
} as const;

/**
 * The error of a call for which there is no credential to send.
 *
 * @throws ProblemError `credential_unavailable` when one is stored but cannot be decrypted.
 */
export function missingCredential(
  outcome: UnusableCredential | ConsentRequired,
  integrationId: string,
): CredentialError {
  const { reason } = outcome;
  if (reason === 'consent_required') {
    return { code: 'connection_required', message: CONSENT_REQUIRED, integrationId, reason };
  }
  if (reason === 'refresh_failed') {
    throw new ProblemError('credential_unavailable', REFRESH_FAILED, {
      headers: { 'Retry-After': '5' },
    });
  }
  if (reason === 'key_not_loaded' || reason === 'decryption_failed') {
    throw new ProblemError('credential_unavailable', UNREADABLE[reason]);
  }
  const message =
    outcome.kind === 'needs_user'
      ? `${CONNECT[outcome.reason]} (POST /api/v1/integrations/${integrationId}/connection).`
      : ADMINISTER[reason as keyof typeof ADMINISTER];
  return { code: 'connection_required', message, integrationId, reason };
}

/** The error of a call that the upstream answered with 401. */
export function rejectedCredential(
  { source }: Pick<ReadyCredential, 'source'>,
  integrationId: string,
): CredentialError {
  return { code: 'credential_rejected', message: REJECTED[source], integrationId };
}
